/* execute_rules.c: area 13, sections 1 to 3: results, arguments, mistakes. */
#include <string.h>

#include "conformance/rules/sample_programs.h"

/* ---- 13.1 Results of programs ---------------------------------------------------------------- */

void rule_execute_adds(struct rule_context *t)
{
    known_program_run(t, "add", "mlirbc");
}

void rule_execute_multiplies_matrices(struct rule_context *t)
{
    known_program_run(t, "matmul", "mlirbc");
}

void rule_execute_differentiates(struct rule_context *t)
{
    known_program_run(t, "mlp_grad", "mlirbc");
}

void rule_execute_loops(struct rule_context *t)
{
    known_program_run(t, "loop", "mlirbc");
}

void rule_execute_sorts(struct rule_context *t)
{
    known_program_run(t, "sort", "mlirbc");
}

void rule_execute_computes_large_arrays(struct rule_context *t)
{
    known_program_run(t, "large", "mlirbc");
}

static PJRT_Buffer *upload_matrix(struct rule_context *t, int64_t rows, int64_t columns)
{
    static float values[512];
    const int64_t dims[] = {rows, columns};
    PJRT_Buffer *buffer = NULL;
    for (int i = 0; i < 512; i++)
        values[i] = 1.0F / (float)(i + 1);
    CHECK_OK(t,
             rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 2, dims, values}, &buffer));
    return buffer;
}

void rule_execute_repeats_bits(struct rule_context *t)
{
    float first[16 * 8], next[16 * 8];
    NEED_PROGRAM(t, executable, "matmul.mlirbc");
    PJRT_Buffer *inputs[] = {upload_matrix(t, 16, 32), upload_matrix(t, 32, 8)}, *result;
    for (int i = 0; i < 20; i++) {
        NEED_OK(t, rule_execute(t, executable, inputs, 2, &result, 1));
        NEED_OK(t, rule_download(t, result, i ? next : first, sizeof first));
        CHECK(t, !i || !memcmp(first, next, sizeof first), "run %d gives other bits", i);
        DESTROY(t, Buffer, buffer, result);
    }
    DESTROY(t, Buffer, buffer, inputs[0]);
    DESTROY(t, Buffer, buffer, inputs[1]);
    DESTROY(t, LoadedExecutable, executable, executable);
}

/* ---- 13.2 Arguments and results -------------------------------------------------------------- */

void rule_execute_takes_no_arguments(struct rule_context *t)
{
    known_program_run(t, "constants", "mlirbc");
}

