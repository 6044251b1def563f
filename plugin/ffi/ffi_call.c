/* ffi_call.c: see ffi_call.h. A call site of a program stores its attributes in the form that
 * handlers expect; a call only fills in addresses. */
#include "plugin/ffi/ffi_call.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/log.h"
#include "devices/host/custom_call.h"
#include "plugin/ffi/ffi_api.h"
#include "plugin/ffi/ffi_pack.h"

enum { MAX_NAME = 4096 }; /* bytes */

enum { STACK_VALUES = 24 }; /* operands and results that fit on the stack */

struct handler {
    XLA_FFI_Handler *stages[4];
    const XLA_FFI_Api *tables[4]; /* of the version that each stage was built for */
};

struct site {
    struct arena *arena;          /* memory of the attributes; owned */
    const struct call_spec *spec; /* borrowed from the program */
    XLA_FFI_Attrs attrs;
    struct ffi_state state;
};

/* ---- types ----------------------------------------------------------------------------------- */
static XLA_FFI_DataType data_type(enum dtype dtype)
{
    static const XLA_FFI_DataType types[DTYPE_COUNT] = {
#define TYPE(name) [DTYPE_##name] = XLA_FFI_DataType_##name
        TYPE(PRED),       TYPE(S2),       TYPE(S4),
        TYPE(S8),         TYPE(S16),      TYPE(S32),
        TYPE(S64),        TYPE(U2),       TYPE(U4),
        TYPE(U8),         TYPE(U16),      TYPE(U32),
        TYPE(U64),        TYPE(F4E2M1FN), TYPE(F8E3M4),
        TYPE(F8E4M3),     TYPE(F8E4M3FN), TYPE(F8E4M3B11FNUZ),
        TYPE(F8E4M3FNUZ), TYPE(F8E5M2),   TYPE(F8E5M2FNUZ),
        TYPE(F8E8M0FNU),  TYPE(BF16),     TYPE(F16),
        TYPE(F32),        TYPE(F64),      TYPE(C64),
        TYPE(C128),       TYPE(TOKEN)
#undef TYPE
    };
    return types[dtype];
}

/* ---- attributes ------------------------------------------------------------------------------ */
static XLA_FFI_Attrs attrs_of(struct arena *arena, int count, const struct call_attribute *list);

static void *attr_of(struct arena *arena, const struct call_attribute *from, XLA_FFI_AttrType *type)
{
    XLA_FFI_Scalar *scalar;
    XLA_FFI_Array *array;
    XLA_FFI_ByteSpan *text;
    XLA_FFI_Attrs *dictionary;
    switch (from->kind) {
    case CALL_SCALAR:
        *type = XLA_FFI_AttrType_SCALAR;
        scalar = ARENA_NEW(arena, XLA_FFI_Scalar);
        *scalar = (XLA_FFI_Scalar){data_type(from->dtype), from->data};
        return scalar;
    case CALL_ARRAY:
        *type = XLA_FFI_AttrType_ARRAY;
        array = ARENA_NEW(arena, XLA_FFI_Array);
        *array = (XLA_FFI_Array){data_type(from->dtype), from->elements, from->data};
        return array;
    case CALL_STRING:
        *type = XLA_FFI_AttrType_STRING;
        text = ARENA_NEW(arena, XLA_FFI_ByteSpan);
        *text = (XLA_FFI_ByteSpan){from->data, from->size};
        return text;
    case CALL_DICTIONARY: break;
    }
    *type = XLA_FFI_AttrType_DICTIONARY;
    dictionary = ARENA_NEW(arena, XLA_FFI_Attrs);
    *dictionary = attrs_of(arena, from->count, from->entries);
    return dictionary;
}

static XLA_FFI_Attrs attrs_of(struct arena *arena, int count, const struct call_attribute *list)
{
    XLA_FFI_Attrs attrs = {.struct_size = XLA_FFI_Attrs_STRUCT_SIZE, .size = count};
    attrs.types = ARENA_ARRAY(arena, XLA_FFI_AttrType, count);
    attrs.names = ARENA_ARRAY(arena, XLA_FFI_ByteSpan *, count);
    attrs.attrs = ARENA_ARRAY(arena, void *, count);
    for (int i = 0; i < count; i++) {
        attrs.names[i] = ARENA_NEW(arena, XLA_FFI_ByteSpan);
        *attrs.names[i] = (XLA_FFI_ByteSpan){list[i].name, list[i].name_size};
        attrs.attrs[i] = attr_of(arena, &list[i], &attrs.types[i]);
    }
    return attrs;
}

static struct error *build_attrs(void *context)
{
    struct site *site = context;
    site->attrs = attrs_of(site->arena, site->spec->attribute_count, site->spec->attributes);
    return NULL;
}

