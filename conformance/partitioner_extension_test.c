/* partitioner_extension_test.c: PJRT's CustomPartitioner extension, through the ABI of the built
 * plugin: which of a client's functions are called, with what, on which thread, and what becomes of
 * their errors. Partitioned programs run in JAX's suite (custom_partitioning_test). */
#include "pjrt_c_api_custom_partitioner_extension.h"

#include <pthread.h>
#include <string.h>

#include "conformance/plugin_fixture.h"

static struct test_context t;
static const PJRT_Custom_Partitioner_Extension *extension;

static void open_plugin(void)
{
    setenv("GANTRY_CPU_DEVICES", "4", 1);
    t = plugin_context();
    cr_assert(test_context_open(&t, STAGE_CLIENT));
    const PJRT_Extension_Base *at = t.api->extension_start;
    while (at && at->type != PJRT_Extension_Type_Custom_Partitioner)
        at = at->next;
    cr_assert_not_null(at);
    extension = (const PJRT_Custom_Partitioner_Extension *)at;
}

TestSuite(custom_partitioner_extension, .init = open_plugin);

/* ---- the client's functions ------------------------------------------------------------------ */

/* OpSharding: two tiles of the first dimension, each on two of four devices. */
static char rows[] = "\x08\x03\x1a\x03\x02\x01\x02\x4a\x01\x04\x52\x01\x00\x30\x01";
static char shard[] = "func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
                      "  %0 = stablehlo.add %a, %a : tensor<4x4xf32>\n"
                      "  return %0 : tensor<4x4xf32>\n}\n";

static struct calls {
    int partitioned, cleaned, freed;
    pthread_t thread;
    size_t operands;
    char config[16];
    const char *error; /* to answer with */
} calls;

static JAX_CustomCallPartitioner_string sharding_of_rows = {rows, sizeof rows - 1};

static void clean(void *data)
{
    calls.cleaned += data == &calls;
}

static void partition(JAX_CustomCallPartitioner_Callbacks *self,
                      JAX_CustomCallPartitioner_Partition_Args *args)
{
    (void)self;
    calls.partitioned++;
    calls.thread = pthread_self();
    calls.operands = args->num_args;
    snprintf(calls.config, sizeof calls.config, "%.*s", (int)args->backend_config.size,
             args->backend_config.data);
    args->header.data = &calls;
    args->header.cleanup_fn = clean;
    args->header.has_error = calls.error != NULL;
    if (calls.error) {
        args->header.code = PJRT_Error_Code_FAILED_PRECONDITION;
        args->header.error_msg =
            (JAX_CustomCallPartitioner_string){calls.error, strlen(calls.error)};
        return;
    }
    args->mlir_module = (JAX_CustomCallPartitioner_string){shard, sizeof shard - 1};
    args->args_sharding = &sharding_of_rows;
    args->result_sharding = sharding_of_rows;
}

static void infer(JAX_CustomCallPartitioner_Callbacks *self,
                  JAX_CustomCallPartitioner_InferShardingFromOperands_Args *args)
{
    (void)self;
    args->has_result_sharding = false;
}

static void drop(JAX_CustomCallPartitioner_Callbacks *self)
{
    calls.freed++;
    free(self);
}

static JAX_CustomCallPartitioner_Callbacks *callbacks(void)
{
    JAX_CustomCallPartitioner_Callbacks *made = calloc(1, sizeof *made);
    *made = (JAX_CustomCallPartitioner_Callbacks){
        .version = 0, .dtor = drop, .partition = partition, .infer_sharding = infer};
    return made;
}

static struct error *register_as(const char *name, JAX_CustomCallPartitioner_Callbacks *functions)
{
    PJRT_Register_Custom_Partitioner_Args args = {
        .struct_size = PJRT_Register_Custom_Partitioner_Args_STRUCT_SIZE,
        .name = name,
        .name_size = strlen(name),
        .callbacks = functions};
    return abi_error(t.api, extension->register_custom_partitioner(&args));
}

/* ---- compiling ------------------------------------------------------------------------------- */
#define PROGRAM(call)                                                                              \
    "module @m attributes {mhlo.num_partitions = 4 : i32} {\n"                                     \
    "  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"                                                    \
    "  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) " \
    "-> tensor<8x4xf32> {\n    %0 = stablehlo.custom_call " call                                   \
    " : (tensor<8x4xf32>) -> tensor<8x4xf32>\n    return %0 : tensor<8x4xf32>\n  }\n}\n"

