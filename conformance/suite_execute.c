/* suite_execute.c: programs with known results, donation, and the properties of executables. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

/* ---- Results --------------------------------------------------------------------------------- */

#define PROGRAM(name, ...)                                                                         \
    static void name##_result(struct test_context *t)                                              \
    {                                                                                              \
        CHECK_OK(t, test_context_run_program(t, PROGRAM_##name));                                  \
    }
#include "conformance/programs/programs.def"
#undef PROGRAM

/* Equal arguments give bitwise equal results in every run. */
static void same_bits(struct test_context *t)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *arguments[5], *results[4];
    size_t size = 8 * 16 * sizeof(float);
    char first[8 * 16 * sizeof(float)], next[8 * 16 * sizeof(float)];
    NEED_OK(t, test_context_compile(t, PROGRAM_mlp_grad, &executable));
    NEED_OK(t, test_context_arguments(t, PROGRAM_mlp_grad, arguments));
    for (int run = 0; run < 20; run++) {
        NEED_OK(t, abi_execute(t->api, executable, arguments, 5, results, 4));
        CHECK_OK(t, abi_download(t->api, results[1], run ? next : first, size));
        CHECK(t, !run || !memcmp(first, next, size), "run %d gives other bits", run);
        for (int i = 0; i < 4; i++)
            abi_buffer_destroy(t->api, results[i]);
    }
    for (int i = 0; i < 5; i++)
        abi_buffer_destroy(t->api, arguments[i]);
    abi_executable_destroy(t->api, executable);
}

/* Calls are asynchronous: a chain is issued without waiting, its buffers are destroyed on the way,
 * and only the last result is awaited. */
static void chain(struct test_context *t)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *arguments[5];
    float back[4];
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &executable));
    NEED_OK(t, test_context_arguments(t, PROGRAM_add, arguments));
    PJRT_Buffer *sum = arguments[0], *next = NULL;
    for (int i = 0; i < 100; i++) {
        PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
        PJRT_Buffer *pair[] = {sum, arguments[1]}, *const *inputs = pair, **outputs = &next;
        ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options,
                 .argument_lists = &inputs, .num_devices = 1, .num_args = 2,
                 .output_lists = &outputs, .execute_device = i % 2 ? t->device : NULL);
        NEED_OK(t, ABI_CALL(t->api, LoadedExecutable_Execute, &args));
        abi_buffer_destroy(t->api, sum);
        sum = next;
    }
    CHECK_OK(t, abi_download(t->api, sum, back, sizeof back));
    for (size_t i = 0; i < 4; i++)
        CHECK(t, (double)back[i] == test_context_value(DTYPE_F32, i) * 101, "element %zu is %g", i,
              (double)back[i]);
    abi_buffer_destroy(t->api, sum);
    abi_buffer_destroy(t->api, arguments[1]);
    abi_executable_destroy(t->api, executable);
}

/* ---- Donation -------------------------------------------------------------------------------- */

/* Runs "donate", whose first argument is donated unless `not_donated` lists it as not donatable. */
static struct error *run_donating(struct test_context *t, PJRT_LoadedExecutable *executable,
                                  PJRT_Buffer *const *inputs, const int64_t *not_donated,
                                  PJRT_Buffer **out)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE,
                                   .non_donatable_input_indices = not_donated,
                                   .num_non_donatable_input_indices = not_donated ? 1 : 0};
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable, .options = &options,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 2, .output_lists = &out);
    return ABI_CALL(t->api, LoadedExecutable_Execute, &args);
}

static void donation(struct test_context *t)
{
    const int64_t first[] = {0};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *arguments[5], *result = NULL;
    NEED_OK(t, test_context_compile(t, PROGRAM_donate, &executable));
    NEED_OK(t, test_context_arguments(t, PROGRAM_donate, arguments));
    if (CHECK_OK(t, run_donating(t, executable, arguments, first, &result))) {
        CHECK(t, !test_context_is_deleted(t, arguments[0]),
              "an argument that is not donatable is deleted");
        CHECK_OK(t, test_context_compare(t, PROGRAM_donate, &result));
        abi_buffer_destroy(t->api, result);
        result = NULL;
    }
    if (CHECK_OK(t, run_donating(t, executable, arguments, NULL, &result))) {
        CHECK(t, test_context_is_deleted(t, arguments[0]), "a donated argument is not deleted");
        CHECK(t, !test_context_is_deleted(t, arguments[1]),
              "an argument that is not donated is deleted");
        CHECK_OK(t, test_context_compare(t, PROGRAM_donate, &result));
        PJRT_Buffer *none;
        CHECK_CODE(t, FAILED_PRECONDITION, run_donating(t, executable, arguments, NULL, &none));
    }
    PJRT_Buffer *twice[] = {arguments[1], arguments[1]}, *wrong = NULL;
    CHECK_ERROR(t, run_donating(t, executable, twice, NULL, &wrong));
    for (int i = 0; i < 2; i++)
        abi_buffer_destroy(t->api, arguments[i]);
    abi_buffer_destroy(t->api, result);
    abi_executable_destroy(t->api, executable);
}

