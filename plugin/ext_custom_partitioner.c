#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include "plugin/ext_custom_partitioner.h"

#include <dlfcn.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "compiler/driver/custom_partitioner.h"
#include "plugin/api_args.h"
#include "plugin/ext_memory_descriptions.h"

typedef JAX_CustomCallPartitioner_string c_string;
typedef JAX_CustomCallPartitioner_version_and_error c_header;

struct client_partitioner {
    struct custom_partitioner partitioner; /* first: it is the struct that the compiler knows */
    JAX_CustomCallPartitioner_Callbacks *callbacks; /* owned; NULL: of InspectSharding */
    void *library;                                  /* the base address of the callbacks' code */
};

static struct client_partitioner *client_of(struct custom_partitioner *partitioner)
{
    return (struct client_partitioner *)partitioner;
}

static void free_partitioner(struct custom_partitioner *partitioner)
{
    JAX_CustomCallPartitioner_Callbacks *callbacks = client_of(partitioner)->callbacks;
    if (callbacks && callbacks->dtor)
        callbacks->dtor(callbacks);
    alloc_free(client_of(partitioner));
}

/* ---- strings --------------------------------------------------------------------------------- */
static c_string from_string(struct string string)
{
    return (c_string){string.data, string.size};
}

static struct string to_string(c_string string)
{
    return string.data ? (struct string){string.size, string.data} : (struct string){0, ""};
}

static JAX_CustomCallPartitioner_aval aval_of(const struct partitioned_value *value)
{
    return (JAX_CustomCallPartitioner_aval){from_string(value->shape), true,
                                            from_string(value->sharding)};
}

