/* abi_bench.c: measures the cost of ABI calls from C: abi_bench [PLUGIN]. The figures are the
 * minimum over many batches, in nanoseconds per call: the cost of the plugin without any framework
 * overhead. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "conformance/test_context.h"

enum { BATCHES = 200, CALLS = 200 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The objects that the measurements use. */
struct bench {
    struct test_context *t;
    PJRT_LoadedExecutable *add;
    PJRT_Buffer *arguments[5];
    PJRT_Buffer *small;
};

static struct error *call_name(struct bench *bench)
{
    ABI_ARGS(Client_PlatformName, args, .client = bench->t->client);
    return ABI_CALL(bench->t->api, Client_PlatformName, &args);
}

static struct error *call_upload(struct bench *bench)
{
    static float data[4];
    const int64_t dims[] = {4};
    struct abi_array array = {DTYPE_F32, 1, dims, data};
    PJRT_Buffer *buffer;
    TRY(abi_upload(bench->t->api, bench->t->client, bench->t->device, &array, &buffer));
    abi_buffer_destroy(bench->t->api, buffer);
    return NULL;
}

static struct error *call_download(struct bench *bench)
{
    float data[4];
    return abi_download(bench->t->api, bench->small, data, sizeof data);
}

static struct error *call_execute(struct bench *bench)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *result, **outputs = &result, *const *inputs = bench->arguments;
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = bench->add, .options = &options,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 2, .output_lists = &outputs);
    TRY(ABI_CALL(bench->t->api, LoadedExecutable_Execute, &args));
    abi_buffer_destroy(bench->t->api, result);
    return NULL;
}

static struct error *measure(struct bench *bench, const char *name,
                             struct error *(*call)(struct bench *))
{
    double fastest = 1e30;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now();
        for (int i = 0; i < CALLS; i++)
            TRY(call(bench));
        double each = (now() - start) / CALLS;
        fastest = each < fastest ? each : fastest;
    }
    printf("%-44s %8.0f ns\n", name, fastest);
    return NULL;
}

static struct error *run(struct bench *bench)
{
    const int64_t dims[] = {4};
    TRY(test_context_compile(bench->t, PROGRAM_add, &bench->add));
    TRY(test_context_arguments(bench->t, PROGRAM_add, bench->arguments));
    TRY(test_context_upload(bench->t, DTYPE_F32, 1, dims, &bench->small));
    TRY(measure(bench, "PlatformName", call_name));
    TRY(measure(bench, "16 bytes to the device, await, destroy", call_upload));
    TRY(measure(bench, "16 bytes to the host, await", call_download));
    TRY(measure(bench, "execute x + y of 4 elements, destroy", call_execute));
    for (int i = 0; i < 2; i++)
        abi_buffer_destroy(bench->t->api, bench->arguments[i]);
    abi_buffer_destroy(bench->t->api, bench->small);
    abi_executable_destroy(bench->t->api, bench->add);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("GANTRY_LIB");
    char path[4096];
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    struct test_context t = {.path = argc > 1 ? argv[1] : path, .programs = "conformance/programs"};
    struct bench bench = {.t = &t};
    if (test_context_open(&t, STAGE_CLIENT))
        test_context_expect_ok(&t, __FILE__, __LINE__, run(&bench));
    test_context_close(&t);
    return atomic_load(&t.failures) > 0;
}
