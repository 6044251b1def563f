/* space.c: counts by atomics; only a modelled address range needs a lock. */
#include "memory/space.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/refs.h"
#include "memory/blocks.h"
#include "memory/offsets.h"
#include "memory/storage.h"

struct space {
    struct refs refs;
    enum memory_kind kind;
    int node;
    uint64_t capacity; /* 0: unlimited */
    char *name;        /* owned */
    atomic_ullong live;
    atomic_ullong peak, largest;
    atomic_llong count, total;
    struct offsets *offsets; /* owned; NULL unless modelled; guarded by places */
};

/* One lock for the modelled ranges of all spaces: a call holds it for some tens of nanoseconds,
 * and a single one can be taken around a fork. */
static pthread_mutex_t places = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t places_once = PTHREAD_ONCE_INIT;

static void places_lock(void)
{
    pthread_mutex_lock(&places);
}

static void places_unlock(void)
{
    pthread_mutex_unlock(&places);
}

static void places_initialise(void)
{
    pthread_atfork(places_lock, places_unlock, places_unlock);
}

struct error *space_create(const struct space_options *options, struct space **out)
{
    struct space *space;
    *out = NULL;
    if (options->modelled && !options->capacity)
        return ERROR(INVALID_ARGUMENT, "%s: a modelled memory needs a capacity",
                     options->name ? options->name : space_kind_name(options->kind));
    TRY(alloc_zeroed(sizeof *space, &space));
    refs_init(&space->refs);
    pthread_once(&places_once, places_initialise);
    space->kind = options->kind;
    space->node = options->node;
    space->capacity = options->capacity;
    const char *name = options->name ? options->name : space_kind_name(options->kind);
    struct error *error = alloc_copy(name, strlen(name), &space->name);
    if (!error && options->modelled)
        error = offsets_create(options->capacity, BLOCKS_ALIGNMENT, &space->offsets);
    if (error)
        space_release(space);
    else
        *out = space;
    return error;
}

void space_retain(struct space *space)
{
    refs_retain(&space->refs);
}

void space_release(struct space *space)
{
    if (!space || !refs_release(&space->refs))
        return;
    offsets_destroy(space->offsets);
    alloc_free(space->name);
    alloc_free(space);
}

/* What a storage of `size` bytes counts for. */
static uint64_t counted(uint64_t size)
{
    return size > UINT64_MAX - BLOCKS_ALIGNMENT
               ? size
               : (size + BLOCKS_ALIGNMENT - 1) & ~(uint64_t)(BLOCKS_ALIGNMENT - 1);
}

static void raise_to(atomic_ullong *most, unsigned long long value)
{
    unsigned long long before = atomic_load_explicit(most, memory_order_relaxed);
    while (before < value && !atomic_compare_exchange_weak_explicit(
                                 most, &before, value, memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* Adds to `live` unless the capacity would be exceeded. */
static struct error *count_in(struct space *space, uint64_t size)
{
    unsigned long long live = atomic_load_explicit(&space->live, memory_order_relaxed), after;
    do {
        if (__builtin_add_overflow(live, size, &after) ||
            (space->capacity && after > space->capacity))
            return ERROR(RESOURCE_EXHAUSTED,
                         "Out of memory allocating %llu bytes in %s: %llu in use, limit %llu",
                         (unsigned long long)size, space->name, live,
                         (unsigned long long)space->capacity);
    } while (!atomic_compare_exchange_weak_explicit(&space->live, &live, after,
                                                    memory_order_relaxed, memory_order_relaxed));
    raise_to(&space->peak, after);
    raise_to(&space->largest, size);
    atomic_fetch_add_explicit(&space->count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&space->total, 1, memory_order_relaxed);
    return NULL;
}

static void count_out(struct space *space, uint64_t size)
{
    atomic_fetch_sub_explicit(&space->live, size, memory_order_relaxed);
    atomic_fetch_sub_explicit(&space->count, 1, memory_order_relaxed);
}

static struct error *place(struct space *space, uint64_t size, struct range *out)
{
    *out = (struct range){0};
    if (!space->offsets)
        return NULL;
    places_lock();
    struct error *error = offsets_alloc(space->offsets, size, out);
    places_unlock();
    return error_prefix(error, "Out of memory allocating %llu bytes in %s",
                        (unsigned long long)size, space->name);
}

static void unplace(struct space *space, uint32_t range_block)
{
    if (!space->offsets)
        return;
    places_lock();
    offsets_free(space->offsets, range_block);
    places_unlock();
}

/* The bytes and the modelled place of a storage that is counted already. */
static struct error *space_fill(struct space *space, struct storage *storage)
{
    struct range range;
    TRY(place(space, storage->size, &range));
    struct error *error = blocks_alloc(storage->size, space->node, &storage->block);
    if (error) {
        unplace(space, range.block);
        return error_prefix(error, "%s", space->name);
    }
    storage->bytes = storage->block.bytes;
    storage->offset = range.offset;
    storage->range_block = range.block;
    return NULL;
}

struct error *space_alloc(struct space *space, uint64_t size, struct storage **out)
{
    struct storage *storage;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *storage, &storage));
    refs_init(&storage->refs);
    storage->source = STORAGE_OWNED;
    storage->space = space;
    storage->size = size;
    struct error *error = count_in(space, counted(size));
    if (!error) {
        error = space_fill(space, storage);
        if (error)
            count_out(space, counted(size));
    }
    if (error) {
        alloc_free(storage);
        return error;
    }
    space_retain(space);
    *out = storage;
    return NULL;
}

void space_free(struct space *space, uint64_t size, uint32_t range_block, const struct block *block)
{
    blocks_free(block);
    unplace(space, range_block);
    count_out(space, counted(size));
}

static uint64_t largest_free(const struct space *space, uint64_t live)
{
    if (!space->capacity)
        return UINT64_MAX;
    uint64_t room = space->capacity > live ? space->capacity - live : 0;
    if (!space->offsets)
        return room;
    places_lock();
    uint64_t largest = offsets_largest_free(space->offsets);
    places_unlock();
    return largest < room ? largest : room;
}

void space_stats(const struct space *space, struct space_stats *out)
{
    out->live = atomic_load_explicit(&space->live, memory_order_relaxed);
    out->peak = atomic_load_explicit(&space->peak, memory_order_relaxed);
    out->limit = space->capacity;
    out->largest = atomic_load_explicit(&space->largest, memory_order_relaxed);
    out->largest_free = largest_free(space, out->live);
    out->count = atomic_load_explicit(&space->count, memory_order_relaxed);
    out->total = atomic_load_explicit(&space->total, memory_order_relaxed);
}

enum memory_kind space_kind(const struct space *space)
{
    return space->kind;
}

const char *space_kind_name(enum memory_kind kind)
{
    static const char *const names[] = {"device", "pinned_host", "unpinned_host"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

const char *space_name(const struct space *space)
{
    return space->name;
}

void space_trim(void)
{
    blocks_trim(0);
}
