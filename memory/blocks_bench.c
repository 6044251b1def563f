/* blocks_bench.c: the cost of tensor memory, fresh and from the cache. Prints medians. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory/blocks.h"
#include "memory/storage.h"

enum { TIMES = 20000, FRESH = 15, BATCH = 64 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return difference < 0 ? -1 : difference > 0;
}

static void report(const char *what, uint64_t size, double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, by_value);
    printf("%-36s %10llu KiB  p50 %12.3f us\n", what, (unsigned long long)(size >> 10),
           times[count / 2] * 1e-3);
}

/* One round is BATCH pairs, so that the cost of reading the clock is negligible. */
static void measure_cached(struct space *space, uint64_t size)
{
    static double taken[TIMES / BATCH];
    for (int i = 0; i < TIMES / BATCH; i++) {
        double start = now();
        for (int k = 0; k < BATCH; k++) {
            struct storage *storage;
            if (space_alloc(space, size, &storage))
                return;
            storage_release(storage);
        }
        taken[i] = (now() - start) / BATCH;
    }
    report("alloc + free, cached", size, taken, TIMES / BATCH);
}

static void measure_touch(struct space *space, uint64_t size, bool fresh)
{
    static double taken[FRESH];
    for (int i = 0; i < FRESH; i++) {
        struct storage *storage;
        if (fresh)
            space_trim();
        double start = now();
        if (space_alloc(space, size, &storage))
            return;
        memset(storage->address, i, size);
        storage_release(storage);
        taken[i] = now() - start;
    }
    report(fresh ? "alloc + memset + free, fresh" : "alloc + memset + free, cached", size, taken,
           FRESH);
}

int main(void)
{
    struct space *space;
    struct space_options options = {.kind = MEMORY_DEVICE, .place = {.node = -1}, .name = "bench"};
    if (space_create(&options, &space))
        return 1;
    static const uint64_t sizes[] = {64, 4096, 65536, 1 << 20, 64 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        measure_cached(space, sizes[i]);
    for (int fresh = 1; fresh >= 0; fresh--)
        measure_touch(space, 64 << 20, fresh);
    space_release(space);
    return 0;
}
