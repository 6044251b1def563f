/* blocks.c: size classes, slabs for small blocks, and a cache of whole mappings.
 *
 *      blocks_alloc ── size <= BLOCKS_SMALL ──> bin of the class: slabs with a free block (bit map)
 *            │                                        │ none: a mapping of slab size, cut up
 *            └──────── larger ──> mapping_acquire <──────┘
 *                                    │ cached one of this class or the next two, newest first
 *                                    └ else hostmem_map
 *
 * An unused mapping is in two lists: that of its class, for lookup, and that of all mappings by
 * age, for trimming. Lock order: a bin's lock, then the mappings' lock. Records are allocated with
 * alloc.h, never inside a block, so that a kernel that writes out of bounds cannot corrupt the
 * cache. */
#include "memory/blocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/fork.h"
#include "memory/hostmem.h"

#if defined(__SANITIZE_ADDRESS__)
#define BLOCKS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BLOCKS_ASAN 1
#endif
#endif
#ifdef BLOCKS_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(bytes, size) ASAN_POISON_MEMORY_REGION(bytes, size)
#define UNPOISON(bytes, size) ASAN_UNPOISON_MEMORY_REGION(bytes, size)
#else
#define POISON(bytes, size) ((void)(bytes), (void)(size))
#define UNPOISON(bytes, size) ((void)(bytes), (void)(size))
#endif

enum {
    CLASSES = 312,      /* up to 2^46 bytes */
    SMALL_CLASSES = 80, /* up to BLOCKS_SMALL */
    SLAB_SMALL = 256 << 10,
    SLAB_LARGE = 2 << 20,
    SLAB_SWITCH = 8 << 10, /* larger blocks are in large slabs */
    SLAB_WORDS = SLAB_SMALL / BLOCKS_ALIGNMENT / 64,
    CLASSES_TRIED = 3,
    PATIENCE = 64,           /* see mappings_evict_unused() */
    NODES = 64,              /* memory of further nodes is in the pool for any node */
    POOLS = 2 * (NODES + 2), /* unpinned: interleaved, any node, node 0, 1 ..; pinned: likewise */
};
#define SIZE_LARGEST (1ULL << 46)

struct mapping {
    struct hostmem_mapping memory; /* size: exactly that of its class */
    int class, pool;
    /* While cached: links in the list of its class, and in the list of all from newest to
     * oldest. */
    struct mapping *class_next, *class_before, *older, *newer;
    uint64_t cached_at; /* mappings.created when it was cached */
};

struct slab {
    struct mapping *mapping;
    struct slab *next, *before; /* in its bin's list while it has a free block */
    uint32_t capacity, free;    /* blocks */
    uint64_t words;             /* bit w: free_bits[w] is not 0 */
    uint64_t free_bits[SLAB_WORDS];
};

struct bin { /* the slabs of one class */
    struct fork_lock lock;
    struct slab *partial[POOLS]; /* slabs with a free block */
};

static struct bin bins[SMALL_CLASSES];
static struct {
    struct fork_lock lock;
    struct mapping *by_class[CLASSES];
    struct mapping *newest, *oldest;
    uint64_t cached, cached_peak, limit; /* bytes */
    uint64_t host;                       /* bytes that this process may use */
    uint64_t created;                    /* mappings so far */
    struct pool {
        struct blocks_pool figures;
        bool used;
    } pools[POOLS];
} mappings = {.lock = FORK_LOCK(FORK_MAPPINGS, NULL)};
static pthread_once_t blocks_once = PTHREAD_ONCE_INIT;

/* ---- size classes: 64-byte steps up to 512, then 8 steps per doubling ------------------------ */
static int class_of(uint64_t size)
{
    if (size <= 512)
        return size ? (int)((size - 1) / BLOCKS_ALIGNMENT) : 0;
    uint64_t last = size - 1;
    int log = 63 - __builtin_clzll(last);
    return 8 + (log - 9) * 8 + (int)(last >> (log - 3) & 7);
}

static uint64_t class_size(int class)
{
    if (class < 8)
        return (uint64_t)(class + 1) * BLOCKS_ALIGNMENT;
    int log = 9 + (class - 8) / 8;
    return (uint64_t)(8 + (class - 8) % 8 + 1) << (log - 3);
}

uint64_t blocks_granted(uint64_t size)
{
    return size > SIZE_LARGEST ? size : class_size(class_of(size));
}

/* ---- pools ----------------------------------------------------------------------------------- */
static int pool_of(const struct hostmem_place *place)
{
    int node = place->node < NODES ? place->node : HOSTMEM_ANYWHERE;
    return (place->pinned ? NODES + 2 : 0) + node + 2;
}

