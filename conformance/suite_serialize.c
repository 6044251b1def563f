/* suite_serialize.c: serialized executables: a cache passes them to another process, possibly
 * damaged. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

/* Compiles a program and returns its bytes (owned: free). */
static struct error *serialize(struct test_context *t, enum test_context_program_name name,
                               char **out, size_t *size)
{
    PJRT_LoadedExecutable *loaded;
    *out = NULL;
    TRY(test_context_compile(t, name, &loaded));
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    struct error *error = ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get);
    ABI_ARGS(Executable_Serialize, args, .executable = get.executable);
    if (!error)
        error = ABI_CALL(t->api, Executable_Serialize, &args);
    if (!error) {
        *size = args.serialized_bytes_size;
        *out = malloc(*size + 1);
        memcpy(*out, args.serialized_bytes, *size);
        args.serialized_executable_deleter(args.serialized_executable);
    }
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    abi_executable_destroy(t->api, loaded);
    return error;
}

static struct error *load(struct test_context *t, const char *bytes, size_t size,
                          PJRT_LoadedExecutable **out)
{
    ABI_ARGS(Executable_DeserializeAndLoad, args, .client = t->client,
             .serialized_executable = bytes, .serialized_executable_size = size);
    *out = NULL;
    TRY(ABI_CALL(t->api, Executable_DeserializeAndLoad, &args));
    *out = args.loaded_executable;
    return NULL;
}

/* Truncated or modified bytes are rejected, or still work; they never crash the process. */
static void damaged(struct test_context *t)
{
    char *bytes;
    size_t size = 0;
    PJRT_LoadedExecutable *loaded;
    NEED_SUPPORTED(t, serialize(t, PROGRAM_add, &bytes, &size));
    size_t step = size / 200 + 1;
    for (size_t cut = 0; cut < size; cut += step) {
        struct error *error = load(t, bytes, cut, &loaded);
        CHECK(t, error, "%zu of %zu bytes are accepted", cut, size);
        if (error)
            CHECK(t,
                  error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT ||
                      error_code(error) == PJRT_Error_Code_DATA_LOSS,
                  "%zu of %zu bytes: %s", cut, size, error_code_name(error_code(error)));
        else
            abi_executable_destroy(t->api, loaded);
        error_free(error);
    }
    for (size_t at = 0; at < size; at += step) {
        bytes[at] ^= 0x55;
        struct error *error = load(t, bytes, size, &loaded);
        CHECK(t, error, "changed byte %zu of %zu is accepted", at, size);
        if (!error)
            abi_executable_destroy(t->api, loaded);
        error_free(error);
        bytes[at] ^= 0x55;
    }
    free(bytes);
}

static const struct test_context_case cases[] = {{"damaged", damaged, STAGE_CLIENT, 0}, {0}};
const struct test_context_suite suite_serialize = {"serialize", cases};
