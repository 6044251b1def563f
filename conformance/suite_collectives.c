/* suite_collectives.c: programs on several devices that meet in collectives: from one call, from a
 * thread for each device, with devices that do not come, and with executables that are deleted.
 * Skipped where the plugin has fewer devices. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { MOST = 64, ELEMENTS = 300 };

struct world { /* a client of `count` devices and a program for one replica on each */
    struct test_context *t;
    PJRT_Client *client;
    PJRT_Device *const *devices;
    int count;
    const char *program;
    PJRT_LoadedExecutable *executable;
};

/* Sums over all replicas. */
static const char text[] =
    "func.func @main(%x: tensor<300xf32>) -> tensor<300xf32> {\n"
    "  %0 = \"stablehlo.all_reduce\"(%x) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %1 = stablehlo.add %a, %b : tensor<f32>\n"
    "    stablehlo.return %1 : tensor<f32>\n"
    "  }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<300xf32>) -> tensor<300xf32>\n"
    "  return %0 : tensor<300xf32>\n"
    "}\n";

/* ---- A world --------------------------------------------------------------------------------- */
static struct error *compile(struct world *w, const char *options, size_t size,
                             PJRT_LoadedExecutable **out)
{
    struct abi_program program = {w->program, strlen(w->program), "mlir", options, size};
    return abi_compile(w->t->api, w->client, &program, out);
}

/* False: the case is skipped or has failed. */
static bool open_program(struct world *w, struct test_context *t, int count, const char *program)
{
    char number[16], options[] = {0x1a, 2, 0x20, (char)count}; /* num_replicas */
    snprintf(number, sizeof number, "%d", count);
    setenv("GANTRY_CPU_DEVICES", number, 1);
    *w = (struct world){.t = t, .count = count, .program = program};
    if (!CHECK_OK(t, abi_client_create(t->api, NULL, 0, &w->client)))
        return false;
    ABI_ARGS(Client_AddressableDevices, args, .client = w->client);
    if (!CHECK_OK(t, ABI_CALL(t->api, Client_AddressableDevices, &args)))
        return false;
    w->devices = args.addressable_devices;
    if (args.num_addressable_devices < (size_t)count) {
        test_context_skip(t, "the plugin has fewer devices");
        abi_client_destroy(t->api, w->client);
        return false;
    }
    return CHECK_OK(t, compile(w, options, sizeof options, &w->executable));
}

static bool open_world(struct world *w, struct test_context *t, int count)
{
    return open_program(w, t, count, text);
}

static void close_world(struct world *w)
{
    abi_executable_destroy(w->t->api, w->executable);
    abi_client_destroy(w->t->api, w->client);
}

/* The argument of a device: i + device, as exact floats. */
static PJRT_Buffer *argument(const struct world *w, int device, int64_t elements)
{
    float data[ELEMENTS];
    struct abi_array array = {DTYPE_F32, 1, &elements, data};
    PJRT_Buffer *buffer = NULL;
    for (int i = 0; i < ELEMENTS; i++)
        data[i] = (float)(i + device);
    CHECK_OK(w->t, abi_upload(w->t->api, w->client, w->devices[device], &array, &buffer));
    return buffer;
}

static void check_result(const struct world *w, PJRT_Buffer *result)
{
    float data[ELEMENTS] = {0};
    int others = w->count * (w->count - 1) / 2;
    if (!CHECK_OK(w->t, abi_download(w->t->api, result, data, sizeof data)))
        return;
    for (int i = 0; i < ELEMENTS; i++)
        CHECK(w->t, data[i] == (float)(i * w->count + others), "element %d is %g", i,
              (double)data[i]);
}