/* Donation does not overwrite memory with another user: an external reference, or the client's
 * array. */
static void donation_copies_held_bytes(struct test_context *t)
{
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *arguments[5], *result;
    NEED_OK(t, test_context_compile(t, PROGRAM_donate, &executable));
    NEED_OK(t, test_context_arguments(t, PROGRAM_donate, arguments));
    float *host = aligned_alloc(64, 256 * sizeof *host);
    for (size_t i = 0; i < 256; i++)
        host[i] = (float)test_context_value(DTYPE_F32, i);
    const int64_t dims[] = {256};
    ABI_ARGS(Client_BufferFromHostBuffer, put, .client = t->client, .data = host,
             .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 1,
             .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy,
             .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Client_BufferFromHostBuffer, &put));
    PJRT_Buffer *borrowed[] = {put.buffer, arguments[1]};
    if (CHECK_OK(t, run_donating(t, executable, borrowed, NULL, &result))) {
        CHECK_OK(t, test_context_compare(t, PROGRAM_donate, &result));
        abi_buffer_destroy(t->api, result);
    }
    for (size_t i = 0; i < 256; i++)
        CHECK(t, (double)host[i] == test_context_value(DTYPE_F32, i),
              "the client's element %zu was changed", i);
    abi_buffer_destroy(t->api, put.buffer);
    CHECK_OK(t, abi_await(t->api, put.done_with_host_buffer));
    for (int i = 0; i < 2; i++)
        abi_buffer_destroy(t->api, arguments[i]);
    abi_executable_destroy(t->api, executable);
    free(host);
}

/* An argument with an error gives results with that error. */
static void error_argument(struct test_context *t)
{
    const int64_t dims[] = {4};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *results[1];
    ABI_ARGS(Device_DefaultMemory, home, .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &home));
    ABI_ARGS(Client_CreateErrorBuffer, wrong, .client = t->client,
             .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost",
             .error_message_size = 4, .shape_dims = dims, .shape_num_dims = 1,
             .shape_element_type = PJRT_Buffer_Type_F32, .memory = home.memory);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Client_CreateErrorBuffer, &wrong));
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &executable));
    PJRT_Buffer *arguments[] = {wrong.buffer, wrong.buffer};
    CHECK_CODE(t, DATA_LOSS, abi_execute(t->api, executable, arguments, 2, results, 1));
    abi_buffer_destroy(t->api, wrong.buffer);
    abi_executable_destroy(t->api, executable);
}

/* ---- Properties of executables --------------------------------------------------------------- */

static void check_outputs(struct test_context *t, PJRT_Executable *executable)
{
    const struct test_context_program *program = &test_context_programs[PROGRAM_mlp_grad];
    ABI_ARGS(Executable_NumOutputs, count, .executable = executable);
    CHECK_OK(t, ABI_CALL(t->api, Executable_NumOutputs, &count));
    NEED(t, count.num_outputs == program->output_count, "%zu outputs", count.num_outputs);
    ABI_ARGS(Executable_OutputElementTypes, types, .executable = executable);
    ABI_ARGS(Executable_OutputDimensions, dims, .executable = executable);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Executable_OutputElementTypes, &types));
    NEED_SUPPORTED(t, ABI_CALL(t->api, Executable_OutputDimensions, &dims));
    const int64_t *at = dims.dims;
    for (size_t i = 0; i < program->output_count; i++) {
        CHECK(t, types.output_types[i] == dtype_info(program->outputs[i].dtype)->pjrt,
              "type of output %zu", i);
        CHECK(t, dims.dim_sizes[i] == program->outputs[i].rank, "rank of output %zu", i);
        for (size_t k = 0; k < dims.dim_sizes[i]; k++)
            CHECK(t, *at++ == program->outputs[i].dims[k], "dimension %zu of output %zu", k, i);
    }
}

