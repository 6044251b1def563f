/* test_context.c: opens plugins, records failures, and runs the programs of programs.def. */
#include "conformance/test_context.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

bool test_context_open(struct test_context *t, enum test_context_stage stage)
{
    if (stage == STAGE_PATH)
        return true;
    if (!CHECK_OK(t, abi_load(t->path, &t->plugin)))
        return false;
    t->api = t->plugin.api;
    if (stage == STAGE_PLUGIN)
        return true;
    return test_context_supported(t, __FILE__, __LINE__,
                                  abi_client_create(t->api, NULL, 0, &t->client)) &&
           CHECK_OK(t, abi_first_device(t->api, t->client, &t->device));
}

void test_context_close(struct test_context *t)
{
    if (t->client)
        abi_client_destroy(t->api, t->client);
    abi_unload(&t->plugin);
    t->client = NULL;
    t->api = NULL;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

void test_context_fail(struct test_context *t, const char *file, int line, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (atomic_fetch_add(&t->failures, 1) < 20) /* print only the first failures */
        fprintf(stderr, "    %s:%d: %s\n", file, line, message);
}

void test_context_skip(struct test_context *t, const char *why)
{
    fprintf(stderr, "    skipped: %s\n", why);
    atomic_store(&t->skipped, true);
}

bool test_context_expect_ok(struct test_context *t, const char *file, int line, struct error *error)
{
    if (!error)
        return true;
    test_context_fail(t, file, line, "%s: %s", error_code_name(error_code(error)),
                      error_message(error, NULL));
    error_free(error);
    return false;
}

void test_context_expect_code(struct test_context *t, const char *file, int line,
                              PJRT_Error_Code code, struct error *error)
{
    size_t size = 0;
    if (!error)
        test_context_fail(t, file, line, "no error where %s is due", error_code_name(code));
    else if (error_code(error) != code)
        test_context_fail(t, file, line, "%s where %s is due: %s",
                          error_code_name(error_code(error)), error_code_name(code),
                          error_message(error, NULL));
    else if (error_message(error, &size), !size)
        test_context_fail(t, file, line, "an error without a message");
    error_free(error);
}

void test_context_expect_error(struct test_context *t, const char *file, int line,
                               struct error *error)
{
    if (!error)
        test_context_fail(t, file, line, "no error where one is due");
    else if (error_code(error) == PJRT_Error_Code_INTERNAL)
        test_context_fail(t, file, line, "INTERNAL for a caller's mistake: %s",
                          error_message(error, NULL));
    error_free(error);
}

bool test_context_supported(struct test_context *t, const char *file, int line, struct error *error)
{
    if (!error || error_code(error) != PJRT_Error_Code_UNIMPLEMENTED)
        return test_context_expect_ok(t, file, line, error);
    test_context_skip(t, error_message(error, NULL));
    error_free(error);
    return false;
}

/* ---- Programs -------------------------------------------------------------------------------- */

const struct test_context_program test_context_programs[PROGRAM_COUNT] = {
#define ARRAY(...) {__VA_ARGS__}
#define PROGRAM(name, ...) {#name, __VA_ARGS__},
#include "conformance/programs/programs.def"
#undef PROGRAM
#undef ARRAY
};

struct error *test_context_program_bytes(const struct test_context *t,
                                         enum test_context_program_name name, const char *suffix,
                                         char **out, size_t *size)
{
    char path[4096];
    *out = NULL;
    *size = 0;
    snprintf(path, sizeof path, "%s/%s%s", t->programs, test_context_programs[name].name, suffix);
    FILE *file = fopen(path, "rb");
    if (!file)
        return ERROR(NOT_FOUND, "%s cannot be opened", path);
    *out = malloc(1 << 16);
    *size = *out ? fread(*out, 1, 1 << 16, file) : 0;
    fclose(file);
    return *out ? NULL : error_out_of_memory();
}

struct error *test_context_compile(const struct test_context *t,
                                   enum test_context_program_name name, PJRT_LoadedExecutable **out)
{
    return test_context_compile_form(t, name, ".mlirbc", out);
}

struct error *test_context_compile_form(const struct test_context *t,
                                        enum test_context_program_name name, const char *suffix,
                                        PJRT_LoadedExecutable **out)
{
    char *bytes;
    struct abi_program program = {.format = strstr(suffix, "hlo") ? "hlo" : "mlir"};
    *out = NULL;
    TRY(test_context_program_bytes(t, name, suffix, &bytes, &program.code_size));
    program.code = bytes;
    struct error *error = abi_compile(t->api, t->client, &program, out);
    free(bytes);
    return error_prefix(error, "%s%s", test_context_programs[name].name, suffix);
}

struct error *test_context_reload(const struct test_context *t, PJRT_LoadedExecutable *loaded)
{
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    TRY(ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get));
    ABI_ARGS(Executable_Serialize, bytes, .executable = get.executable);
    struct error *error = ABI_CALL(t->api, Executable_Serialize, &bytes);
    if (!error) {
        ABI_ARGS(Executable_DeserializeAndLoad, load, .client = t->client,
                 .serialized_executable = bytes.serialized_bytes,
                 .serialized_executable_size = bytes.serialized_bytes_size);
        error = ABI_CALL(t->api, Executable_DeserializeAndLoad, &load);
        if (!error)
            abi_executable_destroy(t->api, load.loaded_executable);
        bytes.serialized_executable_deleter(bytes.serialized_executable);
    }
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    return error;
}