static JAX_CustomCallPartitioner_aval *avals_of(struct arena *arena,
                                                const struct partition_question *question)
{
    JAX_CustomCallPartitioner_aval *avals =
        ARENA_ARRAY(arena, JAX_CustomCallPartitioner_aval, question->operand_count);
    for (size_t i = 0; i < question->operand_count; i++)
        avals[i] = aval_of(&question->operands[i]);
    return avals;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What the client returns lives until the arena is destroyed. */
static void clean(void *header)
{
    const c_header *from = header;
    if (from->cleanup_fn)
        from->cleanup_fn(from->data);
}

static struct error *error_of(const c_header *header)
{
    enum { SHOWN = 4096 }; /* bytes of a message */
    struct string message = to_string(header->error_msg);
    if (!header->has_error)
        return NULL;
    return error_make(header->code, __FILE__, __LINE__, "%.*s",
                      (int)(message.size < SHOWN ? message.size : SHOWN), message.data);
}

struct partition_call {
    JAX_CustomCallPartitioner_Callbacks *callbacks;
    JAX_CustomCallPartitioner_Partition_Args args;
};

static void call_partition(void *context)
{
    struct partition_call *call = context;
    call->callbacks->partition(call->callbacks, &call->args);
}

static struct error *partition(struct custom_partitioner *self, struct arena *arena,
                               const struct partition_question *question,
                               struct partition_answer *out)
{
    void **slot = arena_keep(arena, clean);
    struct partition_call *call = ARENA_NEW(arena, struct partition_call);
    size_t count = question->operand_count;
    struct string *operands = ARENA_ARRAY(arena, struct string, count);
    call->callbacks = client_of(self)->callbacks;
    call->args.num_args = count;
    call->args.op_args = avals_of(arena, question);
    call->args.op_result = aval_of(&question->result);
    call->args.backend_config = from_string(question->backend_config);
    *slot = &call->args.header;
    TRY(thread_run_on_caller(call_partition, call));
    TRY(error_of(&call->args.header));
    if (count && !call->args.args_sharding)
        return ERROR(INVALID_ARGUMENT, "the partitioner returns no shardings of the operands");
    for (size_t i = 0; i < count; i++)
        operands[i] = to_string(call->args.args_sharding[i]);
    *out = (struct partition_answer){to_string(call->args.mlir_module), operands,
                                     to_string(call->args.result_sharding)};
    return NULL;
}

struct infer_call {
    JAX_CustomCallPartitioner_Callbacks *callbacks;
    JAX_CustomCallPartitioner_InferShardingFromOperands_Args args;
};

static void call_infer(void *context)
{
    struct infer_call *call = context;
    call->callbacks->infer_sharding(call->callbacks, &call->args);
}

static struct error *infer(struct custom_partitioner *self, struct arena *arena,
                           const struct partition_question *question, struct string *out)
{
    void **slot = arena_keep(arena, clean);
    struct infer_call *call = ARENA_NEW(arena, struct infer_call);
    call->callbacks = client_of(self)->callbacks;
    call->args.num_args = question->operand_count;
    call->args.op_args = avals_of(arena, question);
    call->args.result_shape = from_string(question->result.shape);
    call->args.backend_config = from_string(question->backend_config);
    *slot = &call->args.header;
    TRY(thread_run_on_caller(call_infer, call));
    TRY(error_of(&call->args.header));
    *out = call->args.has_result_sharding ? to_string(call->args.result_sharding)
                                          : (struct string){0, NULL};
    return NULL;
}

/* ---- InspectSharding of JAX ------------------------------------------------------------------ */
struct inspect_args {
    const char *sharding;
    size_t sharding_size;
    const char *error; /* out */
    void *scratch;     /* of the callee */
    void (*free_error)(struct inspect_args *args);
};

struct inspect_callback { /* the bytes of backend_config */
    void (*call)(void *data, struct inspect_args *args);
    void *data;
};

struct inspect_call {
    struct inspect_callback callback;
    struct inspect_args args;
    struct error *error;
};

static void call_inspect(void *context)
{
    struct inspect_call *call = context;
    call->callback.call(call->callback.data, &call->args);
    if (!call->args.error)
        return;
    call->error = ERROR(INVALID_ARGUMENT, "%.4096s", call->args.error);
    if (call->args.free_error)
        call->args.free_error(&call->args);
}

static void *library_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

static struct error *inspect(struct custom_partitioner *self, struct arena *arena,
                             struct string backend_config, struct string sharding)
{
    struct inspect_call *call = ARENA_NEW(arena, struct inspect_call);
    if (backend_config.size != sizeof call->callback)
        return ERROR(INVALID_ARGUMENT, "its backend_config has %zu bytes; it must have %zu",
                     backend_config.size, sizeof call->callback);
    memcpy(&call->callback, backend_config.data, sizeof call->callback);
    if (library_of((void *)(uintptr_t)call->callback.call) != client_of(self)->library)
        return ERROR(PERMISSION_DENIED, "its callback is not in the client's library");
    call->args.sharding = sharding.data;
    call->args.sharding_size = sharding.size;
    TRY(thread_run_on_caller(call_inspect, call));
    return call->error;
}

/* ---- registering ----------------------------------------------------------------------------- */
static struct error *add(const char *name, size_t size, const struct client_partitioner *from)
{
    struct client_partitioner *made;
    TRY(alloc_zeroed(sizeof *made, &made));
    made->callbacks = from->callbacks;
    made->library = from->library;
    made->partitioner.partition = from->partitioner.partition;
    made->partitioner.infer = from->partitioner.infer;
    made->partitioner.inspect = from->partitioner.inspect;
    made->partitioner.destroy = free_partitioner;
    struct error *error = custom_partitioner_register(name, size, &made->partitioner);
    if (error)
        alloc_free(made);
    return error;
}

static struct error *check(const JAX_CustomCallPartitioner_Callbacks *callbacks)
{
    int64_t newest = PJRT_API_CUSTOM_PARTITIONER_EXTENSION_VERSION;
    if (callbacks->version < 0 || callbacks->version > newest)
        return ERROR(UNIMPLEMENTED, "the callbacks have version %lld; supported are 0 to %lld",
                     (long long)callbacks->version, (long long)newest);
    if (!callbacks->partition || !callbacks->infer_sharding)
        return ERROR(INVALID_ARGUMENT, "callbacks must have partition and infer_sharding");
    return NULL;
}

static PJRT_Error *register_partitioner(PJRT_Register_Custom_Partitioner_Args *args)
{
    static const char inspecting[] = "InspectSharding";
    NEED_OBJECT(args, name);
    NEED_OBJECT(args, callbacks);
    struct error *error = check(args->callbacks);
    if (error)
        return API_ERROR(error);
    void *library = library_of((void *)(uintptr_t)args->callbacks->partition);
    error = add(inspecting, strlen(inspecting),
                &(struct client_partitioner){.partitioner.inspect = inspect, .library = library});
    if (!error)
        error = add(
            args->name, args->name_size,
            &(struct client_partitioner){.partitioner = {.partition = partition, .infer = infer},
                                         .callbacks = args->callbacks,
                                         .library = library});
    return API_ERROR(error);
}

/* Nothing has to be noted: all calls that declare num_batch_dims are partitioned along these. */
static PJRT_Error *register_batch(PJRT_Register_Batch_Partitionable_Args *args)
{
    NEED_OBJECT(args, name);
    NEED(args, name_size);
    return NULL;
}

PJRT_Custom_Partitioner_Extension ext_custom_partitioner = {
    .base = {.struct_size = PJRT_Custom_Partitioner_Extension_STRUCT_SIZE,
             .type = PJRT_Extension_Type_Custom_Partitioner,
             .next = &ext_memory_descriptions.base},
    .register_custom_partitioner = register_partitioner,
    .register_batch_partitionable = register_batch,
};
