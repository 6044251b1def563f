/* suite_progress.c: nothing waits forever. An execution whose argument is never filled does not
 * delay others; a client, an executable and a process can end while infinite loops run; a forked
 * child can use its parent's objects. A case that hangs is killed by its time limit. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/test_context.h"

/* ---- Programs -------------------------------------------------------------------------------- */

/* Loops while x, masked, is nonnegative: forever for any x >= 0. `small` is one compiled function;
 * `inner` contains a loop of known trip count. */
static const char small[] = "func.func public @main(%x: tensor<i32>) -> tensor<i32> {\n"
                            "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
                            "  %mask = stablehlo.constant dense<127> : tensor<i32>\n"
                            "  %r = stablehlo.while(%i = %x) : tensor<i32>\n"
                            "  cond {\n"
                            "    %c = stablehlo.compare GE, %i, %zero : (tensor<i32>, "
                            "tensor<i32>) -> tensor<i1>\n"
                            "    stablehlo.return %c : tensor<i1>\n"
                            "  } do {\n"
                            "    %n = stablehlo.and %i, %mask : tensor<i32>\n"
                            "    stablehlo.return %n : tensor<i32>\n"
                            "  }\n"
                            "  return %r : tensor<i32>\n}\n";

static const char inner[] =
    "func.func public @main(%x: tensor<i32>) -> tensor<i32> {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %many = stablehlo.constant dense<1000> : tensor<i32>\n"
    "  %mask = stablehlo.constant dense<127> : tensor<i32>\n"
    "  %r = stablehlo.while(%i = %x) : tensor<i32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %q:2 = stablehlo.while(%k = %zero, %v = %i) : tensor<i32>, tensor<i32>\n"
    "    cond {\n"
    "      %c = stablehlo.compare LT, %k, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      stablehlo.return %c : tensor<i1>\n"
    "    } do {\n"
    "      %m = stablehlo.add %k, %one : tensor<i32>\n"
    "      %n = stablehlo.and %v, %mask : tensor<i32>\n"
    "      stablehlo.return %m, %n : tensor<i32>, tensor<i32>\n"
    "    }\n"
    "    stablehlo.return %q#1 : tensor<i32>\n"
    "  }\n"
    "  return %r : tensor<i32>\n}\n";

/* The same for an array that is too large for one function. */
static const char large[] =
    "func.func public @main(%x: tensor<i32>) -> tensor<i32> {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %mask = stablehlo.constant dense<127> : tensor<i32>\n"
    "  %start = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<1048576xi32>\n"
    "  %masks = stablehlo.broadcast_in_dim %mask, dims = [] : (tensor<i32>) -> "
    "tensor<1048576xi32>\n"
    "  %r:2 = stablehlo.while(%i = %x, %a = %start) : tensor<i32>, tensor<1048576xi32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %s = stablehlo.slice %a [7:8] : (tensor<1048576xi32>) -> tensor<1xi32>\n"
    "    %n = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>\n"
    "    %b = stablehlo.and %a, %masks : tensor<1048576xi32>\n"
    "    stablehlo.return %n, %b : tensor<i32>, tensor<1048576xi32>\n"
    "  }\n"
    "  return %r#0 : tensor<i32>\n}\n";

/* One kernel each, over operands that are never materialized: they would run for hours without
 * cancellation. */
static const char reduction[] =
    "func.func public @main(%x: tensor<i32>) -> tensor<i32> {\n"
    "  %i = stablehlo.iota dim = 0 : tensor<1099511627776x64xi32>\n"
    "  %s = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> "
    "tensor<1099511627776x64xi32>\n"
    "  %p = stablehlo.multiply %i, %s : tensor<1099511627776x64xi32>\n"
    "  %r = stablehlo.reduce(%p init: %x) applies stablehlo.xor across dimensions = [0, 1] : "
    "(tensor<1099511627776x64xi32>, tensor<i32>) -> tensor<i32>\n"
    "  return %r : tensor<i32>\n}\n";

static const char scatter[] =
    "func.func public @main(%x: tensor<i32>) -> tensor<i32> {\n"
    "  %z = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<8xi32>\n"
    "  %i = stablehlo.iota dim = 0 : tensor<1099511627776x1xi64>\n"
    "  %u = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> "
    "tensor<1099511627776xi32>\n"
    "  %s = \"stablehlo.scatter\"(%z, %i, %u) <{scatter_dimension_numbers = "
    "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
    "index_vector_dim = 1>}> ({\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
    "    %c = stablehlo.add %a, %b : tensor<i32>\n    stablehlo.return %c : tensor<i32>\n  }) : "
    "(tensor<8xi32>, tensor<1099511627776x1xi64>, tensor<1099511627776xi32>) -> tensor<8xi32>\n"
    "  %t = stablehlo.slice %s [0:1] : (tensor<8xi32>) -> tensor<1xi32>\n"
    "  %r = stablehlo.reshape %t : (tensor<1xi32>) -> tensor<i32>\n"
    "  return %r : tensor<i32>\n}\n";

