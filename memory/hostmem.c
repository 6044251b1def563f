/* hostmem.c: mmap, aligned so that the kernel can use huge pages, madvise to request them, mlock,
 * and counters of what was granted and refused. */
#include "memory/hostmem.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/env.h"
#include "base/peak.h"
#include "memory/numa.h"

static struct {
    atomic_ullong mapped, mapped_peak, huge, locked, locked_peak, bound;
    atomic_ullong huge_refused, lock_refused, bind_refused;
    atomic_int lock_errno; /* of the last refusal; EDQUOT: Gantry's own limit */
} counters;
static pthread_once_t huge_once = PTHREAD_ONCE_INIT, lock_once = PTHREAD_ONCE_INIT;
static uint64_t default_lock_limit;
static bool huge_allowed;

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

/* Maps `size` bytes aligned to a huge page: maps more, then unmaps the excess at both ends.
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

/* ---- system calls ---------------------------------------------------------------------------- */
static uint64_t add(atomic_ullong *counter, uint64_t bytes)
{
    return atomic_fetch_add_explicit(counter, bytes, memory_order_relaxed) + bytes;
}

static void subtract(atomic_ullong *counter, uint64_t bytes)
{
    atomic_fetch_sub_explicit(counter, bytes, memory_order_relaxed);
}

/* Whether the system grants huge pages on request. */
static void read_huge_mode(void)
{
    char mode[128] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
    size_t size = file ? fread(mode, 1, sizeof mode - 1, file) : 0;
    mode[size] = '\0';
    if (file)
        fclose(file);
    huge_allowed = size && !strstr(mode, "[never]");
}

static bool ask_for_huge_pages(void *bytes, uint64_t size)
{
    pthread_once(&huge_once, read_huge_mode);
    if (size < HOSTMEM_HUGE || env_choice(ENV_GANTRY_HUGE_PAGES) == 0)
        return false;
    bool granted = huge_allowed && !madvise(bytes, size, MADV_HUGEPAGE);
    add(granted ? &counters.huge : &counters.huge_refused, size);
    return granted;
}

static bool ask_for_node(void *bytes, uint64_t size, int node)
{
    if (node == HOSTMEM_ANYWHERE)
        return false;
    bool granted =
        node == HOSTMEM_INTERLEAVED ? numa_interleave(bytes, size) : numa_bind(bytes, size, node);
    add(granted ? &counters.bound : &counters.bind_refused, size);
    return granted;
}

static void read_default_lock_limit(void)
{
    default_lock_limit = hostmem_limit() / 2;
}

static uint64_t lock_limit(void)
{
    int64_t limit = env_int(ENV_GANTRY_LOCK_BYTES, -1);
    pthread_once(&lock_once, read_default_lock_limit);
    return limit >= 0 ? (uint64_t)limit : default_lock_limit;
}

bool hostmem_lock(void *bytes, uint64_t size)
{
    int error = 0;
    uint64_t locked = add(&counters.locked, size);
    if (locked > lock_limit())
        error = EDQUOT;
    else if (mlock(bytes, size))
        error = errno;
    if (!error) {
        peak_raise(&counters.locked_peak, locked);
        return true;
    }
    subtract(&counters.locked, size);
    add(&counters.lock_refused, size);
    atomic_store_explicit(&counters.lock_errno, error, memory_order_relaxed);
    return false;
}

void hostmem_count_unlocked(uint64_t size)
{
    subtract(&counters.locked, size);
}

/* ---- mappings -------------------------------------------------------------------------------- */
static struct error *no_memory(uint64_t size)
{
    return ERROR(RESOURCE_EXHAUSTED,
                 "Out of memory: cannot map %llu bytes more (%llu are mapped): %s",
                 (unsigned long long)size, (unsigned long long)hostmem_mapped(), strerror(errno));
}

struct error *hostmem_map(uint64_t size, const struct hostmem_place *place,
                          struct hostmem_mapping *out)
{
    void *memory = MAP_FAILED;
    *out = (struct hostmem_mapping){.size = size};
    errno = ENOMEM;
    if (size <= 1ULL << 62)
        memory = size >= HOSTMEM_HUGE
                     ? map_aligned(size)
                     : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return no_memory(size);
    out->bytes = memory;
    out->huge = ask_for_huge_pages(memory, size);
    out->bound = ask_for_node(memory, size, place->node);
    out->locked = place->pinned && hostmem_lock(memory, size); /* after binding */
    peak_raise(&counters.mapped_peak, add(&counters.mapped, size));
    return NULL;
}

void hostmem_unmap(const struct hostmem_mapping *mapping)
{
    if (!mapping->bytes)
        return;
    munmap(mapping->bytes, mapping->size);
    subtract(&counters.mapped, mapping->size);
    if (mapping->huge)
        subtract(&counters.huge, mapping->size);
    if (mapping->bound)
        subtract(&counters.bound, mapping->size);
    if (mapping->locked)
        subtract(&counters.locked, mapping->size);
}

uint64_t hostmem_mapped(void)
{
    return atomic_load_explicit(&counters.mapped, memory_order_relaxed);
}

uint64_t hostmem_mapped_peak(void)
{
    return atomic_load_explicit(&counters.mapped_peak, memory_order_relaxed);
}

/* Explains a refused lock to the user. */
static const char *refusal_text(int error)
{
    switch (error) {
    case 0: return NULL;
    case EDQUOT: return "GANTRY_LOCK_BYTES is reached";
    case ENOMEM: return "RLIMIT_MEMLOCK is reached";
    case EPERM: return "RLIMIT_MEMLOCK is 0";
    default: return "the system does not lock the pages";
    }
}

void hostmem_stats(struct hostmem_stats *out)
{
#define READ(figure) .figure = atomic_load_explicit(&counters.figure, memory_order_relaxed)
    *out = (struct hostmem_stats){READ(mapped),
                                  READ(mapped_peak),
                                  READ(huge),
                                  READ(locked),
                                  READ(locked_peak),
                                  READ(bound),
                                  READ(huge_refused),
                                  READ(lock_refused),
                                  READ(bind_refused),
                                  .lock_refusal = refusal_text(atomic_load_explicit(
                                      &counters.lock_errno, memory_order_relaxed)),
                                  .lock_limit = lock_limit()};
#undef READ
}

/* ---- limits ---------------------------------------------------------------------------------- */
static bool limit_of_group(const char *folder, int64_t *value)
{
    char first[32], second[32];
    if (!cgroup_words(folder, "memory.max", first, second) &&
        !cgroup_words(folder, "memory.limit_in_bytes", first, second))
        return false;
    char *end;
    errno = 0;
    *value = strtoll(first, &end, 10); /* "max" is not a number */
    return !errno && end != first && *value > 0;
}

/* Bytes of memory of all nodes that this process may use, on the real or the recorded machine. */
static uint64_t machine_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    bool by_node = numa_count() > 1 || env_text(ENV_GANTRY_SYSFS_ROOT);
    uint64_t sum = 0;
    for (int node = 0; by_node && node < numa_count(); node++)
        sum += numa_allowed(node) ? numa_memory(node) : 0;
    if (sum)
        return sum;
    return pages > 0 ? (uint64_t)pages * hostmem_page() : 1ULL << 33;
}

uint64_t hostmem_limit(void)
{
    uint64_t limit = machine_bytes();
    int64_t group = cgroup_lowest_limit("memory", limit_of_group);
    return group > 0 && (uint64_t)group < limit ? (uint64_t)group : limit;
}