/* ---- Executions ------------------------------------------------------------------------------ */
/* On all devices at once; `elements` of the last device's argument. Returns the call's error. */
static struct error *execute_all(struct world *w, int64_t elements, PJRT_Buffer **results)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *arguments[MOST], *const *inputs[MOST], **outputs[MOST];
    for (int i = 0; i < w->count; i++) {
        arguments[i] = argument(w, i, i == w->count - 1 ? elements : ELEMENTS);
        inputs[i] = &arguments[i], outputs[i] = &results[i];
    }
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = w->executable, .options = &options,
             .argument_lists = inputs, .num_devices = (size_t)w->count, .num_args = 1,
             .output_lists = outputs);
    struct error *error = ABI_CALL(w->t->api, LoadedExecutable_Execute, &args);
    for (int i = 0; i < w->count; i++)
        abi_buffer_destroy(w->t->api, arguments[i]);
    return error;
}

/* Results may share memory, but stay when others go. */
static void check_all(struct world *w)
{
    PJRT_Buffer *results[MOST] = {NULL}, *next[MOST] = {NULL};
    if (!CHECK_OK(w->t, execute_all(w, ELEMENTS, results)))
        return;
    check_result(w, results[0]);
    abi_buffer_destroy(w->t->api, results[0]);
    if (CHECK_OK(w->t, execute_all(w, ELEMENTS, next)))
        for (int i = 0; i < w->count; i++)
            abi_buffer_destroy(w->t->api, next[i]);
    for (int i = 1; i < w->count; i++) {
        check_result(w, results[i]);
        abi_buffer_destroy(w->t->api, results[i]);
    }
}

/* On one device. */
static struct error *execute_one(struct world *w, int device, PJRT_Buffer **result)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *input = argument(w, device, ELEMENTS), *const *inputs = &input;
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = w->executable, .options = &options,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 1, .output_lists = &result,
             .execute_device = w->devices[device]);
    struct error *error = ABI_CALL(w->t->api, LoadedExecutable_Execute, &args);
    abi_buffer_destroy(w->t->api, input);
    return error;
}

static void one_call(struct test_context *t, int count)
{
    struct world w;
    if (!open_world(&w, t, count))
        return;
    for (int i = 0; i < 20; i++)
        check_all(&w);
    close_world(&w);
}

static void sixty_four_devices(struct test_context *t)
{
    one_call(t, 64);
}

struct caller {
    struct world *world;
    int device;
};

static void *call_often(void *argument)
{
    const struct caller *caller = argument;
    struct world *w = caller->world;
    for (int i = 0; i < 50; i++) {
        PJRT_Buffer *result = NULL;
        if (!CHECK_OK(w->t, execute_one(w, caller->device, &result)))
            break;
        if (i % 3 == 0) /* else the next is submitted before this one is complete */
            check_result(w, result);
        abi_buffer_destroy(w->t->api, result);
    }
    return NULL;
}

