/* sample_programs.c: compile options, executions, programs with known results. */
#include "conformance/rules/sample_programs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/dtype.h"
#include "conformance/cts/embedded.h"

/* ---- Compiling ------------------------------------------------------------------------------- */

PJRT_Executable *executable_of(struct rule_context *t, PJRT_LoadedExecutable *loaded)
{
    ARGS(t, LoadedExecutable_GetExecutable, args, .loaded_executable = loaded);
    CHECK_OK(t, CALL(t, LoadedExecutable_GetExecutable, &args));
    return args.executable;
}

void executable_destroy(struct rule_context *t, PJRT_LoadedExecutable *loaded,
                        PJRT_Executable *executable)
{
    DESTROY(t, Executable, executable, executable);
    DESTROY(t, LoadedExecutable, executable, loaded);
}

/* Protobuf: a tag or a number below 2^14; a field of bytes with its size. */
static char *put_number(char *at, int number)
{
    if (number > 127)
        *at++ = (char)(number | 0x80), number >>= 7;
    *at++ = (char)number;
    return at;
}

static char *put_field(char *at, char tag, int number)
{
    *at++ = tag;
    return put_number(at, number);
}

static char *put_bytes(char *at, char tag, const char *bytes, size_t size)
{
    at = put_field(at, tag, (int)size);
    memcpy(at, bytes, size);
    return at + size;
}

/* xla.DeviceAssignmentProto: the devices of each partition. */
static size_t put_assignment(const struct build *build, char *out)
{
    char *at = put_field(put_field(out, 0x08, build->replicas), 0x10, build->partitions);
    for (int p = 0; p < build->partitions; p++) {
        char ids[64], inner[80], *end = ids;
        for (int r = 0; r < build->replicas && r < 16; r++)
            end = put_number(end, build->devices[r * build->partitions + p]);
        size_t size = (size_t)(put_bytes(inner, 0x0a, ids, (size_t)(end - ids)) - inner);
        at = put_bytes(at, 0x1a, inner, size);
    }
    return (size_t)(at - out);
}

size_t build_options(const struct build *build, char out[BUILD_BYTES])
{
    char inner[BUILD_BYTES / 2], assignment[BUILD_BYTES / 4];
    char *at = put_field(put_field(inner, 0x20, build->replicas), 0x28, build->partitions);
    if (build->partitions > 1)
        at = put_field(at, 0x30, 1); /* use_spmd_partitioning */
    if (build->devices)
        at = put_bytes(at, 0x4a, assignment, put_assignment(build, assignment));
    at = put_bytes(out, 0x1a, inner, (size_t)(at - inner));
    if (build->portable)
        at = put_field(at, 0x20, 1);
    return (size_t)(at - out);
}

struct error *build_file(struct rule_context *t, const char *name, const struct build *build,
                         PJRT_LoadedExecutable **out)
{
    char options[BUILD_BYTES];
    const struct embedded_file *file = embedded_find(name);
    *out = NULL;
    if (!file)
        return ERROR(NOT_FOUND, "the suite has no program %s", name);
    struct rule_program program = {.code = file->bytes,
                                   .size = file->size,
                                   .format = "mlir",
                                   .options = options,
                                   .options_size = build_options(build, options)};
    return error_prefix(rule_compile(t, &program, out), "%s", name);
}

/* ---- Executing ------------------------------------------------------------------------------- */

struct error *execution_start(struct rule_context *t, const struct execution *execution,
                              PJRT_Buffer **outputs)
{
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor),
                                   .launch_id = execution->launch_id,
                                   .non_donatable_input_indices = execution->not_donated,
                                   .num_non_donatable_input_indices = !!execution->not_donated,
                                   .context = execution->context};
    PJRT_Buffer *const *inputs = execution->inputs;
    ARGS(t, LoadedExecutable_Execute, args, .executable = execution->executable,
         .options = &options, .argument_lists = &inputs, .num_devices = 1,
         .num_args = execution->input_count, .output_lists = &outputs,
         .device_complete_events = execution->done, .execute_device = execution->device);
    return CALL(t, LoadedExecutable_Execute, &args);
}

struct error *execute_one(struct rule_context *t, PJRT_LoadedExecutable *executable, PJRT_Buffer *a,
                          PJRT_Buffer **out)
{
    struct execution execution = {executable, &a, 1, NULL, NULL, 0, NULL, NULL};
    *out = NULL;
    return execution_start(t, &execution, out);
}

struct error *execute_two(struct rule_context *t, PJRT_LoadedExecutable *executable, PJRT_Buffer *a,
                          PJRT_Buffer *b, PJRT_Buffer **out)
{
    PJRT_Buffer *const inputs[] = {a, b};
    struct execution execution = {executable, inputs, 2, NULL, NULL, 0, NULL, NULL};
    *out = NULL;
    return execution_start(t, &execution, out);
}

struct error *execute_fails(struct rule_context *t, const struct execution *execution)
{
    PJRT_Buffer *result = NULL;
    TRY(execution_start(t, execution, &result));
    struct error *error = buffer_await(t, result);
    DESTROY(t, Buffer, buffer, result);
    return error;
}

/* ---- Programs with known results ------------------------------------------------------------- */

