/* blocks.c: size classes, slabs for small blocks, and a cache of whole mappings.
 *
 *      blocks_alloc ── size <= BLOCKS_SMALL ──> bin of the class: slabs with a free block (bit map)
 *            │                                        │ none: a mapping of slab size, cut up
 *            └──────── larger ──> mapping_take <──────┘
 *                                    │ kept one of this class or the next two, newest first
 *                                    └ else hostmem_map
 *
 * A mapping that is not in use is in two lists: of its class (to be found) and of all, by age (to
 * be given back). Locks: a bin's, then the mappings'. Records are in alloc.h's memory, never
 * inside a block, so a kernel that writes where it should not cannot break the cache. */
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
    SLAB_SWITCH = 8 << 10, /* blocks above that are in large slabs */
    SLAB_WORDS = SLAB_SMALL / BLOCKS_ALIGNMENT / 64,
    CLASSES_TRIED = 3,
};
#define SIZE_LARGEST (1ULL << 46)

struct mapping {
    void *bytes;
    uint64_t size; /* its class's size exactly */
    int class, node;
    /* While kept: in the list of its class, and in the list of all from newest to oldest. */
    struct mapping *class_next, *class_before, *older, *newer;
};

struct slab {
    struct mapping *mapping;
    struct slab *next, *before; /* in its bin's list while a block is free */
    uint32_t capacity, free;    /* blocks */
    uint64_t words;             /* bit w: free_bits[w] is not 0 */
    uint64_t free_bits[SLAB_WORDS];
};

struct
    bin { /* the slabs of one class; node by node would only matter for small blocks' first touch */
    struct fork_lock lock;
    struct slab *partial; /* slabs with a free block */
};

static struct bin bins[SMALL_CLASSES];
static struct {
    struct fork_lock lock;
    struct mapping *by_class[CLASSES];
    struct mapping *newest, *oldest;
    uint64_t kept, limit; /* bytes */
    uint64_t host;        /* bytes that this process may use */
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

/* ---- start and fork -------------------------------------------------------------------------- */
static void blocks_initialise(void)
{
    int64_t limit = env_int(ENV_GANTRY_CACHE_BYTES, -1);
    mappings.host = hostmem_limit();
    mappings.limit = limit >= 0 ? (uint64_t)limit : mappings.host / 2;
    for (int i = 0; i < SMALL_CLASSES; i++)
        fork_lock_init(&bins[i].lock, FORK_BINS, NULL);
}

/* ---- mappings -------------------------------------------------------------------------------- */
static void mapping_keep(struct mapping *mapping)
{
    struct mapping **head = &mappings.by_class[mapping->class];
    mapping->class_before = NULL;
    mapping->class_next = *head;
    if (*head)
        (*head)->class_before = mapping;
    *head = mapping;
    mapping->newer = NULL;
    mapping->older = mappings.newest;
    if (mappings.newest)
        mappings.newest->newer = mapping;
    else
        mappings.oldest = mapping;
    mappings.newest = mapping;
    mappings.kept += mapping->size;
}

static void mapping_unkeep(struct mapping *mapping)
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
    mappings.kept -= mapping->size;
}

/* Takes the oldest out until at most `keep` bytes are kept; a list by `older`, for unmap_all()
 * after the lock is released, since munmap of much memory takes long. */
static struct mapping *mappings_evict(uint64_t keep)
{
    struct mapping *evicted = NULL;
    while (mappings.kept > keep) {
        struct mapping *oldest = mappings.oldest;
        mapping_unkeep(oldest);
        oldest->older = evicted;
        evicted = oldest;
    }
    return evicted;
}

static void unmap_all(struct mapping *mapping)
{
    for (struct mapping *older; mapping; mapping = older) {
        older = mapping->older;
        UNPOISON(mapping->bytes, mapping->size);
        hostmem_unmap(mapping->bytes, mapping->size);
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

uint64_t blocks_kept(void)
{
    fork_lock_take(&mappings.lock);
    uint64_t kept = mappings.kept;
    fork_lock_release(&mappings.lock);
    return kept;
}

static struct mapping *mapping_find_kept(int class, int node)
{
    struct mapping *found = NULL;
    fork_lock_take(&mappings.lock);
    for (int c = class; c < class + CLASSES_TRIED && c < CLASSES && !found; c++)
        for (found = mappings.by_class[c]; found && node >= 0 && found->node != node;)
            found = found->class_next;
    if (found)
        mapping_unkeep(found);
    fork_lock_release(&mappings.lock);
    return found;
}

static struct error *mapping_create(int class, int node, struct mapping **out)
{
    struct mapping *mapping;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *mapping, &mapping));
    mapping->class = class;
    mapping->node = node;
    mapping->size = class_size(class);
    if (mapping->size + hostmem_mapped() > mappings.host) /* cached memory gives way */
        mappings_trim(0);
    struct error *error = hostmem_map(mapping->size, node, &mapping->bytes, NULL);
    if (error) { /* what is kept may be in the way */
        mappings_trim(0);
        error_free(error);
        error = hostmem_map(mapping->size, node, &mapping->bytes, NULL);
    }
    if (error) {
        alloc_free(mapping);
        return error;
    }
    *out = mapping;
    return NULL;
}