static void destroy_all(const struct test_context *t, PJRT_Buffer **buffers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        abi_buffer_destroy(t->api, buffers[i]);
}

struct error *test_context_arguments(const struct test_context *t,
                                     enum test_context_program_name name, PJRT_Buffer *arguments[5])
{
    const struct test_context_program *program = &test_context_programs[name];
    for (size_t i = 0; i < program->input_count; i++) {
        const struct test_context_type *type = &program->inputs[i];
        struct error *error =
            test_context_upload(t, type->dtype, type->rank, type->dims, &arguments[i]);
        if (error) {
            destroy_all(t, arguments, i);
            return error;
        }
    }
    return NULL;
}

static struct error *compare_sum(const struct test_context_program *program, size_t i,
                                 const unsigned char *bytes)
{
    const struct test_context_type *type = &program->outputs[i];
    size_t count = test_context_count(type->rank, type->dims),
           size = (size_t)dtype_bytes(type->dtype);
    double sum = 0, size_of_all = 0;
    for (size_t k = 0; k < count; k++) {
        double element = dtype_to_double(type->dtype, bytes + k * size) * (double)(1 + k % 7);
        sum += element;
        size_of_all += fabs(element);
    }
    if (fabs(sum - program->sums[i]) <= 1e-5 * (1 + size_of_all))
        return NULL;
    return ERROR(FAILED_PRECONDITION, "%s: result %zu sums up to %.9g, not %.9g", program->name, i,
                 sum, program->sums[i]);
}

static struct error *compare_result(const struct test_context *t,
                                    const struct test_context_program *program, size_t i,
                                    PJRT_Buffer *result)
{
    const struct test_context_type *type = &program->outputs[i];
    enum dtype dtype;
    const int64_t *dims;
    size_t rank,
        size = test_context_count(type->rank, type->dims) * (size_t)dtype_bytes(type->dtype);
    TRY(abi_shape(t->api, result, &dtype, &dims, &rank));
    bool same = dtype == type->dtype && rank == type->rank;
    for (size_t k = 0; same && k < rank; k++)
        same = dims[k] == type->dims[k];
    if (!same)
        return ERROR(FAILED_PRECONDITION, "%s: result %zu has another type", program->name, i);
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return error_out_of_memory();
    struct error *error = abi_download(t->api, result, bytes, size);
    if (!error)
        error = compare_sum(program, i, bytes);
    free(bytes);
    return error;
}

struct error *test_context_compare(const struct test_context *t,
                                   enum test_context_program_name name, PJRT_Buffer *const *results)
{
    for (size_t i = 0; i < test_context_programs[name].output_count; i++)
        TRY(compare_result(t, &test_context_programs[name], i, results[i]));
    return NULL;
}

struct error *test_context_run_once(const struct test_context *t,
                                    enum test_context_program_name name,
                                    PJRT_LoadedExecutable *executable)
{
    const struct test_context_program *program = &test_context_programs[name];
    PJRT_Buffer *arguments[5], *results[4];
    TRY(test_context_arguments(t, name, arguments));
    struct error *error = abi_execute(t->api, executable, arguments, program->input_count, results,
                                      program->output_count);
    if (!error) {
        error = test_context_compare(t, name, results);
        destroy_all(t, results, program->output_count);
    }
    destroy_all(t, arguments, program->input_count);
    return error;
}

struct error *test_context_run_program(const struct test_context *t,
                                       enum test_context_program_name name)
{
    PJRT_LoadedExecutable *executable;
    TRY(test_context_compile(t, name, &executable));
    struct error *error = test_context_run_once(t, name, executable);
    abi_executable_destroy(t->api, executable);
    return error;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

size_t test_context_count(size_t rank, const int64_t *dims)
{
    size_t count = 1;
    for (size_t i = 0; i < rank; i++)
        count *= (size_t)dims[i];
    return count;
}

double test_context_value(enum dtype dtype, size_t i)
{
    enum dtype_class class = dtype_info(dtype)->class;
    bool fraction = class == CLASS_FLOAT || class == CLASS_COMPLEX;
    return fraction                      ? (double)((i * 7 + 3) % 16) / 16 - 0.5
           : class == CLASS_PREDICATE    ? (double)(i % 2)
           : dtype_info(dtype)->bits < 8 ? 1
                                         : 5;
}

struct error *test_context_upload(const struct test_context *t, enum dtype dtype, size_t rank,
                                  const int64_t *dims, PJRT_Buffer **out)
{
    enum dtype part = dtype_real_part(dtype);
    size_t size = (size_t)dtype_bytes(part),
           bytes = test_context_count(rank, dims) * (size_t)dtype_bytes(dtype);
    struct abi_array array = {dtype, rank, dims, malloc(bytes + 1)};
    *out = NULL;
    if (!array.bytes)
        return error_out_of_memory();
    for (size_t i = 0; i < bytes / size; i++)
        dtype_from_double(part, test_context_value(dtype, i), (char *)array.bytes + i * size);
    struct error *error = abi_upload(t->api, t->client, t->device, &array, out);
    free(array.bytes);
    return error;
}

bool test_context_is_deleted(const struct test_context *t, PJRT_Buffer *buffer)
{
    ABI_ARGS(Buffer_IsDeleted, args, .buffer = buffer);
    error_free(ABI_CALL(t->api, Buffer_IsDeleted, &args));
    return args.is_deleted;
}