static void executable_facts(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    NEED_OK(t, test_context_compile(t, PROGRAM_mlp_grad, &loaded));
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    NEED_OK(t, ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get));
    ABI_ARGS(Executable_Name, name, .executable = get.executable);
    CHECK_OK(t, ABI_CALL(t->api, Executable_Name, &name));
    CHECK(t, name.executable_name_size, "a program without a name");
    ABI_ARGS(Executable_NumReplicas, replicas, .executable = get.executable);
    ABI_ARGS(Executable_NumPartitions, partitions, .executable = get.executable);
    CHECK_OK(t, ABI_CALL(t->api, Executable_NumReplicas, &replicas));
    CHECK_OK(t, ABI_CALL(t->api, Executable_NumPartitions, &partitions));
    CHECK(t, replicas.num_replicas == 1 && partitions.num_partitions == 1, "not for one device");
    check_outputs(t, get.executable);
    ABI_ARGS(LoadedExecutable_AddressableDevices, devices, .executable = loaded);
    CHECK_OK(t, ABI_CALL(t->api, LoadedExecutable_AddressableDevices, &devices));
    CHECK(t, devices.num_addressable_devices == 1, "%zu devices", devices.num_addressable_devices);
    ABI_ARGS(Executable_GetCompiledMemoryStats, stats, .executable = get.executable);
    struct error *error = ABI_CALL(t->api, Executable_GetCompiledMemoryStats, &stats);
    if (!error) {
        int64_t arguments = 4 * (8 * 16 + 16 + 16 * 4 + 32 * 8 + 32 * 4);
        CHECK(t, stats.argument_size_in_bytes >= arguments, "arguments of %lld bytes",
              (long long)stats.argument_size_in_bytes);
    }
    error_free(error);
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    abi_executable_destroy(t->api, loaded);
}

/* OptimizedProgram is called twice: for the size, then for the bytes. */
static void optimized_program(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &loaded));
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    NEED_OK(t, ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get));
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE};
    ABI_ARGS(Executable_OptimizedProgram, args, .executable = get.executable, .program = &program);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Executable_OptimizedProgram, &args));
    CHECK(t, program.code_size && program.format_size, "no program");
    char *code = malloc(program.code_size + 1);
    memset(code, 0xee, program.code_size + 1);
    program.code = code;
    CHECK_OK(t, ABI_CALL(t->api, Executable_OptimizedProgram, &args));
    CHECK(t, (unsigned char)code[program.code_size] == 0xee, "more is written than was reported");
    free(code);
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    abi_executable_destroy(t->api, loaded);
}

static void deleted_executable(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &loaded));
    ABI_ARGS(LoadedExecutable_Delete, delete, .executable = loaded);
    CHECK_OK(t, ABI_CALL(t->api, LoadedExecutable_Delete, &delete));
    ABI_ARGS(LoadedExecutable_IsDeleted, is, .executable = loaded);
    CHECK_OK(t, ABI_CALL(t->api, LoadedExecutable_IsDeleted, &is));
    CHECK(t, is.is_deleted, "a deleted executable says that it is not");
    CHECK_CODE(t, FAILED_PRECONDITION, test_context_run_once(t, PROGRAM_add, loaded));
    abi_executable_destroy(t->api, loaded);
}

static const struct test_context_case cases[] = {
#define PROGRAM(name, ...) {#name, name##_result, STAGE_CLIENT, 0},
#include "conformance/programs/programs.def"
#undef PROGRAM
    {"same_bits", same_bits, STAGE_CLIENT, 0},
    {"chain", chain, STAGE_CLIENT, 0},
    {"donation", donation, STAGE_CLIENT, 0},
    {"donation_copies_held_bytes", donation_copies_held_bytes, STAGE_CLIENT, 0},
    {"error_argument", error_argument, STAGE_CLIENT, 0},
    {"executable_facts", executable_facts, STAGE_CLIENT, 0},
    {"optimized_program", optimized_program, STAGE_CLIENT, 0},
    {"deleted_executable", deleted_executable, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_execute = {"execute", cases};