struct known_array {
    enum dtype dtype;
    size_t rank;
    int64_t dims[2];
};

struct known_program {
    const char *name;
    size_t input_count;
    struct known_array inputs[5];
    size_t output_count;
    struct known_array outputs[4];
    double sums[4]; /* of each output's elements, the i-th weighted by 1 + i % 7 */
};

#define ARRAY(...) {__VA_ARGS__}
static const struct known_program known_programs[] = {
#define PROGRAM(name, ...) {#name, __VA_ARGS__},
#include "conformance/programs/programs.def"
#undef PROGRAM
    {0}};

static size_t count_of(const struct known_array *array)
{
    size_t count = 1;
    for (size_t i = 0; i < array->rank; i++)
        count *= (size_t)array->dims[i];
    return count;
}

/* The inputs for which programs.def has the sums: scripts/make_programs.py. */
static struct error *upload_input(struct rule_context *t, const struct known_array *array,
                                  PJRT_Buffer **out)
{
    size_t count = count_of(array), size = (size_t)dtype_bytes(array->dtype);
    char *bytes;
    TRY(alloc_zeroed(count * size, &bytes));
    for (size_t i = 0; i < count; i++)
        dtype_from_double(array->dtype,
                          dtype_is_float(array->dtype) ? (double)((i * 7 + 3) % 16) / 16 - 0.5 : 5,
                          bytes + i * size);
    struct rule_array upload = {dtype_info(array->dtype)->pjrt, array->rank, array->dims, bytes};
    struct error *error = rule_upload(t, &upload, out);
    alloc_free(bytes);
    return error;
}

/* Products of f32 may be of bf16 parts by default, as on TPUs. */
static double tolerance_of(const struct known_program *program)
{
    return !strcmp(program->name, "matmul") || !strcmp(program->name, "mlp_grad") ? 4e-3 : 1e-5;
}

static void check_sum(struct rule_context *t, const struct known_program *program, size_t i,
                      const char *bytes)
{
    const struct known_array *array = &program->outputs[i];
    double sum = 0, size_of_all = 0;
    for (size_t k = 0; k < count_of(array); k++) {
        double element =
            dtype_to_double(array->dtype, bytes + k * (size_t)dtype_bytes(array->dtype));
        sum += element * (double)(1 + k % 7);
        size_of_all += fabs(element) * (double)(1 + k % 7);
    }
    CHECK(t, fabs(sum - program->sums[i]) <= tolerance_of(program) * (1 + size_of_all),
          "%s: the elements of result %zu sum up to %.9g instead of %.9g", program->name, i, sum,
          program->sums[i]);
}

static void check_output(struct rule_context *t, const struct known_program *program, size_t i,
                         PJRT_Buffer *buffer)
{
    const struct known_array *array = &program->outputs[i];
    size_t size = count_of(array) * (size_t)dtype_bytes(array->dtype);
    char *bytes;
    ARGS(t, Buffer_ElementType, type, .buffer = buffer);
    ARGS(t, Buffer_Dimensions, shape, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_ElementType, &type));
    NEED_OK(t, CALL(t, Buffer_Dimensions, &shape));
    NEED(t, type.type == dtype_info(array->dtype)->pjrt, "%s: result %zu has type %d",
         program->name, i, (int)type.type);
    NEED(t,
         shape.num_dims == array->rank &&
             (!array->rank || !memcmp(shape.dims, array->dims, array->rank * sizeof(int64_t))),
         "%s: result %zu has another shape", program->name, i);
    NEED_OK(t, alloc_zeroed(size, &bytes));
    if (CHECK_OK(t, rule_download(t, buffer, bytes, size)))
        check_sum(t, program, i, bytes);
    alloc_free(bytes);
}

static const struct known_program *find_known(const char *name)
{
    const struct known_program *program = known_programs;
    while (program->name && strcmp(program->name, name) != 0)
        program++;
    return program;
}

void known_program_check(struct rule_context *t, const char *name,
                         PJRT_LoadedExecutable *executable)
{
    const struct known_program *program = find_known(name);
    PJRT_Buffer *inputs[5], *outputs[4];
    NEED(t, program->name, "the suite has no results of %s", name);
    for (size_t i = 0; i < program->input_count; i++)
        NEED_OK(t, upload_input(t, &program->inputs[i], &inputs[i]));
    NEED_OK(t, rule_execute(t, executable, inputs, program->input_count, outputs,
                            program->output_count));
    for (size_t i = 0; i < program->output_count; i++) {
        check_output(t, program, i, outputs[i]);
        DESTROY(t, Buffer, buffer, outputs[i]);
    }
    for (size_t i = 0; i < program->input_count; i++)
        DESTROY(t, Buffer, buffer, inputs[i]);
}

void known_program_run(struct rule_context *t, const char *name, const char *form)
{
    PJRT_LoadedExecutable *executable;
    char file[64];
    snprintf(file, sizeof file, "%s.%s", name, form);
    NEED_CLIENT(t);
    NEED_OK(t, rule_compile_file(t, file, &executable));
    known_program_check(t, name, executable);
    DESTROY(t, LoadedExecutable, executable, executable);
}
