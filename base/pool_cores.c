/* pool_cores.c: see pool_cores.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* affinity */
#endif
#include "base/pool_cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/env.h"

/* Whether mask and quota allow the whole machine, and its load is low. */
static bool cores_are_exclusive(int width)
{
    double load = 0;
    FILE *file = fopen("/proc/loadavg", "re");
    if (!file)
        return false;
    int read = fscanf(file, "%lf", &load);
    fclose(file);
    return read == 1 && width == (int)sysconf(_SC_NPROCESSORS_ONLN) && load < 0.25 * width;
}

static bool pinning_wanted(int width)
{
    enum { AUTO, NEVER, ALWAYS }; /* as in env.def */
    int choice = env_choice(ENV_GANTRY_PIN);
    return choice == ALWAYS || (choice != NEVER && cores_are_exclusive(width));
}

/* Writes the numbers of at most `capacity` cores of this process's mask; returns how many were
 * written. */
static int allowed_cpus(int *cpus, int capacity)
{
    int count = 0;
    cpu_set_t *set = CPU_ALLOC(POOL_CORES_MAX);
    if (!set)
        return 0;
    size_t size = CPU_ALLOC_SIZE(POOL_CORES_MAX);
    if (sched_getaffinity(0, size, set) == 0)
        for (int cpu = 0; cpu < POOL_CORES_MAX && count < capacity; cpu++)
            if (CPU_ISSET_S(cpu, size, set))
                cpus[count++] = cpu;
    CPU_FREE(set);
    return count;
}

/* Sorts cores by group; the sort is stable. */
static void order_cores(int (*group_of)(int cpu), int *cpus, int count)
{
    for (int i = 1; group_of && i < count; i++) {
        int cpu = cpus[i], group = group_of(cpu), k = i;
        for (; k > 0 && group_of(cpus[k - 1]) > group; k--)
            cpus[k] = cpus[k - 1];
        cpus[k] = cpu;
    }
}

int pool_cores_plan(int (*group_of)(int cpu), int *cpus, int width)
{
    if (!pinning_wanted(width) || allowed_cpus(cpus, width) < width)
        return 0;
    order_cores(group_of, cpus, width);
    return width;
}

void pool_cores_pin(int cpu)
{
    cpu_set_t *set = cpu < 0 ? NULL : CPU_ALLOC((size_t)cpu + 1);
    if (!set)
        return;
    size_t size = CPU_ALLOC_SIZE((size_t)cpu + 1);
    CPU_ZERO_S(size, set);
    CPU_SET_S((size_t)cpu, size, set);
    pthread_setaffinity_np(pthread_self(), size, set);
    CPU_FREE(set);
}
