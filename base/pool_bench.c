/* pool_bench.c: the cost of a call of pool_parallel, hot and after the workers fell asleep, and of
 * a hand-over to a task thread. Prints medians and the 99th percentile. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/pool.h"

enum { HOT = 20000, COLD = 300, SIZES = 3 };

static float data[8 << 20];
static volatile int arrived;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void idle(long milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

static int by_value(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return difference < 0 ? -1 : difference > 0;
}

static void report(const char *what, double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, by_value);
    printf("%-44s p50 %10.2f us   p99 %10.2f us\n", what, times[count / 2],
           times[count * 99 / 100]);
}

static void nothing(void *context, int64_t begin, int64_t end)
{
    (void)context, (void)begin, (void)end;
}

static void scale(void *context, int64_t begin, int64_t end)
{
    (void)context;
    for (int64_t i = begin; i < end; i++)
        data[i] = data[i] * 1.0001f + 0.5f;
}

static void arrive(void *context)
{
    *(volatile double *)context = now();
    __atomic_store_n(&arrived, 1, __ATOMIC_RELEASE);
}

static void measure_calls(const char *what, int64_t count, int64_t grain, int times, long pause,
                          void (*body)(void *, int64_t, int64_t))
{
    static double taken[HOT];
    char text[64];
    for (int i = 0; i < times; i++) {
        if (pause)
            idle(pause);
        double start = now();
        pool_parallel(pool_shared(), count, grain, body, NULL);
        taken[i] = now() - start;
    }
    snprintf(text, sizeof text, "%s, %lld in %lld", what, (long long)count, (long long)grain);
    report(text, taken, times);
}

static void measure_submit(long pause)
{
    static double taken[COLD];
    for (int i = 0; i < COLD; i++) {
        double there = 0;
        idle(pause);
        arrived = 0;
        double start = now();
        if (pool_submit(pool_shared(), arrive, &there))
            return;
        while (!__atomic_load_n(&arrived, __ATOMIC_ACQUIRE))
            idle(0);
        taken[i] = there - start;
    }
    report("submit, until the task starts", taken, COLD);
}

int main(void)
{
    static const int64_t sizes[SIZES] = {4096, 65536, 8 << 20};
    printf("%d threads\n", pool_width(pool_shared()));
    measure_calls("hot, empty", 2, 1, HOT, 0, nothing);
    measure_calls("hot, empty", 16, 1, HOT, 0, nothing);
    for (int i = 0; i < SIZES; i++) {
        int times = sizes[i] > 1 << 20 ? 40 : COLD;
        measure_calls("serial", sizes[i], sizes[i], times, 3, scale);
        measure_calls("after 3 ms idle", sizes[i], sizes[i] / 8, times, 3, scale);
        measure_calls("hot", sizes[i], sizes[i] / 8, times * 30, 0, scale);
    }
    measure_submit(1);
    return 0;
}
