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

/* Of rule_repeat(): the time of a measurement, and the growth that is no leak. */
enum { MOST_SECONDS = 3, MOST_BYTES = 2 << 20 };

/* ---- Threads --------------------------------------------------------------------------------- */

struct worker {
    struct rule_context *t;
    void (*run)(struct rule_context *t, int i);
    int i;
    pthread_rwlock_t *gate; /* open once it can be read */
    pthread_t thread;
};

static void *work(void *user)
{
    struct worker *worker = user;
    pthread_rwlock_rdlock(worker->gate);
    worker->run(worker->t, worker->i);
    pthread_rwlock_unlock(worker->gate);
    return NULL;
}

void rule_threads(struct rule_context *t, void (*run)(struct rule_context *t, int i))
{
    struct worker workers[RULE_THREADS];
    pthread_rwlock_t gate;
    int started = 0, error = 0;
    pthread_rwlock_init(&gate, NULL);
    pthread_rwlock_wrlock(&gate);
    while (started < RULE_THREADS && !error) {
        workers[started] = (struct worker){t, run, started, &gate, 0};
        error = pthread_create(&workers[started].thread, NULL, work, &workers[started]);
        started += !error;
    }
    if (error)
        rule_fail(t, "thread %d could not be started: %s", started, strerror(error));
    pthread_rwlock_unlock(&gate);
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_rwlock_destroy(&gate);
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

struct growth {
    int cycles;
    struct process_usage before, after;
};

static int64_t grown_bytes(const struct growth *growth)
{
    return process_usage_is_exact() ? growth->after.resident_bytes - growth->before.resident_bytes
                                    : 0;
}

/* More than what a pool takes that has grown. */
static bool has_grown(const struct growth *growth, int before, int after)
{
    return after > before + growth->cycles / 20 + 1;
}

/* Measures again and again while something grows; whether it grew each time. False when a cycle
 * fails, too. */
static bool always_grows(struct rule_context *t, int cycles, bool (*cycle)(struct rule_context *t),
                         struct growth *out)
{
    enum { MEASUREMENTS = 2 };
    for (int i = 0; i < MEASUREMENTS; i++) {
        out->before = process_usage();
        out->cycles = repeat(t, cycles, cycle);
        out->after = process_usage();
        bool grown = grown_bytes(out) > MOST_BYTES ||
                     has_grown(out, out->before.threads, out->after.threads) ||
                     has_grown(out, out->before.files, out->after.files);
        if (!out->cycles || !grown)
            return false;
    }
    return true;
}

void rule_repeat(struct rule_context *t, int cycles, bool (*cycle)(struct rule_context *t))
{
    struct growth last;
    if (!repeat(t, cycles / 10 + 3, cycle) || !always_grows(t, cycles, cycle, &last))
        return;
    if (grown_bytes(&last) > MOST_BYTES)
        rule_leak(t, "%d cycles take %" PRId64 " KiB", last.cycles, grown_bytes(&last) >> 10);
    if (has_grown(&last, last.before.threads, last.after.threads))
        rule_leak(t, "%d threads have become %d in %d cycles", last.before.threads,
                  last.after.threads, last.cycles);
    if (has_grown(&last, last.before.files, last.after.files))
        rule_leak(t, "%d open files have become %d in %d cycles", last.before.files,
                  last.after.files, last.cycles);
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