/* Adds one: terminates immediately. */
static const char increment[] = "func.func public @main(%x: tensor<i32>) -> tensor<i32> {\n"
                                "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
                                "  %r = stablehlo.add %x, %one : tensor<i32>\n"
                                "  return %r : tensor<i32>\n}\n";

static struct error *compile(const struct test_context *t, const char *text,
                             PJRT_LoadedExecutable **out)
{
    struct abi_program program = {.code = text, .code_size = strlen(text), .format = "mlir"};
    return abi_compile(t->api, t->client, &program, out);
}

static struct error *upload(const struct test_context *t, int32_t value, PJRT_Buffer **out)
{
    struct abi_array array = {.dtype = DTYPE_S32, .bytes = &value};
    return abi_upload(t->api, t->client, t->device, &array, out);
}

/* Starts an execution; its completion is *done. */
static struct error *start(const struct test_context *t, PJRT_LoadedExecutable *loaded,
                           PJRT_Buffer *input, PJRT_Buffer **out, PJRT_Event **done)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    PJRT_Buffer *const inputs[] = {input}, *const * lists[] = {inputs};
    PJRT_Buffer **const outputs[] = {out};
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = loaded, .options = &options,
             .argument_lists = lists, .num_devices = 1, .num_args = 1, .output_lists = outputs,
             .device_complete_events = done);
    return ABI_CALL(t->api, LoadedExecutable_Execute, &args);
}

static struct error *delete_executable(const struct test_context *t, PJRT_LoadedExecutable *loaded)
{
    ABI_ARGS(LoadedExecutable_Delete, args, .executable = loaded);
    return ABI_CALL(t->api, LoadedExecutable_Delete, &args);
}

static struct error *destroy_client(struct test_context *t)
{
    ABI_ARGS(Client_Destroy, args, .client = t->client);
    t->client = NULL;
    return ABI_CALL(t->api, Client_Destroy, &args);
}

static void check_value(struct test_context *t, PJRT_Buffer *buffer, int32_t wanted)
{
    int32_t value = 0;
    CHECK_OK(t, abi_download(t->api, buffer, &value, sizeof value));
    CHECK(t, value == wanted, "%d in place of %d", (int)value, (int)wanted);
}

/* ---- Infinite loops -------------------------------------------------------------------------- */

/* Starts an infinite loop, calls `end` to stop it, and expects CANCELLED from the execution and its
 * result. */
static void ends(struct test_context *t, const char *text,
                 struct error *(*end)(struct test_context *t, PJRT_LoadedExecutable *loaded))
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *input, *output = NULL;
    PJRT_Event *done = NULL;
    int32_t value;
    NEED_OK(t, compile(t, text, &loaded));
    NEED_OK(t, upload(t, 5, &input));
    NEED_OK(t, start(t, loaded, input, &output, &done));
    CHECK_OK(t, end(t, loaded));
    CHECK_CODE(t, CANCELLED, abi_await(t->api, done));
    CHECK_CODE(t, CANCELLED, abi_download(t->api, output, &value, sizeof value));
    abi_buffer_destroy(t->api, output);
    abi_buffer_destroy(t->api, input);
    abi_executable_destroy(t->api, loaded);
}

static struct error *by_deleting(struct test_context *t, PJRT_LoadedExecutable *loaded)
{
    return delete_executable(t, loaded);
}

static struct error *by_destroying(struct test_context *t, PJRT_LoadedExecutable *loaded)
{
    (void)loaded;
    return destroy_client(t);
}

static void deleted_small_loop(struct test_context *t)
{
    ends(t, small, by_deleting);
}

static void deleted_inner_loop(struct test_context *t)
{
    ends(t, inner, by_deleting);
}

static void deleted_large_loop(struct test_context *t)
{
    ends(t, large, by_deleting);
}

static void deleted_reduction(struct test_context *t)
{
    ends(t, reduction, by_deleting);
}

static void deleted_scatter(struct test_context *t)
{
    ends(t, scatter, by_deleting);
}

static void destroyed_small_loop(struct test_context *t)
{
    ends(t, small, by_destroying);
}

static void destroyed_large_loop(struct test_context *t)
{
    ends(t, large, by_destroying);
}