static struct hostmem_place place_of(int pool)
{
    return (struct hostmem_place){pool % (NODES + 2) - 2, pool >= NODES + 2};
}

/* Whether memory of pool `have` satisfies a request to pool `want`: they are the same, or the
 * request names no node and both have the same kind (pinned or not). */
static bool pool_fits(int want, int have)
{
    struct hostmem_place wanted = place_of(want), there = place_of(have);
    return want == have || (wanted.node == HOSTMEM_ANYWHERE && wanted.pinned == there.pinned &&
                            there.node != HOSTMEM_INTERLEAVED);
}

/* Counts a mapping that is added (sign 1) or removed (-1). The caller holds the mappings' lock. */
static void pool_count(const struct mapping *mapping, int sign)
{
    const struct hostmem_mapping *memory = &mapping->memory;
    struct pool *pool = &mappings.pools[mapping->pool];
    uint64_t size = sign > 0 ? memory->size : -memory->size;
    pool->used = true;
    pool->figures.place = place_of(mapping->pool);
    pool->figures.mapped += size;
    pool->figures.locked += memory->locked ? size : 0;
    pool->figures.bound += memory->bound ? size : 0;
    pool->figures.huge += memory->huge ? size : 0;
}

int blocks_pools(struct blocks_pool *out, int capacity)
{
    int count = 0;
    fork_lock_take(&mappings.lock);
    for (int i = 0; i < POOLS; i++)
        if (mappings.pools[i].used) {
            if (count < capacity)
                out[count] = mappings.pools[i].figures;
            count++;
        }
    fork_lock_release(&mappings.lock);
    return count;
}

/* ---- start and fork -------------------------------------------------------------------------- */
static void blocks_initialize(void)
{
    int64_t limit = env_int(ENV_GANTRY_CACHE_BYTES, -1);
    mappings.host = hostmem_limit();
    mappings.limit = limit >= 0 ? (uint64_t)limit : mappings.host / 2;
    for (int i = 0; i < SMALL_CLASSES; i++)
        fork_lock_init(&bins[i].lock, FORK_BINS, NULL);
}

/* ---- mappings -------------------------------------------------------------------------------- */
static void mapping_cache(struct mapping *mapping)
{
    struct mapping **head = &mappings.by_class[mapping->class];
    mapping->class_before = NULL;
    mapping->class_next = *head;
    if (*head)
        (*head)->class_before = mapping;
    *head = mapping;
    mapping->cached_at = mappings.created;
    mapping->newer = NULL;
    mapping->older = mappings.newest;
    if (mappings.newest)
        mappings.newest->newer = mapping;
    else
        mappings.oldest = mapping;
    mappings.newest = mapping;
    mappings.cached += mapping->memory.size;
    mappings.pools[mapping->pool].figures.cached += mapping->memory.size;
}

static void mapping_uncache(struct mapping *mapping)
{
    if (mapping->class_next)
        mapping->class_next->class_before = mapping->class_before;
    if (mapping->class_before)
        mapping->class_before->class_next = mapping->class_next;
    else
        mappings.by_class[mapping->class] = mapping->class_next;
    if (mapping->older)
        mapping->older->newer = mapping->newer;
    else
        mappings.oldest = mapping->newer;
    if (mapping->newer)
        mapping->newer->older = mapping->older;
    else
        mappings.newest = mapping->older;
    mappings.cached -= mapping->memory.size;
    mappings.pools[mapping->pool].figures.cached -= mapping->memory.size;
}

/* Removes a cached mapping and prepends it to a list, linked by `older`, for unmap_all() after the
 * lock is released, since munmap of large ranges is slow. */
static struct mapping *mapping_evict(struct mapping *mapping, struct mapping *list)
{
    mapping_uncache(mapping);
    pool_count(mapping, -1);
    mapping->older = list;
    return mapping;
}

/* Removes the oldest mappings until at most `keep` bytes are cached. */
static struct mapping *mappings_evict(uint64_t keep)
{
    struct mapping *evicted = NULL;
    while (mappings.cached > keep)
        evicted = mapping_evict(mappings.oldest, evicted);
    return evicted;
}

/* Removes mappings of together about `size` bytes that none of the last PATIENCE requests for a new
 * mapping could use: what a program or its client needed once, such as the arrays that parameters
 * were made from. Requests that repeat find all they need in the cache, and nothing is new. */
static struct mapping *mappings_evict_unused(uint64_t size)
{
    struct mapping *evicted = NULL;
    for (uint64_t removed = 0; mappings.oldest && removed < size; removed += evicted->memory.size) {
        if (mappings.created - mappings.oldest->cached_at < PATIENCE)
            break;
        evicted = mapping_evict(mappings.oldest, evicted);
    }
    return evicted;
}