static struct error *compile(const char *text)
{
    /* 1 replica, 4 partitions, use_spmd_partitioning */
    static const char options[] = {0x1a, 6, 0x20, 1, 0x28, 4, 0x30, 1};
    struct abi_program program = {text, strlen(text), "mlir", options, sizeof options};
    PJRT_LoadedExecutable *loaded;
    TRY(abi_compile(t.api, t.client, &program, &loaded));
    ABI_ARGS(LoadedExecutable_Destroy, args, .executable = loaded);
    return abi_error(t.api, t.api->PJRT_LoadedExecutable_Destroy(&args));
}

static void expect(struct error *error, PJRT_Error_Code code, const char *words)
{
    cr_assert_not_null(error, "%s", words);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect_not_null(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

static void expect_ok(struct error *error)
{
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
}

/* Python's functions need the interpreter that the calling thread holds. */
Test(custom_partitioner_extension, functions_run_on_the_thread_that_compiles)
{
    expect_ok(register_as("twice", callbacks()));
    expect_ok(compile(PROGRAM("@twice(%a) {backend_config = \"7\"}")));
    cr_expect_eq(calls.partitioned, 1);
    cr_expect_eq(calls.cleaned, 1);
    cr_expect_eq(calls.operands, 1);
    cr_expect(pthread_equal(calls.thread, pthread_self()));
    cr_expect_str_eq(calls.config, "7");
}

Test(custom_partitioner_extension, its_errors_are_those_of_the_compilation)
{
    calls.error = "only rows can be doubled";
    expect_ok(register_as("twice", callbacks()));
    expect(compile(PROGRAM("@twice(%a)")), PJRT_Error_Code_FAILED_PRECONDITION,
           "custom call @twice: only rows can be doubled");
    cr_expect_eq(calls.cleaned, 1);
}

Test(custom_partitioner_extension, a_replaced_partitioner_is_freed)
{
    expect_ok(register_as("twice", callbacks()));
    expect_ok(compile(PROGRAM("@twice(%a)")));
    expect_ok(register_as("twice", callbacks()));
    cr_expect_eq(calls.freed, 1);
    expect_ok(compile(PROGRAM("@twice(%a)")));
    cr_expect_eq(calls.partitioned, 2);
}

Test(custom_partitioner_extension, wrong_arguments_are_refused)
{
    JAX_CustomCallPartitioner_Callbacks *mine = callbacks();
    expect(register_as("", mine), PJRT_Error_Code_INVALID_ARGUMENT, "0 bytes");
    expect(register_as("twice", NULL), PJRT_Error_Code_INVALID_ARGUMENT, "callbacks");
    mine->version = 9;
    expect(register_as("twice", mine), PJRT_Error_Code_UNIMPLEMENTED, "version 9");
    mine->version = 0;
    mine->partition = NULL;
    expect(register_as("twice", mine), PJRT_Error_Code_INVALID_ARGUMENT, "partition");
    cr_expect_eq(calls.freed, 0, "they are the client's");
    free(mine);
}

/* ---- InspectSharding ------------------------------------------------------------------------- */

/* The address of a function that no client has registered. */
Test(custom_partitioner_extension, a_program_cannot_choose_what_code_runs)
{
    static const char program[] = PROGRAM(
        "@InspectSharding(%a) {has_side_effect = true, backend_config = \"0123456789abcdef\"}");
    expect_ok(register_as("twice", callbacks()));
    expect(compile(program), PJRT_Error_Code_PERMISSION_DENIED, "not in the client's library");
    expect(compile(PROGRAM("@InspectSharding(%a) {backend_config = \"01\"}")),
           PJRT_Error_Code_INVALID_ARGUMENT, "2 bytes");
}

Test(custom_partitioner_extension, calls_by_batch_need_a_name)
{
    PJRT_Register_Batch_Partitionable_Args args = {
        .struct_size = PJRT_Register_Batch_Partitionable_Args_STRUCT_SIZE,
        .name = "f",
        .name_size = 1};
    expect_ok(abi_error(t.api, extension->register_batch_partitionable(&args)));
    args.name = NULL;
    expect(abi_error(t.api, extension->register_batch_partitionable(&args)),
           PJRT_Error_Code_INVALID_ARGUMENT, "name");
}
