/* rematerialization_test.c: a program that exceeds the device's memory is rejected. With
 * memory_fitting_level O3, it runs with a smaller plan, and its results are bitwise equal. Tested
 * through the ABI. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/abi.h"

enum { LAYERS = 16, SIZE = 64, ROWS = 256, ELEMENTS = ROWS * SIZE };

/* CompileOptionsProto {executable_build_options {memory_fitting_level: O3}} */
static const char fit[] = {0x1a, 0x03, (char)0xc8, 0x01, 0x27};

struct remat_context {
    const PJRT_Api *api;
    PJRT_Client *client;
    PJRT_Device *device;
    PJRT_LoadedExecutable *executable;
};

static void good(struct error *error, const char *what)
{
    cr_assert(!error, "%s: %s", what, error_message(error, NULL));
}

static struct abi_plugin load(void)
{
    char path[4096];
    struct abi_plugin plugin;
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    good(abi_load(path, &plugin), path);
    return plugin;
}

#define ACTIVATION "tensor<256x64xf32>"
#define WEIGHT "tensor<64x64xf32>"

/* Layers h = tanh(h * w), then the backward pass, which reads every h: g = (g * (1 - h * h)) *
 * w. */
static size_t write_program(char *to, size_t capacity)
{
    size_t size = (size_t)snprintf(to, capacity,
                                   "func.func @main(%%h0: " ACTIVATION ", %%w: " WEIGHT
                                   ") -> " ACTIVATION " {\n"
                                   "  %%one = stablehlo.constant dense<1.0> : " ACTIVATION "\n");
    for (int i = 1; i <= LAYERS; i++)
        size += (size_t)snprintf(
            to + size, capacity - size,
            "  %%y%d = stablehlo.dot_general %%h%d, %%w, contracting_dims = [1] x [0] : "
            "(" ACTIVATION ", " WEIGHT ") -> " ACTIVATION "\n"
            "  %%h%d = stablehlo.tanh %%y%d : " ACTIVATION "\n",
            i, i - 1, i, i);
    for (int i = LAYERS; i > 0; i--) {
        size +=
            (size_t)snprintf(to + size, capacity - size,
                             "  %%q%d = stablehlo.multiply %%h%d, %%h%d : " ACTIVATION "\n"
                             "  %%r%d = stablehlo.subtract %%one, %%q%d : " ACTIVATION "\n"
                             "  %%s%d = stablehlo.multiply %%%c%d, %%r%d : " ACTIVATION "\n",
                             i, i, i, i, i, i, i == LAYERS ? 'h' : 'g', i == LAYERS ? i : i + 1, i);
        size += (size_t)snprintf(
            to + size, capacity - size,
            "  %%g%d = stablehlo.dot_general %%s%d, %%w, contracting_dims = [1] x [1] : "
            "(" ACTIVATION ", " WEIGHT ") -> " ACTIVATION "\n",
            i, i);
    }
    return size +
           (size_t)snprintf(to + size, capacity - size, "  return %%g1 : " ACTIVATION "\n}\n");
}

static struct error *compile(struct remat_context *t, int64_t limit, bool fits)
{
    static char text[1 << 16];
    PJRT_NamedValue value = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                             .name = "memory_limit",
                             .name_size = strlen("memory_limit"),
                             .type = PJRT_NamedValue_kInt64,
                             .int64_value = limit,
                             .value_size = 1};
    struct abi_program program = {.code = text, .format = "mlir"};
    program.code_size = write_program(text, sizeof text);
    program.options = fits ? fit : NULL;
    program.options_size = fits ? sizeof fit : 0;
    good(abi_client_create(t->api, &value, limit != 0, &t->client), "client");
    good(abi_first_device(t->api, t->client, &t->device), "device");
    return abi_compile(t->api, t->client, &program, &t->executable);
}

static void drop(struct remat_context *t)
{
    abi_executable_destroy(t->api, t->executable);
    abi_client_destroy(t->api, t->client);
    t->executable = NULL;
}

static int64_t peak_of(const struct remat_context *t)
{
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = t->executable);
    good(ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get), "executable");
    ABI_ARGS(Executable_GetCompiledMemoryStats, plan, .executable = get.executable);
    good(ABI_CALL(t->api, Executable_GetCompiledMemoryStats, &plan), "plan");
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    return plan.peak_memory_in_bytes;
}

static PJRT_Buffer *upload(const struct remat_context *t, int64_t rows)
{
    static float numbers[ELEMENTS];
    const int64_t dims[] = {rows, SIZE};
    PJRT_Buffer *buffer;
    for (int64_t i = 0; i < rows * SIZE; i++)
        numbers[i] = (float)(i * 7919 % 1000) / 2000 - 0.25F;
    const struct abi_array array = {
        .dtype = DTYPE_F32, .rank = 2, .dims = dims, .bytes = (char *)numbers};
    good(abi_upload(t->api, t->client, t->device, &array, &buffer), "upload");
    return buffer;
}

static void run(const struct remat_context *t, float *out)
{
    PJRT_Buffer *inputs[] = {upload(t, ROWS), upload(t, SIZE)}, *output;
    good(abi_execute(t->api, t->executable, inputs, 2, &output, 1), "execute");
    good(abi_download(t->api, output, out, ELEMENTS * sizeof *out), "download");
    abi_buffer_destroy(t->api, output);
    for (int i = 0; i < 2; i++)
        abi_buffer_destroy(t->api, inputs[i]);
}

Test(rematerialization, a_program_that_does_not_fit_otherwise)
{
    static float wanted[ELEMENTS], got[ELEMENTS];
    struct abi_plugin plugin = load();
    struct remat_context t = {.api = plugin.api};
    good(compile(&t, 0, true), "without a limit");
    int64_t peak = peak_of(&t);
    run(&t, wanted);
    drop(&t);
    for (int64_t limit = peak - 1; limit > peak / 2; limit -= peak / 8) {
        struct error *error = compile(&t, limit, false);
        cr_assert(error && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED,
                  "nothing is repeated unless the client asks for it");
        error_free(error);
        drop(&t);
        good(compile(&t, limit, true), "within the limit");
        cr_expect_leq(peak_of(&t), limit);
        run(&t, got);
        cr_expect(!memcmp(wanted, got, sizeof got), "results differ at %ld bytes", (long)limit);
        drop(&t);
    }
}

Test(rematerialization, what_cannot_fit_is_refused)
{
    struct abi_plugin plugin = load();
    struct remat_context t = {.api = plugin.api};
    struct error *error = compile(&t, 100000, true);
    cr_assert(error && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    drop(&t);
}
