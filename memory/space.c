/* space.c: counts with atomics; only a modeled address range needs a lock. */
#include "memory/space.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/peak.h"
#include "base/refs.h"
#include "base/text.h"
#include "base/trace.h"
#include "memory/blocks.h"
#include "memory/hostmem.h"
#include "memory/live.h"
#include "memory/offsets.h"
#include "memory/storage.h"

struct space {
    struct refs refs;
    enum memory_kind kind;
    struct hostmem_place place;
    uint64_t capacity;   /* 0: unlimited; never above host_limit */
    uint64_t host_limit; /* 0: not checked */
    const char *advice;
    const struct space_backing *backing;
    char *name; /* owned */
    atomic_ullong live;
    atomic_ullong peak, largest, borrowed;
    atomic_llong count, total;
    /* guarded by ranges_lock: */
    struct offsets *offsets;             /* owned; NULL unless modeled */
    struct space *next, **place_in_list; /* in the list of all spaces on the block cache */
};

enum { SHARED_BYTES = 1 << 20 }; /* smallest allocation that checks the use of all spaces */
static const struct space_backing host_backing = {blocks_alloc, blocks_free};

/* One lock for the modeled ranges and the list of all spaces; each call holds it for some tens of
 * nanoseconds. */
static struct fork_lock ranges_lock = FORK_LOCK(FORK_RANGES, NULL);
static struct space *all_spaces;

/* ---- all spaces that use the block cache ----------------------------------------------------- */
static void add_to_list(struct space *space)
{
    fork_lock_take(&ranges_lock);
    space->next = all_spaces;
    space->place_in_list = &all_spaces;
    if (space->next)
        space->next->place_in_list = &space->next;
    all_spaces = space;
    fork_lock_release(&ranges_lock);
}