static void unmap_all(struct mapping *mapping)
{
    for (struct mapping *older; mapping; mapping = older) {
        older = mapping->older;
        UNPOISON(mapping->memory.bytes, mapping->memory.size);
        hostmem_unmap(&mapping->memory);
        alloc_free(mapping);
    }
}

static void mappings_trim(uint64_t keep)
{
    fork_lock_take(&mappings.lock);
    struct mapping *evicted = mappings_evict(keep);
    fork_lock_release(&mappings.lock);
    unmap_all(evicted);
}

uint64_t blocks_cached(void)
{
    fork_lock_take(&mappings.lock);
    uint64_t cached = mappings.cached;
    fork_lock_release(&mappings.lock);
    return cached;
}

void blocks_cache(uint64_t *cached, uint64_t *peak, uint64_t *limit)
{
    pthread_once(&blocks_once, blocks_initialize);
    fork_lock_take(&mappings.lock);
    *cached = mappings.cached, *peak = mappings.cached_peak, *limit = mappings.limit;
    fork_lock_release(&mappings.lock);
}

static struct mapping *mapping_find_cached(int class, int pool)
{
    struct mapping *found = NULL;
    fork_lock_take(&mappings.lock);
    for (int c = class; c < class + CLASSES_TRIED && c < CLASSES && !found; c++)
        for (found = mappings.by_class[c]; found && !pool_fits(pool, found->pool);)
            found = found->class_next;
    if (found)
        mapping_uncache(found);
    fork_lock_release(&mappings.lock);
    return found;
}

static struct error *mapping_create(int class, int pool, struct mapping **out)
{
    struct hostmem_place place = place_of(pool);
    struct mapping *mapping;
    uint64_t size = class_size(class);
    *out = NULL;
    TRY(alloc_zeroed(sizeof *mapping, &mapping));
    mapping->class = class;
    mapping->pool = pool;
    fork_lock_take(&mappings.lock);
    mappings.created++;
    struct mapping *evicted = mappings_evict_unused(size);
    fork_lock_release(&mappings.lock);
    unmap_all(evicted);
    if (size + hostmem_mapped() > mappings.host) /* release cached memory first */
        mappings_trim(0);
    struct error *error = hostmem_map(size, &place, &mapping->memory);
    if (error) { /* retry without cached memory */
        mappings_trim(0);
        error_free(error);
        error = hostmem_map(size, &place, &mapping->memory);
    }
    if (error) {
        alloc_free(mapping);
        return error;
    }
    fork_lock_take(&mappings.lock);
    pool_count(mapping, 1);
    fork_lock_release(&mappings.lock);
    *out = mapping;
    return NULL;
}

static struct error *mapping_acquire(int class, int pool, struct mapping **out)
{
    *out = mapping_find_cached(class, pool);
    return *out ? NULL : mapping_create(class, pool, out);
}

static void mapping_release(struct mapping *mapping)
{
    POISON(mapping->memory.bytes, mapping->memory.size);
    fork_lock_take(&mappings.lock);
    mapping_cache(mapping);
    struct mapping *evicted = mapping->memory.size > mappings.limit
                                  ? mapping_evict(mapping, NULL)
                                  : mappings_evict(mappings.limit);
    if (mappings.cached > mappings.cached_peak)
        mappings.cached_peak = mappings.cached;
    fork_lock_release(&mappings.lock);
    unmap_all(evicted);
}

/* ---- slabs; the bin's lock is held ----------------------------------------------------------- */
static struct slab **bin_list(struct bin *bin, const struct slab *slab)
{
    return &bin->partial[slab->mapping->pool];
}

static void bin_insert(struct bin *bin, struct slab *slab)
{
    struct slab **first = bin_list(bin, slab);
    slab->before = NULL;
    slab->next = *first;
    if (slab->next)
        slab->next->before = slab;
    *first = slab;
}

static void bin_remove(struct bin *bin, struct slab *slab)
{
    if (slab->next)
        slab->next->before = slab->before;
    if (slab->before)
        slab->before->next = slab->next;
    else
        *bin_list(bin, slab) = slab->next;
}

