/* suite_lifetimes.c: objects destroyed in the orders that clients use: garbage collectors run late,
 * and on other threads. */
#include <pthread.h>

#include "conformance/test_context.h"

/* All objects of one execution. */
struct things {
    struct test_context *t;
    PJRT_LoadedExecutable *loaded;
    PJRT_Executable *executable;
    PJRT_Buffer *arguments[5], *results[4];
    PJRT_Event *ready;
};

static struct error *make(struct test_context *t, struct things *things)
{
    *things = (struct things){.t = t};
    TRY(test_context_compile(t, PROGRAM_add, &things->loaded));
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = things->loaded);
    TRY(ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get));
    things->executable = get.executable;
    TRY(test_context_arguments(t, PROGRAM_add, things->arguments));
    TRY(abi_execute(t->api, things->loaded, things->arguments, 2, things->results, 1));
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = things->results[0]);
    TRY(ABI_CALL(t->api, Buffer_ReadyEvent, &ready));
    things->ready = ready.event;
    return NULL;
}

static void destroy_buffers(struct things *things)
{
    for (int i = 0; i < 2; i++)
        abi_buffer_destroy(things->t->api, things->arguments[i]);
    abi_buffer_destroy(things->t->api, things->results[0]);
}

static void destroy_executables(struct things *things)
{
    ABI_DESTROY(things->t->api, Executable, executable, things->executable);
    abi_executable_destroy(things->t->api, things->loaded);
}

static void destroy_client(struct test_context *t)
{
    ABI_ARGS(Client_Destroy, args, .client = t->client);
    CHECK_OK(t, ABI_CALL(t->api, Client_Destroy, &args));
    t->client = NULL;
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* JAX: the executable before the loaded one, then buffers, the client last. */
static void as_jax(struct test_context *t)
{
    struct things things;
    NEED_OK(t, make(t, &things));
    destroy_executables(&things);
    CHECK_OK(t, abi_await(t->api, things.ready));
    CHECK_OK(t, test_context_compare(t, PROGRAM_add, things.results));
    destroy_buffers(&things);
    destroy_client(t);
}

/* go-xla: buffers and events after the client. */
static void buffers_after_client(struct test_context *t)
{
    struct things things;
    NEED_OK(t, make(t, &things));
    destroy_executables(&things);
    destroy_client(t);
    CHECK_OK(t, abi_await(t->api, things.ready));
    destroy_buffers(&things);
}

/* PyTorch/XLA destroys nothing before the process exits. */
static void nothing_destroyed(struct test_context *t)
{
    struct things things;
    NEED_OK(t, make(t, &things));
    t->client = NULL; /* the runner must not destroy it */
}

/* ---- Pending work ---------------------------------------------------------------------------- */

static struct error *start(struct test_context *t, PJRT_LoadedExecutable *loaded,
                           PJRT_Buffer *const *inputs, PJRT_Buffer **out)
{
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    ABI_ARGS(LoadedExecutable_Execute, args, .executable = loaded, .options = &options,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 1, .output_lists = &out);
    return ABI_CALL(t->api, LoadedExecutable_Execute, &args);
}

/* The argument, the executable and the result are destroyed while the program may be running. */
static void destroyed_while_running(struct test_context *t)
{
    for (int i = 0; i < 20; i++) {
        PJRT_LoadedExecutable *loaded;
        PJRT_Buffer *arguments[5], *result = NULL;
        NEED_OK(t, test_context_compile(t, PROGRAM_large, &loaded));
        NEED_OK(t, test_context_arguments(t, PROGRAM_large, arguments));
        CHECK_OK(t, start(t, loaded, arguments, &result));
        abi_buffer_destroy(t->api, arguments[0]);
        abi_executable_destroy(t->api, loaded);
        if (i % 2 && result)
            CHECK_OK(t, test_context_compare(t, PROGRAM_large, &result));
        abi_buffer_destroy(t->api, result);
    }
}

static void client_destroyed_while_running(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    PJRT_Buffer *arguments[5], *result = NULL;
    NEED_OK(t, test_context_compile(t, PROGRAM_large, &loaded));
    NEED_OK(t, test_context_arguments(t, PROGRAM_large, arguments));
    CHECK_OK(t, start(t, loaded, arguments, &result));
    destroy_client(t);
    abi_buffer_destroy(t->api, result);
    abi_buffer_destroy(t->api, arguments[0]);
    abi_executable_destroy(t->api, loaded);
}

/* ---- Other threads --------------------------------------------------------------------------- */

static void *collect(void *argument)
{
    destroy_buffers(argument);
    destroy_executables(argument);
    return NULL;
}

static void destroyed_by_another_thread(struct test_context *t)
{
    enum { SETS = 8 };
    struct things things[SETS];
    pthread_t threads[SETS];
    for (int i = 0; i < SETS; i++) {
        NEED_OK(t, make(t, &things[i]));
        CHECK_OK(t, abi_await(t->api, things[i].ready));
    }
    destroy_client(t);
    for (int i = 0; i < SETS; i++)
        pthread_create(&threads[i], NULL, collect, &things[i]);
    for (int i = 0; i < SETS; i++)
        pthread_join(threads[i], NULL);
}

/* Elixir's schedulers have stacks of 320 KiB; some threads have smaller ones. */
static void *compile_and_run(void *argument)
{
    struct test_context *t = argument;
    CHECK_OK(t, test_context_run_program(t, PROGRAM_mlp_grad));
    return NULL;
}

static void small_stack(struct test_context *t)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    NEED(t, !pthread_create(&thread, &attributes, compile_and_run, t), "no thread");
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

static const struct test_context_case cases[] = {
    {"as_jax", as_jax, STAGE_CLIENT, 0},
    {"buffers_after_client", buffers_after_client, STAGE_CLIENT, 0},
    {"nothing_destroyed", nothing_destroyed, STAGE_CLIENT, 0},
    {"destroyed_while_running", destroyed_while_running, STAGE_CLIENT, 0},
    {"client_destroyed_while_running", client_destroyed_while_running, STAGE_CLIENT, 0},
    {"destroyed_by_another_thread", destroyed_by_another_thread, STAGE_CLIENT, 0},
    {"small_stack", small_stack, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_lifetimes = {"lifetimes", cases};