/* ---- calling --------------------------------------------------------------------------------- */
static XLA_FFI_CallFrame empty_frame(void)
{
    return (XLA_FFI_CallFrame){.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE,
                               .args.struct_size = XLA_FFI_Args_STRUCT_SIZE,
                               .rets.struct_size = XLA_FFI_Rets_STRUCT_SIZE,
                               .attrs.struct_size = XLA_FFI_Attrs_STRUCT_SIZE};
}

static struct error *call_stage(const struct handler *handler, XLA_FFI_ExecutionStage stage,
                                XLA_FFI_CallFrame *frame)
{
    if (!handler->stages[stage])
        return NULL;
    frame->api = handler->tables[stage];
    frame->stage = stage;
    frame->future = NULL;
    struct error *error = ffi_api_error(handler->stages[stage](frame));
    return frame->future ? error_join(error, ffi_api_await(frame->future)) : error;
}

static void drop(void *opaque)
{
    struct site *site = opaque;
    ffi_state_drop(&site->state);
    arena_destroy(site->arena);
    alloc_free(site);
}

static struct error *instantiate(const void *user, const struct call_spec *spec, void **out)
{
    struct site *site;
    XLA_FFI_CallFrame frame = empty_frame();
    TRY(alloc_zeroed(sizeof *site, &site));
    site->spec = spec;
    struct error *error = arena_create(&site->arena);
    if (!error)
        error = arena_run(site->arena, build_attrs, site);
    XLA_FFI_InvokeContext context = {.states = {&site->state}};
    frame.ctx = &context;
    frame.attrs = site->attrs;
    if (!error)
        error = call_stage(user, XLA_FFI_ExecutionStage_INSTANTIATE, &frame);
    if (error)
        drop(site);
    else
        *out = site;
    return error;
}

struct values { /* of one call, as handlers see them */
    XLA_FFI_Buffer *buffers;
    void **places;
    int *types;
};

static void fill(const struct custom_call *call, void *const *data, const struct values *values)
{
    for (int i = 0; i < call->spec->value_count; i++) {
        const struct call_value *value = &call->spec->values[i];
        values->buffers[i] =
            (XLA_FFI_Buffer){.struct_size = XLA_FFI_Buffer_STRUCT_SIZE,
                             .dtype = data_type(value->shape.dtype),
                             .data = data[i],
                             .rank = value->shape.rank,
                             .dims = (int64_t *)value->shape.dims}; /* not const in the ABI */
        values->places[i] = &values->buffers[i];
        values->types[i] = XLA_FFI_ArgType_BUFFER;
    }
}
_Static_assert(XLA_FFI_ArgType_BUFFER == (int)XLA_FFI_RetType_BUFFER &&
                   sizeof(XLA_FFI_ArgType) == sizeof(int),
               "operands and results share an array of types");

static struct error *run_stages(const struct handler *handler, const struct custom_call *call,
                                void *const *data, const struct values *values)
{
    struct site *site = call->state;
    struct ffi_state prepared = {0}, initialized = {0};
    XLA_FFI_InvokeContext context = {.call = call,
                                     .states = {&site->state, &prepared, &initialized}};
    XLA_FFI_CallFrame frame = empty_frame();
    int operands = call->spec->operand_count;
    fill(call, data, values);
    frame.ctx = &context;
    frame.attrs = site->attrs;
    frame.args.size = operands;
    frame.args.types = (XLA_FFI_ArgType *)values->types;
    frame.args.args = values->places;
    frame.rets.size = call->spec->value_count - operands;
    frame.rets.types = (XLA_FFI_RetType *)values->types + operands;
    frame.rets.rets = values->places + operands;
    struct error *error = call_stage(handler, XLA_FFI_ExecutionStage_PREPARE, &frame);
    if (!error)
        error = call_stage(handler, XLA_FFI_ExecutionStage_INITIALIZE, &frame);
    if (!error)
        error = call_stage(handler, XLA_FFI_ExecutionStage_EXECUTE, &frame);
    ffi_state_drop(&initialized);
    ffi_state_drop(&prepared);
    return error;
}

static struct error *run_on_heap(const struct handler *handler, const struct custom_call *call,
                                 void *const *data)
{
    struct values values;
    size_t count = (size_t)call->spec->value_count;
    char *block;
    TRY(alloc_array(count, sizeof *values.buffers + sizeof *values.places + sizeof *values.types,
                    &block));
    values.buffers = (XLA_FFI_Buffer *)block;
    values.places = (void **)(values.buffers + count);
    values.types = (int *)(values.places + count);
    struct error *error = run_stages(handler, call, data, &values);
    alloc_free(block);
    return error;
}

static struct error *run(const void *user, const struct custom_call *call)
{
    XLA_FFI_Buffer buffers[STACK_VALUES];
    void *places[STACK_VALUES];
    int types[STACK_VALUES];
    struct values values = {buffers, places, types};
    struct ffi_pack pack;
    TRY(ffi_pack_begin(call, &pack));
    struct error *error = call->spec->value_count > STACK_VALUES
                              ? run_on_heap(user, call, pack.data)
                              : run_stages(user, call, pack.data, &values);
    ffi_pack_end(call, &pack, !error);
    return error;
}