static void eight_threads(struct test_context *t)
{
    struct world w;
    struct caller callers[8];
    pthread_t threads[8];
    if (!open_world(&w, t, 8))
        return;
    for (int i = 0; i < 8; i++) {
        callers[i] = (struct caller){&w, i};
        NEED(t, !pthread_create(&threads[i], NULL, call_often, &callers[i]), "no thread");
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    close_world(&w);
}

/* ---- Other collectives ----------------------------------------------------------------------- */
enum { FOUR = 4, ROWS = 5 };

/* %x: 10 * replica + 0, 1, 2, 3, 4 */
#define PROGRAM(body)                                                                              \
    "func.func @main() -> tensor<5xf32> {\n"                                                       \
    "  %id = stablehlo.replica_id : tensor<ui32>\n"                                                \
    "  %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>\n"                               \
    "  %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>\n"                               \
    "  %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<5xf32>\n"           \
    "  %c = stablehlo.constant dense<10.0> : tensor<5xf32>\n"                                      \
    "  %t = stablehlo.multiply %b, %c : tensor<5xf32>\n"                                           \
    "  %i = stablehlo.iota dim = 0 : tensor<5xf32>\n"                                              \
    "  %x = stablehlo.add %t, %i : tensor<5xf32>\n" body "  return %r : tensor<5xf32>\n}\n"
#define SUM                                                                                        \
    "({ ^bb0(%p: tensor<f32>, %q: tensor<f32>): %s = stablehlo.add %p, %q : tensor<f32>\n"         \
    "stablehlo.return %s : tensor<f32> })"

static const struct {
    const char *program;
    float expected[FOUR][ROWS];
} others[] = {
    /* the first member of each group gets the sum; participants in no group get zeros */
    {PROGRAM("  %r = \"stablehlo.collective_reduce\"(%x) " SUM
             " {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<5xf32>) -> "
             "tensor<5xf32>\n"),
     {[2] = {30, 33, 36, 39, 42}}},
    {PROGRAM("  %k = stablehlo.constant dense<3> : tensor<1xi32>\n"
             "  %r = \"stablehlo.collective_reduce\"(%x, %k) " SUM
             " {has_dynamic_root, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : "
             "(tensor<5xf32>, tensor<1xi32>) -> tensor<5xf32>\n"),
     {[3] = {60, 64, 68, 72, 76}}},
    {PROGRAM("  %k = stablehlo.constant dense<1> : tensor<1xi32>\n"
             "  %r = \"stablehlo.collective_broadcast\"(%x, %k) {has_dynamic_root, replica_groups "
             "= dense<[[2, 1], [3, 0]]> : tensor<2x2xi64>} : (tensor<5xf32>, tensor<1xi32>) -> "
             "tensor<5xf32>\n"),
     {{0, 1, 2, 3, 4}, {10, 11, 12, 13, 14}, {10, 11, 12, 13, 14}, {0, 1, 2, 3, 4}}},
    /* a root that is no member */
    {PROGRAM("  %k = stablehlo.constant dense<7> : tensor<1xi32>\n"
             "  %r = \"stablehlo.collective_broadcast\"(%x, %k) {has_dynamic_root, replica_groups "
             "= dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<5xf32>, tensor<1xi32>) -> "
             "tensor<5xf32>\n"),
     {{0}}},
    /* each sends row t to t; the last row is that of the output */
    {PROGRAM("  %from = stablehlo.iota dim = 0 : tensor<4xi32>\n"
             "  %one = stablehlo.constant dense<1> : tensor<4xi32>\n"
             "  %to = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<4xi32>\n"
             "  %o = stablehlo.constant dense<-1.0> : tensor<5xf32>\n"
             "  %r = stablehlo.custom_call @ragged_all_to_all(%x, %o, %from, %one, %to, %one) "
             "{api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 1, 2, 3]]> : "
             "tensor<1x4xi64>}} : (tensor<5xf32>, tensor<5xf32>, tensor<4xi32>, tensor<4xi32>, "
             "tensor<4xi32>, tensor<4xi32>) -> tensor<5xf32>\n"),
     {{0, 10, 20, 30, -1}, {1, 11, 21, 31, -1}, {2, 12, 22, 32, -1}, {3, 13, 23, 33, -1}}},
    /* offsets and sizes out of range: nothing is sent */
    {PROGRAM("  %from = stablehlo.constant dense<[-9, 9, 0, 2147483647]> : tensor<4xi32>\n"
             "  %size = stablehlo.constant dense<[-1, 9, 0, 2147483647]> : tensor<4xi32>\n"
             "  %to = stablehlo.constant dense<[0, 0, 5, -2147483648]> : tensor<4xi32>\n"
             "  %o = stablehlo.constant dense<-1.0> : tensor<5xf32>\n"
             "  %r = stablehlo.custom_call @ragged_all_to_all(%x, %o, %from, %size, %to, %size) "
             "{api_version = 4 : i32, backend_config = {replica_groups = dense<[[0, 1, 2, 3]]> : "
             "tensor<1x4xi64>}} : (tensor<5xf32>, tensor<5xf32>, tensor<4xi32>, tensor<4xi32>, "
             "tensor<4xi32>, tensor<4xi32>) -> tensor<5xf32>\n"),
     {{-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1}}},
};

static void check_program(struct test_context *t, size_t which)
{
    struct world w;
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *results[FOUR] = {NULL}, *const * inputs[FOUR] = {NULL}, **outputs[FOUR];
    float data[ROWS];
    if (!open_program(&w, t, FOUR, others[which].program))
        return;
    for (int i = 0; i < FOUR; i++)
        outputs[i] = &results[i];
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = w.executable, .options = &options,
             .argument_lists = inputs, .num_devices = FOUR, .output_lists = outputs);
    bool runs = CHECK_OK(t, ABI_CALL(t->api, LoadedExecutable_Execute, &args));
    for (int i = 0; runs && i < FOUR; i++) {
        CHECK_OK(t, abi_download(t->api, results[i], data, sizeof data));
        for (int k = 0; k < ROWS; k++)
            CHECK(t, data[k] == others[which].expected[i][k], "program %zu, device %d: %d is %g",
                  which, i, k, (double)data[k]);
        abi_buffer_destroy(t->api, results[i]);
    }
    close_world(&w);
}