void rule_execute_gives_no_results(struct rule_context *t)
{
    PJRT_Buffer *none[1];
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "no_results.mlirbc");
    for (int i = 0; i < 3; i++)
        NEED_OK(t, rule_execute(t, executable, &buffer, 1, none, 0));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_gives_many_results(struct rule_context *t)
{
    PJRT_Buffer *results[3];
    const float zero = 0;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "three_results.mlirbc"); /* 2 x, x, 0 */
    NEED_OK(t, rule_execute(t, executable, &buffer, 1, results, 3));
    CHECK(t, results[0] != results[1] && results[1] != results[2], "two results are one buffer");
    sample_check_times(t, results[0], 2);
    sample_check(t, results[1]);
    rule_check_floats(t, results[2], &zero, 1);
    for (int i = 0; i < 3; i++)
        DESTROY(t, Buffer, buffer, results[i]);
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_keeps_its_arguments(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    for (int i = 0; i < 10; i++) {
        NEED_OK(t, rule_execute(t, executable, &buffer, 1, &result, 1));
        sample_check_times(t, result, 2);
        sample_check(t, buffer);
        DESTROY(t, Buffer, buffer, result);
    }
    CHECK(t, !buffer_is_deleted(t, buffer), "the argument is deleted");
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_gives_new_buffers(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "identity.mlirbc");
    NEED_OK(t, rule_execute(t, executable, &buffer, 1, &result, 1));
    CHECK(t, result != buffer, "the result is the argument, which has two owners");
    CHECK_OK(t, buffer_delete(t, buffer));
    CHECK(t, !buffer_is_deleted(t, result), "the result is deleted together with the argument");
    DESTROY(t, Buffer, buffer, buffer);
    sample_check(t, result);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_takes_one_buffer_twice(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    NEED_OK(t, execute_two(t, executable, buffer, buffer, &result));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_takes_unused_arguments(struct rule_context *t)
{
    const int64_t dims[] = {3};
    const int32_t unused[3] = {1, 2, 3};
    PJRT_Buffer *other, *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "second.mlirbc");
    NEED_OK(t, rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_S32, 1, dims, unused}, &other));
    NEED_OK(t, execute_two(t, executable, other, buffer, &result));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, other);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_takes_empty_arrays(struct rule_context *t)
{
    const int64_t dims[] = {0, 4};
    const float zeros[4] = {0};
    PJRT_Buffer *empty, *results[2];
    NEED_PROGRAM(t, executable, "empty.mlirbc"); /* 2 x, the sums of x's columns */
    NEED_OK(t, rule_upload(t, &(struct rule_array){PJRT_Buffer_Type_F32, 2, dims, zeros}, &empty));
    NEED_OK(t, rule_execute(t, executable, &empty, 1, results, 2));
    ARGS(t, Buffer_Dimensions, shape, .buffer = results[0]);
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, shape.num_dims == 2 && shape.dims[0] == 0 && shape.dims[1] == 4, "other dimensions");
    rule_check_floats(t, results[1], zeros, 4);
    for (int i = 0; i < 2; i++)
        DESTROY(t, Buffer, buffer, results[i]);
    DESTROY(t, Buffer, buffer, empty);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_takes_results(struct rule_context *t)
{
    PJRT_Buffer *first, *second;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    NEED_OK(t, execute_one(t, executable, buffer, &first));
    NEED_OK(t, execute_one(t, executable, first, &second));
    sample_check_times(t, second, 4);
    sample_check_times(t, first, 2);
    DESTROY(t, Buffer, buffer, first);
    DESTROY(t, Buffer, buffer, second);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

static bool is_unimplemented(struct error *error)
{
    bool is = error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED;
    if (is)
        error_free(error);
    return is;
}

/* Rule 12.3.6 is about plugins that do not know the kinds. */
static void check_kind(struct rule_context *t, PJRT_Executable *executable, PJRT_Buffer *result)
{
    ARGS(t, Executable_OutputMemoryKinds, kinds, .executable = executable);
    ARGS(t, Memory_Kind, kind, .memory = buffer_memory(t, result));
    struct error *error = CALL(t, Executable_OutputMemoryKinds, &kinds);
    if (is_unimplemented(error))
        return;
    NEED_OK(t, error);
    NEED_OK(t, CALL(t, Memory_Kind, &kind));
    CHECK(t,
          kinds.num_outputs == 1 && kinds.memory_kind_sizes[0] == kind.kind_size &&
              !memcmp(kinds.memory_kinds[0], kind.kind, kind.kind_size),
          "the result is in '%.*s'", (int)kind.kind_size, kind.kind);
}

void rule_execute_puts_results_on_the_device(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_EXECUTABLE(t, loaded, executable, "twice.mlirbc");
    ARGS(t, LoadedExecutable_AddressableDevices, devices, .executable = loaded);
    NEED_OK(t, CALL(t, LoadedExecutable_AddressableDevices, &devices));
    NEED(t, devices.num_addressable_devices == 1, "%zu devices", devices.num_addressable_devices);
    NEED_OK(t, execute_one(t, loaded, buffer, &result));
    CHECK(t, buffer_device(t, result) == devices.addressable_devices[0],
          "the result is on another device");
    check_kind(t, executable, result);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    executable_destroy(t, loaded, executable);
}

/* ---- 13.3 Mistakes --------------------------------------------------------------------------- */

/* Executes "sum" with so many arguments, the first two of them given, which must fail. */
static void check_rejected(struct rule_context *t, PJRT_LoadedExecutable *executable,
                           PJRT_Buffer *first, PJRT_Buffer *second, size_t count)
{
    PJRT_Buffer *const inputs[] = {first, second, first, first};
    struct execution execution = {executable, inputs, count, NULL, NULL, 0, NULL, NULL};
    CHECK_ERROR(t, execute_fails(t, &execution));
}

void rule_execute_rejects_few_arguments(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    check_rejected(t, executable, buffer, buffer, 0);
    check_rejected(t, executable, buffer, buffer, 1);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_rejects_many_arguments(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    check_rejected(t, executable, buffer, buffer, 3);
    check_rejected(t, executable, buffer, buffer, 4);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_rejects_other_shapes(struct rule_context *t)
{
    PJRT_Buffer *shorter, *longer;
    static const float values[2 * SAMPLE];
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    NEED_OK(t, rule_upload_floats(t, values, SAMPLE / 2, &shorter));
    NEED_OK(t, rule_upload_floats(t, values, SAMPLE * 2, &longer));
    check_rejected(t, executable, buffer, shorter, 2);
    check_rejected(t, executable, longer, buffer, 2);
    PJRT_Buffer *const all[] = {buffer, shorter, longer};
    for (int i = 0; i < 3; i++)
        DESTROY(t, Buffer, buffer, all[i]);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_rejects_other_types(struct rule_context *t)
{
    static const int32_t values[SAMPLE];
    PJRT_Buffer *integers;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    struct rule_array array = {PJRT_Buffer_Type_S32, 1, sample_dims, values};
    NEED_OK(t, rule_upload(t, &array, &integers));
    check_rejected(t, executable, buffer, integers, 2);
    DESTROY(t, Buffer, buffer, integers);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_rejects_missing_arguments(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    check_rejected(t, executable, buffer, NULL, 2);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_rejects_other_clients(struct rule_context *t)
{
    PJRT_Buffer *theirs;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    struct rule_context other = *t;
    other.client = NULL;
    if (!rule_open_client(&other)) /* skips the rule */
        return;
    NEED_OK(t, sample_upload(&other, &theirs));
    check_rejected(t, executable, buffer, theirs, 2);
    DESTROY(t, Buffer, buffer, theirs);
    rule_close(&other);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

static struct error *execute_on(struct rule_context *t, PJRT_LoadedExecutable *executable,
                                PJRT_Buffer *buffer, size_t device_count)
{
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor)};
    PJRT_Buffer *const inputs[] = {buffer, buffer}, *const * lists[] = {inputs, inputs};
    PJRT_Buffer *results[2] = {NULL, NULL}, **outputs[] = {&results[0], &results[1]};
    ARGS(t, LoadedExecutable_Execute, args, .executable = executable, .options = &options,
         .argument_lists = lists, .num_devices = device_count, .num_args = 2,
         .output_lists = outputs);
    TRY(CALL(t, LoadedExecutable_Execute, &args));
    DESTROY(t, Buffer, buffer, results[0]);
    DESTROY(t, Buffer, buffer, results[1]);
    return NULL;
}

void rule_execute_rejects_other_numbers_of_devices(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum.mlirbc");
    CHECK_ERROR(t, execute_on(t, executable, buffer, 2));
    CHECK_ERROR(t, execute_on(t, executable, buffer, 0));
    CHECK_OK(t, execute_on(t, executable, buffer, 1));
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_survives_mistakes(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "sum_donated.mlirbc");
    for (int i = 0; i < 5; i++)
        check_rejected(t, executable, buffer, buffer, 1);
    CHECK(t, !buffer_is_deleted(t, buffer), "a call that failed has deleted its argument");
    NEED_SAMPLE(t, other);
    NEED_OK(t, execute_two(t, executable, buffer, other, &result));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, other);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}
