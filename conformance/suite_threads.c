/* suite_threads.c: many threads use the same client, executable and buffer. Also run under
 * ThreadSanitizer with fewer rounds: GANTRY_TEST_ROUNDS sets the rounds per thread. */
#include <pthread.h>
#include <stdlib.h>

#include "conformance/test_context.h"

enum { THREADS = 16 };

struct worker {
    struct test_context *t;
    void (*work)(struct test_context *t, void *shared, int number);
    void *shared;
    int number;
    pthread_t thread;
};

static int rounds(int usual)
{
    const char *given = getenv("GANTRY_TEST_ROUNDS");
    return given ? atoi(given) : usual;
}

static void *start(void *argument)
{
    struct worker *worker = argument;
    worker->work(worker->t, worker->shared, worker->number);
    return NULL;
}

static void on_threads(struct test_context *t, void (*work)(struct test_context *, void *, int),
                       void *shared)
{
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){t, work, shared, i, 0};
        if (pthread_create(&workers[i].thread, NULL, start, &workers[i])) {
            test_context_fail(t, __FILE__, __LINE__, "no thread");
            workers[i].number = -1;
        }
    }
    for (int i = 0; i < THREADS; i++)
        if (workers[i].number >= 0)
            pthread_join(workers[i].thread, NULL);
}

static void compile_all(struct test_context *t, void *shared, int number)
{
    static const char *const forms[] = {".mlirbc", ".mlir", ".generic.mlir", ".hlo.pb"};
    (void)shared;
    for (int round = 0; round < rounds(2); round++)
        for (int i = 0; i < PROGRAM_COUNT; i++) {
            enum test_context_program_name name =
                (enum test_context_program_name)((i + number) % PROGRAM_COUNT);
            PJRT_LoadedExecutable *executable;
            NEED_SUPPORTED(
                t, test_context_compile_form(t, name, forms[(number + round) % 4], &executable));
            CHECK_OK(t, test_context_run_once(t, name, executable));
            abi_executable_destroy(t->api, executable);
        }
}

/* Each thread compiles and runs all programs, starting with a different program and form. */
static void compile_and_execute(struct test_context *t)
{
    on_threads(t, compile_all, NULL);
}

static void run_shared(struct test_context *t, void *shared, int number)
{
    PJRT_LoadedExecutable *const *executables = shared;
    for (int round = 0; round < rounds(50); round++) {
        int name = (round + number) % PROGRAM_COUNT;
        CHECK_OK(t,
                 test_context_run_once(t, (enum test_context_program_name)name, executables[name]));
    }
}

static void one_executable(struct test_context *t)
{
    PJRT_LoadedExecutable *executables[PROGRAM_COUNT];
    for (int i = 0; i < PROGRAM_COUNT; i++)
        NEED_OK(t, test_context_compile(t, (enum test_context_program_name)i, &executables[i]));
    on_threads(t, run_shared, executables);
    for (int i = 0; i < PROGRAM_COUNT; i++)
        abi_executable_destroy(t->api, executables[i]);
}

static void read_shared(struct test_context *t, void *shared, int number)
{
    float back[256];
    PJRT_Buffer *buffer = shared;
    for (int round = 0; round < rounds(50); round++) {
        CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
        CHECK(t, (double)back[9] == test_context_value(DTYPE_F32, 9), "thread %d reads %g", number,
              (double)back[9]);
        ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = buffer);
        if (CHECK_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &ready)))
            CHECK_OK(t, abi_await(t->api, ready.event));
        (void)test_context_is_deleted(t, buffer);
    }
}

static void one_buffer(struct test_context *t)
{
    const int64_t dims[] = {256};
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    on_threads(t, read_shared, buffer);
    abi_buffer_destroy(t->api, buffer);
}

/* One thread deletes while the others read: each reader gets the bytes or an error that the buffer
 * is deleted. */
static void read_or_learn(struct test_context *t, void *shared, int number)
{
    float back[256];
    PJRT_Buffer *buffer = shared;
    ABI_ARGS(Buffer_Delete, delete, .buffer = buffer);
    if (number == THREADS / 2)
        CHECK_OK(t, ABI_CALL(t->api, Buffer_Delete, &delete));
    struct error *error = abi_download(t->api, buffer, back, sizeof back);
    if (error)
        CHECK_CODE(t, FAILED_PRECONDITION, error);
    else
        CHECK(t, (double)back[200] == test_context_value(DTYPE_F32, 200), "thread %d reads %g",
              number, (double)back[200]);
}

static void delete_while_reading(struct test_context *t)
{
    const int64_t dims[] = {256};
    for (int round = 0; round < rounds(50); round++) {
        PJRT_Buffer *buffer;
        NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
        on_threads(t, read_or_learn, buffer);
        abi_buffer_destroy(t->api, buffer);
    }
}

static void client_of_its_own(struct test_context *t, void *shared, int number)
{
    (void)shared, (void)number;
    struct test_context own = {
        .path = t->path, .programs = t->programs, .plugin = t->plugin, .api = t->api};
    if (CHECK_OK(t, abi_client_create(own.api, NULL, 0, &own.client)) &&
        CHECK_OK(t, abi_first_device(own.api, own.client, &own.device)))
        CHECK_OK(t, test_context_run_program(&own, PROGRAM_matmul));
    if (own.client)
        abi_client_destroy(own.api, own.client);
}

static void many_clients(struct test_context *t)
{
    on_threads(t, client_of_its_own, NULL);
}

static const struct test_context_case cases[] = {
    {"compile_and_execute", compile_and_execute, STAGE_CLIENT, 300},
    {"one_executable", one_executable, STAGE_CLIENT, 300},
    {"one_buffer", one_buffer, STAGE_CLIENT, 120},
    {"delete_while_reading", delete_while_reading, STAGE_CLIENT, 120},
    {"many_clients", many_clients, STAGE_CLIENT, 120},
    {0}};
const struct test_context_suite suite_threads = {"threads", cases};
