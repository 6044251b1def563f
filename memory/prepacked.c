/* prepacked.c: copies are in a list behind one lock, which guards slots and references, too. */
#include "memory/prepacked.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "memory/blocks.h"

struct prepacked {
    struct prepacked_slot *slot; /* whose copy this is; NULL: of none any more */
    uint64_t key;
    int64_t uses; /* the slot's, and those of executions */
    bool is_complete;
    struct block block;
    struct prepacked *next, **place; /* in the list of copies that have a slot */
};

static struct fork_lock lock = FORK_LOCK(FORK_PACKED, NULL);
static struct prepacked *copies;
static atomic_ullong all_bytes;

uint64_t prepacked_bytes(void)
{
    return atomic_load_explicit(&all_bytes, memory_order_relaxed);
}

static void destroy(struct prepacked *copy)
{
    atomic_fetch_sub_explicit(&all_bytes, copy->block.size, memory_order_relaxed);
    blocks_free(&copy->block);
    alloc_free(copy);
}

static struct prepacked *copy_of(struct prepacked_slot *slot)
{
    return atomic_load_explicit(&slot->copy, memory_order_acquire);
}

/* With the lock: takes the copy from its slot, which may end then. Returns it if that was its last
 * use. */
static struct prepacked *detach(struct prepacked *copy)
{
    atomic_store_explicit(&copy->slot->copy, NULL, memory_order_release);
    copy->slot = NULL;
    *copy->place = copy->next;
    if (copy->next)
        copy->next->place = copy->place;
    return --copy->uses ? NULL : copy;
}

/* With the lock: gives the slot a copy, which the caller uses as well. */
static void attach(struct prepacked_slot *slot, struct prepacked *copy)
{
    atomic_store_explicit(&slot->copy, copy, memory_order_release);
    slot->asked = 0;
    copy->slot = slot;
    copy->uses = 2;
    copy->next = copies;
    copy->place = &copies;
    if (copies)
        copies->place = &copy->next;
    copies = copy;
}

/* Whether the cache of free memory might keep so much more. */
static bool is_within_limit(uint64_t size)
{
    uint64_t cached, peak, limit, bytes = prepacked_bytes();
    blocks_cache(&cached, &peak, &limit);
    return size <= limit && bytes <= limit - size;
}

/* NULL: there is no memory for it. */
static struct prepacked *create(const struct prepacked_request *request)
{
    struct prepacked *copy;
    struct error *error =
        is_within_limit(request->size) ? alloc_zeroed(sizeof *copy, &copy) : error_out_of_memory();
    if (!error && (error = blocks_alloc(request->size, request->place, &copy->block)))
        alloc_free(copy);
    error_free(error);
    if (error)
        return NULL;
    copy->key = request->key;
    atomic_fetch_add_explicit(&all_bytes, copy->block.size, memory_order_relaxed);
    return copy;
}

static void destroy_unused(struct prepacked *copy)
{
    if (copy)
        destroy(copy);
}

/* With the lock. */
static struct prepacked *empty(struct prepacked_slot *slot)
{
    struct prepacked *copy = copy_of(slot);
    return copy ? detach(copy) : NULL;
}

/* Takes a new copy into the slot, in place of the one that it has. */
static void keep(struct prepacked_slot *slot, struct prepacked *copy)
{
    fork_lock_take(&lock);
    struct prepacked *unused = empty(slot);
    if (slot->is_closed)
        copy->uses = 1;
    else
        attach(slot, copy);
    fork_lock_release(&lock);
    destroy_unused(unused);
}

/* With the lock: the slot's copy for the key, or NULL. *is_new: the caller is to make it. */
static struct prepacked *ask(struct prepacked_slot *slot, uint64_t key, bool *is_new)
{
    struct prepacked *copy = copy_of(slot);
    bool exists = copy && copy->key == key;
    *is_new = !exists && slot->asked == key && !slot->is_closed;
    slot->asked = exists || *is_new ? 0 : key;
    if (!exists || !copy->is_complete)
        return NULL;
    copy->uses++;
    return copy;
}

enum prepacked_state prepacked_find(struct prepacked_slot *slot,
                                    const struct prepacked_request *request, struct prepacked **out,
                                    void **bytes)
{
    bool is_new;
    fork_lock_take(&lock);
    *out = ask(slot, request->key, &is_new);
    fork_lock_release(&lock);
    enum prepacked_state state = *out ? PREPACKED_COMPLETE : PREPACKED_NONE;
    if (is_new && (*out = create(request))) {
        keep(slot, *out);
        state = PREPACKED_NEW;
    }
    *bytes = *out ? (*out)->block.bytes : NULL;
    return state;
}

void prepacked_finish(struct prepacked *copy)
{
    fork_lock_take(&lock);
    copy->is_complete = true;
    fork_lock_release(&lock);
}

void prepacked_release(struct prepacked *copy)
{
    fork_lock_take(&lock);
    if (copy->slot && !copy->is_complete) /* it never will be */
        detach(copy);
    bool is_last = !--copy->uses;
    fork_lock_release(&lock);
    if (is_last)
        destroy(copy);
}

void prepacked_clear(struct prepacked_slot *slot)
{
    if (!copy_of(slot))
        return;
    fork_lock_take(&lock);
    struct prepacked *unused = empty(slot);
    fork_lock_release(&lock);
    destroy_unused(unused);
}

void prepacked_close(struct prepacked_slot *slot)
{
    fork_lock_take(&lock);
    slot->is_closed = true;
    struct prepacked *unused = empty(slot);
    fork_lock_release(&lock);
    destroy_unused(unused);
}

/* With the lock: takes all copies from their slots. Returns those that nothing else uses, linked by
 * `next`; *bytes: of all. */
static struct prepacked *detach_all(uint64_t *bytes)
{
    struct prepacked *unused = NULL;
    *bytes = 0;
    while (copies) {
        *bytes += copies->block.size;
        struct prepacked *copy = detach(copies);
        if (copy)
            copy->next = unused, unused = copy;
    }
    return unused;
}

uint64_t prepacked_trim(void)
{
    uint64_t bytes;
    fork_lock_take(&lock);
    struct prepacked *unused = detach_all(&bytes);
    fork_lock_release(&lock);
    while (unused) {
        struct prepacked *next = unused->next;
        destroy(unused);
        unused = next;
    }
    return bytes;
}