/* Executions queued behind an infinite one of the same executable are cancelled with it; one of
 * another executable runs. */
static void deleted_with_followers(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded, *other;
    PJRT_Buffer *input, *outputs[4] = {NULL};
    PJRT_Event *done[4] = {NULL};
    NEED_OK(t, compile(t, small, &loaded));
    NEED_OK(t, compile(t, increment, &other));
    NEED_OK(t, upload(t, 5, &input));
    for (int i = 0; i < 3; i++)
        NEED_OK(t, start(t, loaded, input, &outputs[i], &done[i]));
    NEED_OK(t, start(t, other, input, &outputs[3], &done[3]));
    CHECK_OK(t, delete_executable(t, loaded));
    for (int i = 0; i < 3; i++)
        CHECK_CODE(t, CANCELLED, abi_await(t->api, done[i]));
    CHECK_OK(t, abi_await(t->api, done[3]));
    check_value(t, outputs[3], 6);
}

/* Releasing the last handle of an executable cancels nothing: clients do that right after
 * Execute. */
static void destroyed_executable_goes_on(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *input, *output = NULL;
    PJRT_Event *done = NULL;
    NEED_OK(t, compile(t, small, &loaded));
    NEED_OK(t, upload(t, -5, &input)); /* terminates immediately */
    NEED_OK(t, start(t, loaded, input, &output, &done));
    abi_executable_destroy(t->api, loaded);
    CHECK_OK(t, abi_await(t->api, done));
    check_value(t, output, -5);
}

/* ---- Unfilled buffers ------------------------------------------------------------------------ */

typedef PJRT_AsyncHostToDeviceTransferManager manager_t;

/* A scalar that becomes ready with fill(), or never. */
static struct error *promise(struct test_context *t, manager_t **manager, PJRT_Buffer **out)
{
    PJRT_ShapeSpec shape = {.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                            .element_type = PJRT_Buffer_Type_S32};
    ABI_ARGS(Device_DefaultMemory, memory, .device = t->device);
    TRY(ABI_CALL(t->api, Device_DefaultMemory, &memory));
    ABI_ARGS(Client_CreateBuffersForAsyncHostToDevice, args, .client = t->client,
             .shape_specs = &shape, .num_shape_specs = 1, .memory = memory.memory);
    TRY(ABI_CALL(t->api, Client_CreateBuffersForAsyncHostToDevice, &args));
    *manager = args.transfer_manager;
    ABI_ARGS(AsyncHostToDeviceTransferManager_RetrieveBuffer, get, .transfer_manager = *manager);
    TRY(ABI_CALL(t->api, AsyncHostToDeviceTransferManager_RetrieveBuffer, &get));
    *out = get.buffer_out;
    return NULL;
}

static struct error *fill(struct test_context *t, manager_t *manager, int32_t value)
{
    ABI_ARGS(AsyncHostToDeviceTransferManager_TransferData, args, .transfer_manager = manager,
             .data = &value, .transfer_size = sizeof value, .is_last_transfer = true);
    TRY(ABI_CALL(t->api, AsyncHostToDeviceTransferManager_TransferData, &args));
    return abi_await(t->api, args.done_with_h2d_transfer);
}

enum { CHAIN = 100 };

/* Many executions wait, some for each other, while those whose arguments are ready run. Then the
 * missing arguments are filled. */
static void waiting_delays_nobody(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *input, *promised, *waiting[CHAIN] = {NULL}, *output = NULL;
    PJRT_Event *done[CHAIN] = {NULL}, *free_done = NULL;
    manager_t *manager;
    NEED_OK(t, compile(t, increment, &loaded));
    NEED_OK(t, upload(t, 5, &input));
    NEED_SUPPORTED(t, promise(t, &manager, &promised));
    for (int i = 0; i < CHAIN; i++) {
        PJRT_Buffer *from = i % 2 ? waiting[i - 1] : promised;
        NEED_OK(t, start(t, loaded, from, &waiting[i], &done[i]));
    }
    for (int i = 0; i < CHAIN; i++) {
        NEED_OK(t, start(t, loaded, input, &output, &free_done));
        CHECK_OK(t, abi_await(t->api, free_done));
        check_value(t, output, 6);
        abi_buffer_destroy(t->api, output);
    }
    CHECK_OK(t, fill(t, manager, 7));
    for (int i = 0; i < CHAIN; i++) {
        CHECK_OK(t, abi_await(t->api, done[i]));
        check_value(t, waiting[i], i % 2 ? 9 : 8);
    }
}