static void remove_from_list(struct space *space)
{
    fork_lock_take(&ranges_lock);
    if (space->place_in_list) {
        *space->place_in_list = space->next;
        if (space->next)
            space->next->place_in_list = space->place_in_list;
    }
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

/* "CPU_0(device) holds 5 bytes, CPU_1(device) 3": the spaces with the most bytes, at most four. */
static void print_holders(struct text *text)
{
    const struct space *last = NULL;
    fork_lock_take(&ranges_lock);
    for (int i = 0; i < 4; i++) {
        const struct space *largest = NULL;
        for (const struct space *space = all_spaces; space; space = space->next) {
            bool after = !last || live_of(space) < live_of(last) ||
                         (live_of(space) == live_of(last) && space < last);
            if (after && live_of(space) && (!largest || live_of(space) > live_of(largest)))
                largest = space;
        }
        if (!largest)
            break;
        text_add(text, i ? ", %s " : "%s holds ", largest->name);
        text_add_size(text, live_of(largest));
        last = largest;
    }
    fork_lock_release(&ranges_lock);
}

/* The lower of two limits, where 0 means none. */
static uint64_t lower_limit(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

struct error *space_create(const struct space_options *options, struct space **out)
{
    struct space *space;
    *out = NULL;
    if (options->modeled && !options->capacity)
        return ERROR(INVALID_ARGUMENT, "%s: a modeled memory needs a capacity",
                     options->name ? options->name : space_kind_name(options->kind));
    if (options->modeled && options->capacity < BLOCKS_ALIGNMENT)
        return ERROR(INVALID_ARGUMENT, "%s: a limit of %llu bytes; allowed: at least %d",
                     options->name ? options->name : space_kind_name(options->kind),
                     (unsigned long long)options->capacity, BLOCKS_ALIGNMENT);
    TRY(alloc_zeroed(sizeof *space, &space));
    refs_init(&space->refs);
    space->kind = options->kind;
    space->place = options->place;
    space->host_limit = options->host_limit;
    space->capacity = lower_limit(options->capacity, options->host_limit);
    space->advice = options->advice;
    space->backing = options->backing ? options->backing : &host_backing;
    const char *name = options->name ? options->name : space_kind_name(options->kind);
    struct error *error = alloc_copy(name, strlen(name), &space->name);
    if (!error && options->modeled)
        error = offsets_create(options->capacity, BLOCKS_ALIGNMENT, &space->offsets);
    if (!error && !options->backing)
        add_to_list(space);
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
    remove_from_list(space);
    offsets_destroy(space->offsets);
    alloc_free(space->name);
    alloc_free(space);
}

/* A number of bytes as it is counted. */
static uint64_t rounded(uint64_t size)
{
    return size > UINT64_MAX - BLOCKS_ALIGNMENT
               ? size
               : (size + BLOCKS_ALIGNMENT - 1) & ~(uint64_t)(BLOCKS_ALIGNMENT - 1);
}

/* ---- messages -------------------------------------------------------------------------------- */
/* The purpose of an allocation. */
struct request {
    struct space *space;
    uint64_t size;             /* as it is counted */
    const struct label *label; /* or NULL */
    bool has_bytes;            /* it gets its bytes now */
};

static bool is_of_space(const struct storage *storage, const void *space)
{
    return storage->space == space;
}

static bool is_of_host(const struct storage *storage, const void *unused)
{
    (void)unused;
    return storage->space->backing == &host_backing;
}

/* Describes the bytes of all live storages beside `size`, the free bytes, and which spaces hold the
 * host's memory. */
static void print_use(const struct space *space, uint64_t live, bool host, struct text *text)
{
    uint64_t limit = host ? space->host_limit : space->capacity;
    text_add_size(text, live);
    text_add(text, " in use, limit ");
    text_add_size(text, limit);
    text_add(text, ", ");
    text_add_size(text, limit > live ? limit - live : 0);
    text_add(text, " free");
    if (host) {
        text_add(text, " of the host's memory: ");
        print_holders(text);
    }
    text_add(text, ".\n");
}

/* The message for a request that does not fit; `host`: that exceeds the host's memory. */
static struct error *full(const struct request *request, uint64_t live, bool host)
{
    const struct space *space = request->space;
    struct text text = {0};
    struct live_summary summary;
    text_add(&text, "Out of memory allocating ");
    text_add_size(&text, request->size);
    text_add(&text, " in %s", space->name);
    if (request->label) {
        text_add(&text, " for ");
        label_print(request->label, &text);
    }
    text_add(&text, ": ");
    print_use(space, live, host, &text);
    live_summarize(host ? is_of_host : is_of_space, space, &summary);
    live_print(&summary, &text);
    live_summary_free(&summary);
    text_add(&text, "%s", space->advice ? space->advice : "");
    struct error *error =
        text.failed ? error_out_of_memory() : ERROR(RESOURCE_EXHAUSTED, "%s", text.data);
    text_free(&text);
    return error;
}

/* ---- profiles -------------------------------------------------------------------------------- */
/* Notes that the space has `change` more bytes in use, for the owner. */
static void note(const struct space *space, const struct label *label, const void *owner,
                 int64_t change)
{
    uint64_t at = trace_begin();
    if (!at || !change)
        return;
    struct text text = {0};
    struct trace_memory memory = {.live = live_of(space),
                                  .peak = atomic_load(&space->peak),
                                  .limit = space->capacity,
                                  .change = change,
                                  .owner = (uintptr_t)owner};
    snprintf(memory.space, sizeof memory.space, "%s", space->name);
    if (label)
        label_print(label, &text);
    trace_note_memory(at, text.data, &memory);
    text_free(&text);
}

/* ---- counting -------------------------------------------------------------------------------- */
/* Adds to `live` unless the capacity would be exceeded. */
static struct error *count_in(const struct request *request)
{
    struct space *space = request->space;
    uint64_t size = request->size;
    unsigned long long live = atomic_load_explicit(&space->live, memory_order_relaxed), after;
    do {
        if (__builtin_add_overflow(live, size, &after) ||
            (space->capacity && after > space->capacity)) {
            bool host = space->capacity && space->capacity == space->host_limit;
            return full(request, host ? host_live() : live, host);
        }
    } while (!atomic_compare_exchange_weak_explicit(&space->live, &live, after,
                                                    memory_order_relaxed, memory_order_relaxed));
    peak_raise(&space->peak, after);
    peak_raise(&space->largest, size);
    atomic_fetch_add_explicit(&space->count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&space->total, 1, memory_order_relaxed);
    return NULL;
}

static void count_out(struct space *space, uint64_t size)
{
    atomic_fetch_sub_explicit(&space->live, size, memory_order_relaxed);
    atomic_fetch_sub_explicit(&space->count, 1, memory_order_relaxed);
}

/* Whether all spaces together use more than the host's memory. Contents kept in another form give
 * way. */
static struct error *check_host(const struct request *request)
{
    if (!request->space->host_limit || request->size < SHARED_BYTES)
        return NULL;
    uint64_t live = host_live(), limit = request->space->host_limit;
    if (live > limit)
        return full(request, live - request->size, true);
    if (prepacked_bytes() > limit - live)
        prepacked_trim();
    return NULL;
}

/* Allocates a range of the modeled memory; none for size 0. The message reports fragmentation, when
 * enough bytes are free but no free range is large enough. */
static struct error *place(const struct request *request, struct range *out)
{
    struct space *space = request->space;
    *out = (struct range){0};
    if (!space->offsets || !request->size)
        return NULL;
    fork_lock_take(&ranges_lock);
    struct error *error = offsets_alloc(space->offsets, request->size, out);
    uint64_t largest = error ? offsets_largest_free(space->offsets) : 0;
    fork_lock_release(&ranges_lock);
    if (!error || largest >= request->size) /* or no memory for the record */
        return error;
    error_free(error);
    return error_prefix(full(request, live_of(space) - request->size, false),
                        "No free range is large enough: the largest has %llu bytes",
                        (unsigned long long)largest);
}

static void free_range(struct space *space, uint64_t size, uint32_t range_block)
{
    if (!space->offsets || !size)
        return;
    fork_lock_take(&ranges_lock);
    offsets_free(space->offsets, range_block);
    fork_lock_release(&ranges_lock);
}

/* Tries again without contents kept in another form if the system has no memory. */
struct error *space_fill(const struct storage *storage, struct block *out)
{
    const struct space *space = storage->space;
    struct error *error = space->backing->allocate(storage->size, &space->place, out);
    if (error && prepacked_trim()) {
        error_free(error);
        error = space->backing->allocate(storage->size, &space->place, out);
    }
    return error ? error_prefix(error, "%s", space->name) : NULL;
}

void space_return(const struct space *space, const struct block *block)
{
    space->backing->release(block);
}

/* Allocates the modeled range of a storage that is already counted, and its bytes unless they are
 * deferred. */
static struct error *fill(const struct request *request, struct storage *storage)
{
    struct space *space = request->space;
    struct range range;
    TRY(check_host(request));
    TRY(place(request, &range));
    struct error *error = request->has_bytes ? space_fill(storage, &storage->block) : NULL;
    if (error) {
        free_range(space, request->size, range.block);
        return error;
    }
    storage->address = storage->block.bytes;
    storage->offset = range.offset;
    storage->range_block = range.block;
    return NULL;
}

/* Counts a storage and gives it memory. */
static struct error *count_and_fill(const struct request *request, struct storage *storage)
{
    TRY(count_in(request));
    struct error *error = fill(request, storage);
    if (error)
        count_out(request->space, request->size);
    return error;
}

/* A storage of `size` bytes that is like the request. */
static struct error *make(const struct request *like, enum storage_source source, uint64_t size,
                          struct storage **out)
{
    struct request request = *like;
    struct storage *storage;
    *out = NULL;
    TRY(alloc_bytes(sizeof *storage, &storage));
    *storage = (struct storage){
        .source = source, .space = like->space, .size = size, .counted = like->size};
    if (like->label)
        storage->label = *like->label;
    atomic_init(&storage->holds, 1);
    request.size = rounded(like->size);
    struct error *error = count_and_fill(&request, storage);
    if (error) {
        alloc_free(storage);
        return error;
    }
    space_retain(like->space);
    live_add(storage);
    note(like->space, like->label, storage, (int64_t)request.size);
    *out = storage;
    return NULL;
}

struct error *space_alloc_labeled(struct space *space, uint64_t size, const struct label *label,
                                  struct storage **out)
{
    return space_alloc_counted(space, size, size, label, out);
}

struct error *space_alloc_counted(struct space *space, uint64_t size, uint64_t counted,
                                  const struct label *label, struct storage **out)
{
    return make(&(struct request){space, counted, label, true}, STORAGE_OWNED, size, out);
}

struct error *space_alloc_deferred(struct space *space, uint64_t size, uint64_t counted,
                                   const struct label *label, struct storage **out)
{
    return make(&(struct request){space, counted, label, false}, STORAGE_OWNED, size, out);
}

struct error *space_reserve(struct space *space, uint64_t size, const struct label *label,
                            struct storage **out)
{
    return make(&(struct request){space, size, label, false}, STORAGE_RESERVED, size, out);
}

struct error *space_count(struct space *space, uint64_t size, const struct label *label)
{
    TRY(count_in(&(struct request){space, rounded(size), label, false}));
    note(space, label, space, (int64_t)rounded(size));
    return NULL;
}

void space_uncount(struct space *space, uint64_t size)
{
    count_out(space, rounded(size));
    note(space, NULL, space, -(int64_t)rounded(size));
}

struct error *space_alloc(struct space *space, uint64_t size, struct storage **out)
{
    return space_alloc_labeled(space, size, NULL, out);
}

void space_free(struct storage *storage)
{
    struct space *space = storage->space;
    live_remove(storage);
    if (storage->address)
        space_return(space, &storage->block);
    free_range(space, storage->counted, storage->range_block);
    count_out(space, rounded(storage->counted));
    note(space, NULL, storage, -(int64_t)rounded(storage->counted));
}

void space_count_borrowed(struct space *space, uint64_t size, bool begins)
{
    atomic_fetch_add_explicit(&space->borrowed, begins ? size : -size, memory_order_relaxed);
}

static uint64_t left(uint64_t limit, uint64_t live)
{
    return limit > live ? limit - live : 0;
}

static uint64_t largest_free(const struct space *space, uint64_t live)
{
    if (!space->capacity)
        return UINT64_MAX;
    uint64_t unused = left(space->capacity, live);
    if (space->host_limit && left(space->host_limit, host_live()) < unused)
        unused = left(space->host_limit, host_live());
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
    out->pool = hostmem_mapped();
    out->pool_peak = hostmem_mapped_peak();
    blocks_cache(&out->cached, &out->cached_peak, &out->cached_limit);
    out->borrowed = atomic_load_explicit(&space->borrowed, memory_order_relaxed);
}

/* An allocation adds to live, then raises the peak. Wherever in between the peak is reset, it is
 * raised afterwards: by the allocation, or here. */
void space_clear_stats(struct space *space)
{
    atomic_store(&space->peak, 0);
    atomic_store_explicit(&space->largest, 0, memory_order_relaxed);
    atomic_store_explicit(&space->total, 0, memory_order_relaxed);
    peak_raise(&space->peak, atomic_load(&space->live));
}

uint64_t space_capacity(const struct space *space)
{
    return space->capacity;
}

const struct hostmem_place *space_place(const struct space *space)
{
    return &space->place;
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

void space_live_summary(const struct space *space, struct live_summary *out)
{
    live_summarize(is_of_space, space, out);
}

void space_trim(void)
{
    blocks_trim(0);
}
