/* space.c: counts by atomics; only a modelled address range needs a lock. */
#include "memory/space.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/refs.h"
#include "base/text.h"
#include "memory/blocks.h"
#include "memory/offsets.h"
#include "memory/storage.h"

struct space {
    struct refs refs;
    enum memory_kind kind;
    int node;
    bool host_limited;
    uint64_t capacity; /* 0: unlimited */
    const struct space_backing *backing;
    char *name; /* owned */
    atomic_ullong live;
    atomic_ullong peak, largest;
    atomic_llong count, total;
    /* guarded by ranges_lock: */
    struct offsets *offsets;             /* owned; NULL unless modelled */
    struct space *next, **place_in_list; /* in the list of all spaces on the block cache */
};

enum { SHARED_BYTES = 1 << 20 }; /* allocations from which other spaces' use is looked at */
static const struct space_backing host_backing = {blocks_alloc, blocks_free};

/* One lock for the modelled ranges and the list of all spaces: a call holds it for some tens of
 * nanoseconds. */
static struct fork_lock ranges_lock = FORK_LOCK(FORK_RANGES, NULL);
static struct space *all_spaces;

/* ---- all spaces on the block cache ----------------------------------------------------------- */
static void enlist(struct space *space)
{
    fork_lock_take(&ranges_lock);
    space->next = all_spaces;
    space->place_in_list = &all_spaces;
    if (space->next)
        space->next->place_in_list = &space->next;
    all_spaces = space;
    fork_lock_release(&ranges_lock);
}

static void strike(struct space *space)
{
    if (!space->place_in_list)
        return;
    fork_lock_take(&ranges_lock);
    *space->place_in_list = space->next;
    if (space->next)
        space->next->place_in_list = space->place_in_list;
    fork_lock_release(&ranges_lock);
}

static uint64_t live_of(const struct space *space)
{
    return atomic_load_explicit(&space->live, memory_order_relaxed);
}

/* Bytes of the host's memory that storages use. */
static uint64_t host_live(void)
{
    uint64_t sum = 0;
    fork_lock_take(&ranges_lock);
    for (const struct space *space = all_spaces; space; space = space->next)
        sum += live_of(space);
    fork_lock_release(&ranges_lock);
    return sum;
}

/* "CPU_0(device) holds 5 bytes, CPU_1(device) 3": those that hold most, at most four. */
static void print_holders(struct text *text)
{
    const struct space *last = NULL;
    fork_lock_take(&ranges_lock);
    for (int i = 0; i < 4; i++) {
        const struct space *most = NULL;
        for (const struct space *space = all_spaces; space; space = space->next) {
            bool after = !last || live_of(space) < live_of(last) ||
                         (live_of(space) == live_of(last) && space < last);
            if (after && live_of(space) && (!most || live_of(space) > live_of(most)))
                most = space;
        }
        if (!most)
            break;
        text_add(text, i ? ", %s %llu" : "%s holds %llu bytes", most->name,
                 (unsigned long long)live_of(most));
        last = most;
    }
    fork_lock_release(&ranges_lock);
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
    space->kind = options->kind;
    space->node = options->node;
    space->capacity = options->capacity;
    space->host_limited = options->host_limited;
    space->backing = options->backing ? options->backing : &host_backing;
    const char *name = options->name ? options->name : space_kind_name(options->kind);
    struct error *error = alloc_copy(name, strlen(name), &space->name);
    if (!error && options->modelled)
        error = offsets_create(options->capacity, BLOCKS_ALIGNMENT, &space->offsets);
    if (!error && !options->backing)
        enlist(space);
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
    strike(space);
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

static struct error *full(const struct space *space, uint64_t size, uint64_t live)
{
    struct text text = {0};
    if (space->host_limited)
        print_holders(&text);
    struct error *error =
        ERROR(RESOURCE_EXHAUSTED,
              "Out of memory allocating %llu bytes in %s: %llu in use, limit "
              "%llu%s%s",
              (unsigned long long)size, space->name, (unsigned long long)live,
              (unsigned long long)space->capacity, text.size ? " of the host's memory: " : "",
              text.size ? text.data : "");
    text_free(&text);
    return error;
}

/* Adds to `live` unless the capacity would be exceeded. */
static struct error *count_in(struct space *space, uint64_t size)
{
    unsigned long long live = atomic_load_explicit(&space->live, memory_order_relaxed), after;
    do {
        if (__builtin_add_overflow(live, size, &after) ||
            (space->capacity && after > space->capacity))
            return full(space, size, live);
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

/* Whether all spaces together use more of the host's memory than there is. */
static struct error *check_host(struct space *space, uint64_t size)
{
    if (!space->host_limited || size < SHARED_BYTES)
        return NULL;
    uint64_t live = host_live();
    return live > space->capacity ? full(space, size, live - size) : NULL;
}

static struct error *place(struct space *space, uint64_t size, struct range *out)
{
    *out = (struct range){0};
    if (!space->offsets)
        return NULL;
    fork_lock_take(&ranges_lock);
    struct error *error = offsets_alloc(space->offsets, size, out);
    fork_lock_release(&ranges_lock);
    return error_prefix(error, "Out of memory allocating %llu bytes in %s",
                        (unsigned long long)size, space->name);
}

static void unplace(struct space *space, uint32_t range_block)
{
    if (!space->offsets)
        return;
    fork_lock_take(&ranges_lock);
    offsets_free(space->offsets, range_block);
    fork_lock_release(&ranges_lock);
}

/* The bytes and the modelled place of a storage that is counted already. */
static struct error *space_fill(struct space *space, struct storage *storage)
{
    struct range range;
    TRY(check_host(space, counted(storage->size)));
    TRY(place(space, storage->size, &range));
    struct error *error = space->backing->allocate(storage->size, space->node, &storage->block);
    if (error) {
        unplace(space, range.block);
        return error_prefix(error, "%s", space->name);
    }
    storage->address = storage->block.bytes;
    storage->offset = range.offset;
    storage->range_block = range.block;
    return NULL;
}

struct error *space_alloc(struct space *space, uint64_t size, struct storage **out)
{
    struct storage *storage;
    *out = NULL;
    TRY(alloc_bytes(sizeof *storage, &storage));
    *storage = (struct storage){.source = STORAGE_OWNED, .space = space, .size = size};
    atomic_init(&storage->holds, 1);
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
    space->backing->release(block);
    unplace(space, range_block);
    count_out(space, counted(size));
}

static uint64_t largest_free(const struct space *space, uint64_t live)
{
    if (!space->capacity)
        return UINT64_MAX;
    if (space->host_limited)
        live = host_live();
    uint64_t unused = space->capacity > live ? space->capacity - live : 0;
    if (!space->offsets)
        return unused;
    fork_lock_take(&ranges_lock);
    uint64_t largest = offsets_largest_free(space->offsets);
    fork_lock_release(&ranges_lock);
    return largest < unused ? largest : unused;
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
