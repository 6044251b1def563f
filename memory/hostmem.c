/* hostmem.c: mmap, aligned so that the kernel can use huge pages, and madvise to ask for them. */
#include "memory/hostmem.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/env.h"
#include "memory/numa.h"

static atomic_ullong mapped;

uint64_t hostmem_page(void)
{
    long page = sysconf(_SC_PAGESIZE);
    return page > 0 ? (uint64_t)page : 4096;
}

uint64_t hostmem_round(uint64_t size)
{
    uint64_t page = hostmem_page();
    return size > 1ULL << 62 ? size : (size + page - 1) & ~(page - 1);
}

/* Maps `size` bytes at a multiple of a huge page: maps more, and unmaps what is before and behind.
 */
static void *map_aligned(uint64_t size)
{
    uint64_t more = size + HOSTMEM_HUGE;
    char *wide = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (wide == MAP_FAILED)
        return MAP_FAILED;
    uint64_t before = -(uintptr_t)wide & (HOSTMEM_HUGE - 1);
    if (before)
        munmap(wide, before);
    munmap(wide + before + size, HOSTMEM_HUGE - before);
    return wide + before;
}

struct error *hostmem_map(uint64_t size, int node, void **bytes, bool *bound)
{
    bool huge = size >= HOSTMEM_HUGE, granted = false;
    void *memory = MAP_FAILED;
    *bytes = NULL;
    errno = ENOMEM;
    if (size <= 1ULL << 62)
        memory = huge
                     ? map_aligned(size)
                     : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return ERROR(RESOURCE_EXHAUSTED,
                     "Out of memory: the system maps no %llu bytes more (%llu are mapped): %s",
                     (unsigned long long)size, (unsigned long long)hostmem_mapped(),
                     strerror(errno));
    if (huge && env_int(ENV_GANTRY_HUGE_PAGES, 1))
        madvise(memory, size,
                MADV_HUGEPAGE); /* a hint, too: without support there are small pages */
    if (node >= 0)
        granted = numa_bind(memory, size, node);
    if (bound)
        *bound = granted;
    atomic_fetch_add_explicit(&mapped, size, memory_order_relaxed);
    *bytes = memory;
    return NULL;
}

void hostmem_unmap(void *bytes, uint64_t size)
{
    if (!bytes)
        return;
    munmap(bytes, size);
    atomic_fetch_sub_explicit(&mapped, size, memory_order_relaxed);
}

uint64_t hostmem_mapped(void)
{
    return atomic_load_explicit(&mapped, memory_order_relaxed);
}

static bool limit_of_group(const char *folder, int64_t *value)
{
    char first[32], second[32];
    if (!cgroup_words(folder, "memory.max", first, second) &&
        !cgroup_words(folder, "memory.limit_in_bytes", first, second))
        return false;
    char *end;
    errno = 0;
    *value = strtoll(first, &end, 10); /* "max" is no number */
    return !errno && end != first && *value > 0;
}

uint64_t hostmem_limit(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t limit = pages > 0 ? (uint64_t)pages * hostmem_page() : 1ULL << 33;
    int64_t group = cgroup_least("memory", limit_of_group);
    return group > 0 && (uint64_t)group < limit ? (uint64_t)group : limit;
}
