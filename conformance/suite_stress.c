/* suite_stress.c: random operations on buffers from many threads, checked against a model of the
 * contents of each buffer. GANTRY_TEST_OPERATIONS sets their number, GANTRY_TEST_SEED the random
 * seed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "conformance/stress_operations.h"

enum { THREADS = 8, CHECK_EVERY = 500 };

static long setting(const char *name, long usual)
{
    const char *given = getenv(name);
    return given ? atol(given) : usual;
}

static void *work(void *argument)
{
    struct stress_worker *worker = argument;
    struct stress_context *context = worker->context;
    while (worker->operations > 0 && !atomic_load(&context->t->failures)) {
        pthread_rwlock_rdlock(&context->running);
        worker->operations -= stress_operations_one(worker);
        pthread_rwlock_unlock(&context->running);
        if (worker->operations % CHECK_EVERY)
            continue;
        pthread_rwlock_wrlock(&context->running);
        stress_context_check(context);
        pthread_rwlock_unlock(&context->running);
    }
    return NULL;
}

/* Fulfills all promises, then reads, checks and destroys every buffer. */
static void finish(struct stress_context *context, struct stress_worker *workers)
{
    for (int i = 0; i < STRESS_SLOTS; i++)
        if (context->slots[i].buffer)
            stress_operations_break_promise(context, &context->slots[i]);
    for (int i = 0; i < THREADS; i++)
        stress_context_await_downloads(&workers[i]);
    stress_context_check(context);
    for (int i = 0; i < STRESS_SLOTS; i++)
        if (context->slots[i].buffer) {
            stress_operations_download(&workers[0], &context->slots[i]);
            stress_context_clear(context, &context->slots[i]);
            stress_context_await_downloads(&workers[0]);
        }
    for (int i = 0; i < THREADS; i++)
        stress_context_await_loans(&workers[i]);
}

/* The devices' memory statistics return to their initial values once all threads have released
 * their memory. */
static void check_counters(struct stress_context *context, int64_t before)
{
    int64_t bytes = stress_context_bytes(context);
    for (int i = 0; i < 6000 && (bytes != before || atomic_load(&context->views)); i++) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        bytes = stress_context_bytes(context);
    }
    CHECK(context->t, bytes == before, "%lld bytes are in use at the end, %lld at the start",
          (long long)bytes, (long long)before);
    CHECK(context->t, !atomic_load(&context->views), "%lld arrays of views are not given back",
          (long long)atomic_load(&context->views));
}

static void run(struct test_context *t, int64_t limit)
{
    static struct stress_context context;
    static struct stress_worker workers[THREADS];
    long operations = setting("GANTRY_TEST_OPERATIONS", 100000),
         seed = setting("GANTRY_TEST_SEED", 1);
    if (stress_context_open(&context, t, limit)) {
        int64_t before = stress_context_bytes(&context);
        for (int i = 0; i < THREADS; i++) {
            workers[i] = (struct stress_worker){.context = &context,
                                                .random = (uint64_t)seed << 16 | (uint64_t)i,
                                                .operations = (int)(operations / THREADS)};
            NEED(t, !pthread_create(&workers[i].thread, NULL, work, &workers[i]), "no thread");
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(workers[i].thread, NULL);
        finish(&context, workers);
        check_counters(&context, before);
    }
    stress_context_close(&context);
}

static void random_operations(struct test_context *t)
{
    run(t, 0);
}

/* Memory for only some of the large arrays: failed operations leak nothing. */
static void little_memory(struct test_context *t)
{
    run(t, 24 << 20);
}

static const struct test_context_case cases[] = {
    {"random_operations", random_operations, STAGE_PLUGIN, 600},
    {"little_memory", little_memory, STAGE_PLUGIN, 600},
    {0}};
const struct test_context_suite suite_stress = {"stress", cases};
