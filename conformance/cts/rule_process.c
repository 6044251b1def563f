/* rule_process.c: threads and resources of this process. */
#include "conformance/cts/rule_process.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/cts/child.h"
#include "conformance/process_usage.h"

enum { MOST_SECONDS = 10 }; /* of rule_repeat() */

/* ---- Threads --------------------------------------------------------------------------------- */

struct worker {
    struct rule_context *t;
    void (*run)(struct rule_context *t, int i);
    int i;
    pthread_barrier_t *start;
    pthread_t thread;
};

static void *work(void *user)
{
    struct worker *worker = user;
    pthread_barrier_wait(worker->start);
    worker->run(worker->t, worker->i);
    return NULL;
}

void rule_threads(struct rule_context *t, void (*run)(struct rule_context *t, int i))
{
    struct worker workers[RULE_THREADS];
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, RULE_THREADS);
    for (int i = 0; i < RULE_THREADS; i++) {
        workers[i] = (struct worker){t, run, i, &start, 0};
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < RULE_THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&start);
}

/* ---- Resources ------------------------------------------------------------------------------- */

/* Returns how many cycles it ran within its time, at least 10 if so many are asked for; 0 if one of
 * them returned false. */
static int repeat(struct rule_context *t, int cycles, bool (*cycle)(struct rule_context *t))
{
    double start = child_clock();
    for (int i = 0; i < cycles; i++) {
        if (i >= 10 && child_clock() - start > MOST_SECONDS)
            return i;
        if (!cycle(t))
            return 0;
    }
    return cycles;
}

void rule_repeat(struct rule_context *t, int cycles, bool (*cycle)(struct rule_context *t))
{
    if (!repeat(t, cycles / 10 + 3, cycle))
        return;
    struct process_usage before = process_usage();
    cycles = repeat(t, cycles, cycle);
    if (!cycles)
        return;
    struct process_usage after = process_usage();
    int64_t growth = after.resident_bytes - before.resident_bytes;
    int slack = cycles / 20 + 1; /* a pool that has grown is no leak */
    if (process_usage_is_exact() && growth > 2 << 20)
        rule_leak(t, "%d cycles take %" PRId64 " KiB", cycles, growth >> 10);
    if (after.threads > before.threads + slack)
        rule_leak(t, "%d threads have become %d in %d cycles", before.threads, after.threads,
                  cycles);
    if (after.files > before.files + slack)
        rule_leak(t, "%d open files have become %d in %d cycles", before.files, after.files,
                  cycles);
}

int64_t rule_output(void)
{
    struct stat out, err;
    fflush(NULL);
    if (fstat(1, &out) || fstat(2, &err) || !S_ISREG(out.st_mode) || out.st_ino != err.st_ino)
        return -1;
    return out.st_size;
}

/* ---- Environment ----------------------------------------------------------------------------- */

void rule_environment_read(struct rule_environment *out)
{
    extern char **environ;
    *out = (struct rule_environment){0};
    for (char **at = environ; *at; at++)
        out->bytes += strlen(*at) + 1;
    if (!getcwd(out->folder, sizeof out->folder))
        out->folder[0] = '\0';
}

void rule_environment_check(struct rule_context *t, const struct rule_environment *before)
{
    struct rule_environment now;
    rule_environment_read(&now);
    CHECK(t, now.bytes == before->bytes, "%zu bytes of variables have become %zu", before->bytes,
          now.bytes);
    CHECK(t, !strcmp(now.folder, before->folder), "the working directory '%s' has become '%s'",
          before->folder, now.folder);
}