static struct error *slab_create(struct bin *bin, uint64_t block_size, int pool, struct slab **out)
{
    struct slab *slab;
    uint64_t slab_size = block_size <= SLAB_SWITCH ? SLAB_SMALL : SLAB_LARGE;
    TRY(alloc_zeroed(sizeof *slab, &slab));
    struct error *error = mapping_acquire(class_of(slab_size), pool, &slab->mapping);
    if (error) {
        alloc_free(slab);
        return error;
    }
    POISON(slab->mapping->memory.bytes, slab->mapping->memory.size);
    slab->capacity = slab->free = (uint32_t)(slab_size / block_size);
    for (uint32_t i = 0; i < slab->capacity; i++)
        slab->free_bits[i / 64] |= 1ULL << i % 64;
    for (int word = 0; word < SLAB_WORDS; word++)
        slab->words |= (uint64_t)(slab->free_bits[word] != 0) << word;
    bin_insert(bin, slab);
    *out = slab;
    return NULL;
}

/* Allocates the free block with the lowest number, so that used blocks stay dense. */
static uint32_t slab_take(struct slab *slab)
{
    int word = __builtin_ctzll(slab->words);
    int bit = __builtin_ctzll(slab->free_bits[word]);
    slab->free_bits[word] &= slab->free_bits[word] - 1;
    if (!slab->free_bits[word])
        slab->words &= ~(1ULL << word);
    slab->free--;
    return (uint32_t)(word * 64 + bit);
}

static void slab_give(struct slab *slab, uint32_t number)
{
    slab->free_bits[number / 64] |= 1ULL << number % 64;
    slab->words |= 1ULL << number / 64;
    slab->free++;
}

static struct error *small_alloc(uint64_t size, int pool, struct block *out)
{
    int class = class_of(size);
    struct bin *bin = &bins[class];
    struct error *error = NULL;
    uint64_t block_size = class_size(class);
    fork_lock_take(&bin->lock);
    struct slab *slab = bin->partial[pool];
    if (!slab)
        error = slab_create(bin, block_size, pool, &slab);
    if (!error) {
        uint32_t number = slab_take(slab);
        if (!slab->free)
            bin_remove(bin, slab);
        *out = (struct block){(char *)slab->mapping->memory.bytes + number * block_size, block_size,
                              slab};
    }
    fork_lock_release(&bin->lock);
    return error;
}

static void small_free(const struct block *block)
{
    struct bin *bin = &bins[class_of(block->size)];
    struct slab *slab = block->home, *empty = NULL;
    POISON(block->bytes, block->size);
    fork_lock_take(&bin->lock);
    if (!slab->free)
        bin_insert(bin, slab);
    slab_give(slab,
              (uint32_t)((uint64_t)((char *)block->bytes - (char *)slab->mapping->memory.bytes) /
                         block->size));
    if (slab->free == slab->capacity && (slab->next || slab->before)) { /* not the only one */
        bin_remove(bin, slab);
        empty = slab;
    }
    fork_lock_release(&bin->lock);
    if (empty) {
        mapping_release(empty->mapping);
        alloc_free(empty);
    }
}

/* Frees the slabs of which no block is in use. */
static void bin_trim(struct bin *bin)
{
    struct slab *empty = NULL;
    fork_lock_take(&bin->lock);
    for (int pool = 0; pool < POOLS; pool++)
        for (struct slab *slab = bin->partial[pool], *next; slab; slab = next) {
            next = slab->next;
            if (slab->free < slab->capacity)
                continue;
            bin_remove(bin, slab);
            slab->next = empty;
            empty = slab;
        }
    fork_lock_release(&bin->lock);
    for (struct slab *next; empty; empty = next) {
        next = empty->next;
        mapping_release(empty->mapping);
        alloc_free(empty);
    }
}

/* ---- entry points ---------------------------------------------------------------------------- */
struct error *blocks_alloc(uint64_t size, const struct hostmem_place *place, struct block *out)
{
    *out = (struct block){0};
    pthread_once(&blocks_once, blocks_initialize);
    if (size > SIZE_LARGEST)
        return ERROR(RESOURCE_EXHAUSTED,
                     "Out of memory: %llu bytes requested; one allocation has at most %llu",
                     (unsigned long long)size, SIZE_LARGEST);
    if (size <= BLOCKS_SMALL) {
        TRY(small_alloc(size, pool_of(place), out));
    } else {
        struct mapping *mapping;
        TRY(mapping_acquire(class_of(size), pool_of(place), &mapping));
        *out = (struct block){mapping->memory.bytes, mapping->memory.size, mapping};
    }
    UNPOISON(out->bytes, size);
    return NULL;
}

void blocks_free(const struct block *block)
{
    if (!block->home)
        return;
    if (block->size <= BLOCKS_SMALL)
        small_free(block);
    else
        mapping_release(block->home);
}

void blocks_trim(uint64_t keep)
{
    pthread_once(&blocks_once, blocks_initialize);
    for (int i = 0; keep == 0 && i < SMALL_CLASSES; i++)
        bin_trim(&bins[i]);
    mappings_trim(keep);
}
