/* gang_tsan.c: a thread for each of 8 fake devices executes programs that meet in collectives, all
 * in the same order, some of which fail on one device; another thread executes on all devices at
 * once, with executables of its own that it deletes. Exits 0 when every sum is right, every failure
 * reaches all devices, and the thread sanitizer reports nothing.
 * Variable: GANTRY_TEST_SECONDS, how long (default 10). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/fake_gang.h"

enum { DEVICES = 8, PROGRAMS = 3, BASE = DEVICES * (DEVICES - 1) / 2, AHEAD = 4 };

static struct client *client;
static struct loaded_executable *programs[PROGRAMS]; /* the last one fails */
static int64_t until;
/* The executions that all threads make; it grows while there is time, so that all end together. */
static atomic_long planned = AHEAD;
static atomic_int wrong;

static void check(struct error *error, bool fails)
{
    if (!error != fails) {
        error_free(error);
        return;
    }
    fprintf(stderr, "%s\n", error ? error_message(error, NULL) : "no error");
    error_free(error);
    atomic_fetch_add(&wrong, 1);
}

static int64_t now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static bool goes_on(long round)
{
    if (now_seconds() < until && atomic_load(&planned) < round + AHEAD)
        atomic_fetch_add(&planned, AHEAD);
    return round < atomic_load(&planned);
}

static void *use_device(void *context)
{
    int device = *(int *)context;
    for (long round = 0; goes_on(round); round++) {
        struct buffer *results[AHEAD] = {NULL};
        int which = (int)(round % PROGRAMS), count = 1 + (int)(round % AHEAD);
        for (int i = 0; i < count; i++)
            check(fake_gang_execute(programs[which], device, (float)(device + i), &results[i]),
                  false);
        for (int i = 0; i < count; i++)
            check(fake_gang_check(results[i], DEVICES, (float)(BASE + DEVICES * i)),
                  which == PROGRAMS - 1);
    }
    return NULL;
}

static void execute_all(struct loaded_executable *loaded)
{
    struct buffer *arguments[DEVICES], *results[DEVICES], *const *lists[DEVICES],
        **outputs[DEVICES];
    for (int i = 0; i < DEVICES; i++) {
        check(fake_gang_argument(client, i, (float)i, &arguments[i]), false);
        lists[i] = &arguments[i], outputs[i] = &results[i];
    }
    check(execute(&(struct execute_request){.executable = loaded,
                                            .device_count = DEVICES,
                                            .argument_count = 1,
                                            .arguments = lists,
                                            .results = outputs}),
          false);
    for (int i = 0; i < DEVICES; i++) {
        check(fake_gang_check(results[i], DEVICES, BASE), false);
        buffer_release(arguments[i]);
    }
}

/* Each executable is executed as a whole, then on all devices but the last, and deleted. */
static void *use_all(void *context)
{
    (void)context;
    for (int number = 100; now_seconds() < until; number++) {
        struct loaded_executable *loaded;
        struct buffer *results[DEVICES];
        check(fake_gang_load(client, "sum", DEVICES, number, &loaded), false);
        execute_all(loaded);
        for (int i = 0; i < DEVICES - 1; i++)
            check(fake_gang_execute(loaded, i, (float)i, &results[i]), false);
        execute_delete(loaded);
        for (int i = 0; i < DEVICES - 1; i++)
            check(fake_gang_check(results[i], DEVICES, BASE), true);
        loaded_executable_release(loaded);
    }
    return NULL;
}

int main(void)
{
    static const char *const names[] = {"sum", "sum_again", "sum_fails"};
    const char *seconds = getenv("GANTRY_TEST_SECONDS");
    struct device_options options = {.device_count = DEVICES};
    pthread_t threads[DEVICES + 1];
    int ids[DEVICES];
    until = now_seconds() + (seconds ? atoi(seconds) : 10);
    check(client_create(&fake_library, &options, &client), false);
    for (int i = 0; i < PROGRAMS; i++)
        check(fake_gang_load(client, names[i], DEVICES, i + 1, &programs[i]), false);
    for (int i = 0; i < DEVICES; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, use_device, &ids[i]);
    }
    pthread_create(&threads[DEVICES], NULL, use_all, NULL);
    for (int i = 0; i <= DEVICES; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PROGRAMS; i++)
        loaded_executable_release(programs[i]);
    client_close(client);
    fprintf(stderr, "%ld rounds\n", atomic_load(&planned));
    return atomic_load(&wrong) != 0;
}