static struct error *mapping_take(int class, int node, struct mapping **out)
{
    *out = mapping_find_kept(class, node);
    return *out ? NULL : mapping_create(class, node, out);
}

static void mapping_give(struct mapping *mapping)
{
    POISON(mapping->bytes, mapping->size);
    struct mapping *evicted = mapping;
    mapping->older = NULL;
    if (mapping->size <= mappings.limit) {
        fork_lock_take(&mappings.lock);
        mapping_keep(mapping);
        evicted = mappings_evict(mappings.limit);
        fork_lock_release(&mappings.lock);
    }
    unmap_all(evicted);
}

/* ---- slabs; the bin's lock is held ----------------------------------------------------------- */
static void bin_insert(struct bin *bin, struct slab *slab)
{
    slab->before = NULL;
    slab->next = bin->partial;
    if (slab->next)
        slab->next->before = slab;
    bin->partial = slab;
}

static void bin_remove(struct bin *bin, struct slab *slab)
{
    if (slab->next)
        slab->next->before = slab->before;
    if (slab->before)
        slab->before->next = slab->next;
    else
        bin->partial = slab->next;
}

static struct error *slab_create(struct bin *bin, uint64_t block_size, int node)
{
    struct slab *slab;
    uint64_t slab_size = block_size <= SLAB_SWITCH ? SLAB_SMALL : SLAB_LARGE;
    TRY(alloc_zeroed(sizeof *slab, &slab));
    struct error *error = mapping_take(class_of(slab_size), node, &slab->mapping);
    if (error) {
        alloc_free(slab);
        return error;
    }
    POISON(slab->mapping->bytes, slab->mapping->size);
    slab->capacity = slab->free = (uint32_t)(slab_size / block_size);
    for (uint32_t i = 0; i < slab->capacity; i++)
        slab->free_bits[i / 64] |= 1ULL << i % 64;
    for (int word = 0; word < SLAB_WORDS; word++)
        slab->words |= (uint64_t)(slab->free_bits[word] != 0) << word;
    bin_insert(bin, slab);
    return NULL;
}

/* The number of a block that was free: the lowest, so that use stays dense. */
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

static struct error *small_alloc(uint64_t size, int node, struct block *out)
{
    int class = class_of(size);
    struct bin *bin = &bins[class];
    struct error *error = NULL;
    uint64_t block_size = class_size(class);
    fork_lock_take(&bin->lock);
    if (!bin->partial)
        error = slab_create(bin, block_size, node);
    if (!error) {
        struct slab *slab = bin->partial;
        uint32_t number = slab_take(slab);
        if (!slab->free)
            bin_remove(bin, slab);
        *out = (struct block){(char *)slab->mapping->bytes + number * block_size, block_size, slab};
    }
    fork_lock_release(&bin->lock);
    return error;
}

static void small_free(const struct block *block)
{
    struct bin *bin = &bins[class_of(block->size)];
    struct slab *slab = block->home, *gone = NULL;
    POISON(block->bytes, block->size);
    fork_lock_take(&bin->lock);
    if (!slab->free)
        bin_insert(bin, slab);
    slab_give(slab, (uint32_t)((uint64_t)((char *)block->bytes - (char *)slab->mapping->bytes) /
                               block->size));
    if (slab->free == slab->capacity && (slab->next || slab->before)) { /* not the only one */
        bin_remove(bin, slab);
        gone = slab;
    }
    fork_lock_release(&bin->lock);
    if (gone) {
        mapping_give(gone->mapping);
        alloc_free(gone);
    }
}

/* Gives back the slabs of which no block is in use. */
static void bin_trim(struct bin *bin)
{
    struct slab *gone = NULL;
    fork_lock_take(&bin->lock);
    for (struct slab *slab = bin->partial, *next; slab; slab = next) {
        next = slab->next;
        if (slab->free < slab->capacity)
            continue;
        bin_remove(bin, slab);
        slab->next = gone;
        gone = slab;
    }
    fork_lock_release(&bin->lock);
    for (struct slab *next; gone; gone = next) {
        next = gone->next;
        mapping_give(gone->mapping);
        alloc_free(gone);
    }
}

/* ---- the doors ------------------------------------------------------------------------------- */
struct error *blocks_alloc(uint64_t size, int node, struct block *out)
{
    *out = (struct block){0};
    pthread_once(&blocks_once, blocks_initialise);
    if (size > SIZE_LARGEST)
        return ERROR(RESOURCE_EXHAUSTED,
                     "Out of memory: %llu bytes asked for at once, at most %llu allowed",
                     (unsigned long long)size, SIZE_LARGEST);
    if (size <= BLOCKS_SMALL) {
        TRY(small_alloc(size, node, out));
    } else {
        struct mapping *mapping;
        TRY(mapping_take(class_of(size), node, &mapping));
        *out = (struct block){mapping->bytes, mapping->size, mapping};
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
        mapping_give(block->home);
}

void blocks_trim(uint64_t keep)
{
    pthread_once(&blocks_once, blocks_initialise);
    for (int i = 0; keep == 0 && i < SMALL_CLASSES; i++)
        bin_trim(&bins[i]);
    mappings_trim(keep);
}