/* The client is destroyed while executions wait: they and the buffer become errors. */
static void destroyed_while_waiting(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *promised, *first = NULL, *second = NULL;
    PJRT_Event *done[2] = {NULL};
    manager_t *manager;
    int32_t value;
    NEED_OK(t, compile(t, increment, &loaded));
    NEED_SUPPORTED(t, promise(t, &manager, &promised));
    NEED_OK(t, start(t, loaded, promised, &first, &done[0]));
    NEED_OK(t, start(t, loaded, first, &second, &done[1]));
    CHECK_OK(t, destroy_client(t));
    CHECK_ERROR(t, abi_await(t->api, done[0]));
    CHECK_ERROR(t, abi_await(t->api, done[1]));
    CHECK_ERROR(t, abi_download(t->api, promised, &value, sizeof value));
    CHECK_ERROR(t, abi_download(t->api, second, &value, sizeof value));
    CHECK_ERROR(t, fill(t, manager, 1));
    ABI_DESTROY(t->api, AsyncHostToDeviceTransferManager, transfer_manager, manager);
    abi_buffer_destroy(t->api, promised);
    abi_buffer_destroy(t->api, first);
    abi_buffer_destroy(t->api, second);
    abi_executable_destroy(t->api, loaded);
}

static void count_call(PJRT_Error *error, void *context)
{
    struct counter {
        const PJRT_Api *api;
        atomic_int calls, errors;
    } *counter = context;
    atomic_fetch_add(&counter->calls, 1);
    atomic_fetch_add(&counter->errors, error != NULL);
    error_free(abi_error(counter->api, error));
}

/* Each callback of an execution cancelled by destroying the client is called exactly once. */
static void callbacks_when_destroyed(struct test_context *t)
{
    struct counter {
        const PJRT_Api *api;
        atomic_int calls, errors;
    } counter = {.api = t->api};
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *promised, *output = NULL;
    PJRT_Event *done = NULL;
    manager_t *manager;
    NEED_OK(t, compile(t, increment, &loaded));
    NEED_SUPPORTED(t, promise(t, &manager, &promised));
    NEED_OK(t, start(t, loaded, promised, &output, &done));
    for (int i = 0; i < 3; i++) {
        ABI_ARGS(Event_OnReady, args, .event = done, .callback = count_call, .user_arg = &counter);
        CHECK_OK(t, ABI_CALL(t->api, Event_OnReady, &args));
    }
    CHECK_OK(t, destroy_client(t));
    CHECK(t, atomic_load(&counter.calls) == 3 && atomic_load(&counter.errors) == 3,
          "%d calls with %d errors in place of 3", atomic_load(&counter.calls),
          atomic_load(&counter.errors));
}

/* ---- Forks ----------------------------------------------------------------------------------- */

enum { LOAD_THREADS = 4, FORKS = 2000, CHILD_SECONDS = 60 };

struct load {
    struct test_context *t;
    PJRT_LoadedExecutable *loops;
    int number;
    atomic_bool *over;
};

/* Executes on the queue and on this thread, compiles, allocates. */
static void *keep_busy(void *context)
{
    struct load *load = context;
    static const int64_t dims[] = {64, 1024};
    for (int i = load->number; !atomic_load(load->over); i++) {
        PJRT_Buffer *buffer = NULL;
        if (i % 4 == 0)
            CHECK_OK(load->t,
                     test_context_run_program(load->t, i % 8 ? PROGRAM_add : PROGRAM_matmul));
        else if (i % 4 == 1)
            CHECK_OK(load->t, test_context_upload(load->t, DTYPE_F32, 2, dims, &buffer));
        else
            CHECK_OK(load->t, test_context_run_once(load->t, PROGRAM_loop, load->loops));
        abi_buffer_destroy(load->t->api, buffer);
    }
    return NULL;
}

/* Runs in the child and exits. */
static void use_in_child(struct test_context *t, PJRT_LoadedExecutable *add,
                         PJRT_LoadedExecutable *wide, PJRT_Buffer *before, int round)
{
    alarm(CHILD_SECONDS);
    CHECK_OK(t, test_context_run_once(t, PROGRAM_add, add));
    check_value(t, before, 5);
    if (round % 16 == 0)
        CHECK_OK(t, test_context_run_once(t, PROGRAM_large, wide));
    _exit(atomic_load(&t->failures) > 0);
}

static void check_child(struct test_context *t, pid_t child)
{
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(t, WIFEXITED(status) && !WEXITSTATUS(status), "the forked process ends with status %#x",
          status);
}

/* A thread that holds a lock of the sanitizer's allocator does not exist in the child. */
static bool forks_are_safe(struct test_context *t)
{
#ifdef __SANITIZE_ADDRESS__
    test_context_skip(t, "the address sanitizer's own locks are not safe across forks");
    return false;
#else
    (void)t;
    return true;
#endif
}