static void other_collectives(struct test_context *t)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_program(t, i);
}

/* ---- Failures -------------------------------------------------------------------------------- */
/* Executes on all devices but the last. */
static bool execute_most(struct world *w, PJRT_Buffer **results)
{
    bool passed = true;
    for (int i = 0; i < w->count - 1; i++)
        passed &= CHECK_OK(w->t, execute_one(w, i, &results[i]));
    return passed;
}

static void check_failed(struct world *w, PJRT_Buffer **results, PJRT_Error_Code code)
{
    float data[ELEMENTS];
    for (int i = 0; i < w->count - 1; i++) {
        struct error *error = abi_download(w->t->api, results[i], data, sizeof data);
        CHECK(w->t, error && error_code(error) == code, "device %d: %s", i,
              error ? error_message(error, NULL) : "no error");
        error_free(error);
        abi_buffer_destroy(w->t->api, results[i]);
    }
}

/* The error reaches the other devices, and the client remains usable. */
static void missing_device(struct test_context *t)
{
    struct world w;
    PJRT_Buffer *results[8] = {NULL};
    if (!open_world(&w, t, 8))
        return;
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    if (execute_most(&w, results))
        check_failed(&w, results, PJRT_Error_Code_DEADLINE_EXCEEDED);
    unsetenv("GANTRY_COLLECTIVE_TIMEOUT");
    check_all(&w);
    close_world(&w);
}

static void deleted_while_waiting(struct test_context *t)
{
    struct world w;
    PJRT_Buffer *results[8] = {NULL};
    if (!open_world(&w, t, 8))
        return;
    if (execute_most(&w, results)) {
        ABI_ARGS(LoadedExecutable_Delete, args, .executable = w.executable);
        CHECK_OK(t, ABI_CALL(t->api, LoadedExecutable_Delete, &args));
        check_failed(&w, results, PJRT_Error_Code_CANCELLED);
    }
    close_world(&w);
}

static void client_destroyed_while_waiting(struct test_context *t)
{
    struct world w;
    PJRT_Buffer *results[8] = {NULL};
    if (!open_world(&w, t, 8) || !execute_most(&w, results))
        return;
    abi_executable_destroy(t->api, w.executable);
    abi_client_destroy(t->api, w.client);
    for (int i = 0; i < 7; i++)
        abi_buffer_destroy(t->api, results[i]);
}

static const struct test_context_case cases[] = {
    {"sixty_four_devices", sixty_four_devices, STAGE_PLUGIN, 0},
    {"eight_threads", eight_threads, STAGE_PLUGIN, 0},
    {"other_collectives", other_collectives, STAGE_PLUGIN, 0},
    {"missing_device", missing_device, STAGE_PLUGIN, 0},
    {"deleted_while_waiting", deleted_while_waiting, STAGE_PLUGIN, 0},
    {"client_destroyed_while_waiting", client_destroyed_while_waiting, STAGE_PLUGIN, 0},
    {NULL, NULL, STAGE_PLUGIN, 0},
};
const struct test_context_suite suite_collectives = {"collectives", cases};