/* ---- registering ----------------------------------------------------------------------------- */
static struct error *unsupported_version(const XLA_FFI_Api_Version *version)
{
    return ERROR(UNIMPLEMENTED,
                 "the handler is for version %d.%d of XLA's FFI; supported are 0.1 to %d.%d: use a "
                 "client of that version, or a newer Gantry",
                 version->major_version, version->minor_version, XLA_FFI_API_MAJOR,
                 XLA_FFI_API_MINOR);
}

static const XLA_FFI_Api *newest_table(void)
{
    return ffi_api_table(&(const XLA_FFI_Api_Version){.major_version = XLA_FFI_API_MAJOR,
                                                      .minor_version = XLA_FFI_API_MINOR});
}

/* Queries the handler's metadata; the table of its version. */
static struct error *query(XLA_FFI_Handler *handler, const XLA_FFI_Api **out)
{
    XLA_FFI_Metadata metadata = {.struct_size = sizeof metadata,
                                 .api_version.struct_size = XLA_FFI_Api_Version_STRUCT_SIZE};
    XLA_FFI_Metadata_Extension extension = {
        .extension_base = {.struct_size = XLA_FFI_Metadata_Extension_STRUCT_SIZE,
                           .type = XLA_FFI_Extension_Metadata},
        .metadata = &metadata};
    XLA_FFI_CallFrame frame = empty_frame();
    frame.extension_start = &extension.extension_base;
    frame.api = newest_table();
    TRY(ffi_api_error(handler(&frame)));
    *out = ffi_api_table(&metadata.api_version);
    return *out ? NULL : unsupported_version(&metadata.api_version);
}

static bool is_platform(const char *platform, size_t size)
{
    static const char *const known[] = {"cpu", "host", "tpu", "gantry", "gantrytpu", "gantry_tpu"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == size && !strncasecmp(known[i], platform, size))
            return true;
    return false;
}

/* Python callbacks: of gantry_pjrt, and of jaxlib in programs lowered without a backend. */
static bool is_python_callback(const char *target, size_t size)
{
    static const char *const known[] = {
        "gantry_python_callback", "gantry_python_callback_per_shard", "xla_ffi_python_cpu_callback",
        "xla_ffi_partitioned_python_cpu_callback"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == size && !memcmp(known[i], target, size))
            return true;
    return false;
}

static struct error *add(const char *target, size_t size, const struct handler *stages)
{
    struct handler *handler;
    TRY(alloc_zeroed(sizeof *handler, &handler));
    *handler = *stages;
    struct custom_call_handler entry = {.run = run,
                                        .instantiate = instantiate,
                                        .drop = drop,
                                        .user = handler,
                                        .foreign = true,
                                        .synchronous = is_python_callback(target, size)};
    struct error *error = custom_call_register(target, size, &entry);
    if (error)
        alloc_free(handler);
    return error;
}

static struct error *check(const char *target, size_t size, const char *platform,
                           size_t platform_size, const XLA_FFI_Handler_Bundle *bundle)
{
    if (!target || !size || !bundle->execute)
        return ERROR(INVALID_ARGUMENT,
                     "a handler needs a name, and a function for the stage execute");
    if (size > MAX_NAME || platform_size > MAX_NAME)
        return ERROR(INVALID_ARGUMENT,
                     "the names of a handler and its platform have %zu and %zu bytes; at most %d "
                     "are allowed",
                     size, platform_size, MAX_NAME);
    if (!platform || !is_platform(platform, platform_size))
        return ERROR(INVALID_ARGUMENT, "platform %.*s: only handlers for cpu and tpu are supported",
                     (int)platform_size, platform ? platform : "");
    return NULL;
}

/* Logs an error, which the client may ignore. JAX hands over all of its handlers, also those of
 * names that are built in: such an error is for debugging only. */
static struct error *refused(const char *target, size_t size, struct error *error)
{
    enum log_level level =
        error_code(error) == PJRT_Error_Code_ALREADY_EXISTS ? LOG_DEBUG : LOG_INFO;
    if (error && log_enabled(level))
        log_message(level, "the custom-call handler %.*s is refused: %s",
                    size < MAX_NAME ? (int)size : MAX_NAME, target ? target : "",
                    error_message(error, NULL));
    return error;
}

struct error *ffi_call_register(const char *target, size_t size, const char *platform,
                                size_t platform_size, const XLA_FFI_Handler_Bundle *bundle)
{
    struct handler handler = {
        {bundle->instantiate, bundle->prepare, bundle->initialize, bundle->execute}, {0}};
    struct error *error = check(target, size, platform, platform_size, bundle);
    for (int i = 0; i < 4 && !error; i++)
        if (handler.stages[i])
            error = error_prefix(query(handler.stages[i], &handler.tables[i]), "custom call %.*s",
                                 (int)size, target);
    if (!error)
        error = add(target, size, &handler);
    return refused(target, size, error);
}