static void fork_under_load(struct test_context *t)
{
    if (!forks_are_safe(t))
        return;
    PJRT_LoadedExecutable *loops, *add, *wide;
    PJRT_Buffer *before;
    pthread_t threads[LOAD_THREADS];
    struct load loads[LOAD_THREADS];
    atomic_bool over = false;
    NEED_OK(t, test_context_compile(t, PROGRAM_loop, &loops));
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &add));
    NEED_OK(t, test_context_compile(t, PROGRAM_large, &wide));
    NEED_OK(t, upload(t, 5, &before));
    for (int i = 0; i < LOAD_THREADS; i++) {
        loads[i] = (struct load){t, loops, i, &over};
        NEED(t, !pthread_create(&threads[i], NULL, keep_busy, &loads[i]), "no thread");
    }
    for (int i = 0; i < FORKS && !atomic_load(&t->failures); i++) {
        pid_t child = fork();
        if (child == 0)
            use_in_child(t, add, wide, before, i);
        NEED(t, child > 0, "cannot fork");
        check_child(t, child);
    }
    atomic_store(&over, true);
    for (int i = 0; i < LOAD_THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* In the child, executions in flight and their dependents become errors; executions that wait for
 * the client continue once the client fills their arguments there. */
static void fork_in_flight(struct test_context *t)
{
    PJRT_LoadedExecutable *endless, *loaded;
    PJRT_Buffer *input, *promised, *outputs[3] = {NULL};
    PJRT_Event *done[3] = {NULL};
    manager_t *manager;
    int32_t value;
    if (!forks_are_safe(t))
        return;
    NEED_OK(t, compile(t, small, &endless));
    NEED_OK(t, compile(t, increment, &loaded));
    NEED_OK(t, upload(t, 5, &input));
    NEED_SUPPORTED(t, promise(t, &manager, &promised));
    NEED_OK(t, start(t, loaded, promised, &outputs[2], &done[2]));
    NEED_OK(t, start(t, endless, input, &outputs[0], &done[0]));
    NEED_OK(t, start(t, loaded, outputs[0], &outputs[1], &done[1]));
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        CHECK_ERROR(t, abi_await(t->api, done[0]));
        CHECK_ERROR(t, abi_await(t->api, done[1]));
        CHECK_ERROR(t, abi_download(t->api, outputs[1], &value, sizeof value));
        CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
        CHECK_OK(t, fill(t, manager, 1));
        CHECK_OK(t, abi_await(t->api, done[2]));
        check_value(t, outputs[2], 2);
        CHECK_OK(t, destroy_client(t));
        _exit(atomic_load(&t->failures) > 0);
    }
    NEED(t, child > 0, "cannot fork");
    check_child(t, child);
    CHECK_OK(t, delete_executable(t, endless));
    CHECK_CODE(t, CANCELLED, abi_await(t->api, done[0]));
    CHECK_OK(t, fill(t, manager, 1));
    CHECK_OK(t, abi_await(t->api, done[2]));
    check_value(t, outputs[2], 2);
}

static const struct test_context_case cases[] = {
    {"deleted_small_loop", deleted_small_loop, STAGE_CLIENT, 0},
    {"deleted_inner_loop", deleted_inner_loop, STAGE_CLIENT, 0},
    {"deleted_large_loop", deleted_large_loop, STAGE_CLIENT, 0},
    {"deleted_reduction", deleted_reduction, STAGE_CLIENT, 0},
    {"deleted_scatter", deleted_scatter, STAGE_CLIENT, 0},
    {"destroyed_small_loop", destroyed_small_loop, STAGE_CLIENT, 0},
    {"destroyed_large_loop", destroyed_large_loop, STAGE_CLIENT, 0},
    {"deleted_with_followers", deleted_with_followers, STAGE_CLIENT, 0},
    {"destroyed_executable_goes_on", destroyed_executable_goes_on, STAGE_CLIENT, 0},
    {"waiting_delays_nobody", waiting_delays_nobody, STAGE_CLIENT, 0},
    {"destroyed_while_waiting", destroyed_while_waiting, STAGE_CLIENT, 0},
    {"callbacks_when_destroyed", callbacks_when_destroyed, STAGE_CLIENT, 0},
    {"fork_under_load", fork_under_load, STAGE_CLIENT, 600},
    {"fork_in_flight", fork_in_flight, STAGE_CLIENT, 120},
    {0}};
const struct test_context_suite suite_progress = {"progress", cases};
