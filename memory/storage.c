/* storage.c: the sources of bytes, and the common release. */
#include "memory/storage.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "memory/live.h"

#define READER (1ULL << 32)

/* ---- holds ----------------------------------------------------------------------------------- */
static struct storage *add(struct storage *storage, unsigned long long holds)
{
    if (storage)
        atomic_fetch_add_explicit(&storage->holds, holds, memory_order_relaxed);
    return storage;
}

void storage_retain(struct storage *storage)
{
    add(storage, 1);
}

struct storage_hold storage_initial_hold(struct storage *storage)
{
    return (struct storage_hold){storage,
                                 storage->source == STORAGE_OWNED ? HOLD_WRITE : HOLD_KEEP};
}

struct storage_hold storage_keep(struct storage *storage)
{
    return (struct storage_hold){add(storage, 1), HOLD_KEEP};
}

struct storage_hold storage_read(struct storage *storage)
{
    return (struct storage_hold){add(storage, READER + 1), HOLD_READ};
}

bool storage_may_write(const struct storage_hold *hold)
{
    return hold->storage && hold->kind == HOLD_WRITE &&
           atomic_load_explicit(&hold->storage->holds, memory_order_acquire) < READER;
}

void storage_expose(struct storage *storage)
{
    while (storage && storage->source == STORAGE_VIEW)
        storage = storage->parent;
    if (storage)
        prepacked_close(&storage->prepacked);
}

/* Frees the memory; returns the hold count that a view has on its parent. */
static struct storage *destroy(struct storage *storage)
{
    struct storage *parent = NULL;
    switch (storage->source) {
    case STORAGE_OWNED:
    case STORAGE_RESERVED:
        prepacked_clear(&storage->prepacked);
        space_free(storage);
        space_release(storage->space);
        break;
    case STORAGE_VIEW: parent = storage->parent; break;
    case STORAGE_BORROWED:
        if (storage->release)
            storage->release(storage->address, storage->argument);
        space_count_borrowed(storage->space, storage->size, false);
        space_release(storage->space);
        break;
    }
    alloc_free(storage);
    return parent;
}

/* Ends `holds` of the storage; the last hold of a view also ends its hold on the parent. Reads
 * happen before later writes in place. */
static void end_holds(struct storage *storage, unsigned long long holds)
{
    while (storage) {
        unsigned long long before =
            atomic_fetch_sub_explicit(&storage->holds, holds, memory_order_acq_rel);
        if (before != holds)
            return;
        storage = destroy(storage);
        holds = READER + 1;
    }
}

void storage_release(struct storage *storage)
{
    end_holds(storage, 1);
}

void storage_drop(struct storage_hold *hold)
{
    struct storage *storage = hold->storage;
    hold->storage = NULL;
    end_holds(storage, hold->kind == HOLD_READ ? READER + 1 : 1);
}

/* ---- bytes ----------------------------------------------------------------------------------- */
/* Gives the block to the storage, unless another thread has given it one. */
static bool set_block(struct storage *storage, const struct block *block)
{
    fork_lock_take(fork_lock_of(storage));
    bool first = !storage->address;
    if (first) {
        storage->block = *block;
        storage->address = block->bytes;
    }
    fork_lock_release(fork_lock_of(storage));
    return first;
}

struct error *storage_provide(struct storage *storage)
{
    struct block block;
    if (storage->address || storage->source != STORAGE_OWNED)
        return NULL;
    TRY(space_fill(storage, &block));
    if (!set_block(storage, &block))
        space_return(storage->space, &block);
    return NULL;
}

/* ---- labels ---------------------------------------------------------------------------------- */
/* The holder of the token reads the label without a lock, since no other thread may change it. */
void storage_set_label(const struct storage_hold *hold, const struct label *label)
{
    struct storage *storage = hold->storage;
    if (hold->kind == HOLD_WRITE && storage && !label_equal(&storage->label, label))
        live_set_label(storage, label);
}

struct label storage_get_label(const struct storage_hold *hold)
{
    struct storage *storage = hold->storage;
    while (storage && storage->source == STORAGE_VIEW)
        storage = storage->parent;
    return storage && storage->source <= STORAGE_RESERVED ? live_get_label(storage)
                                                          : (struct label){0};
}

/* ---- client memory --------------------------------------------------------------------------- */
static struct error *create(enum storage_source source, struct space *space, void *address,
                            uint64_t size, struct storage **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    atomic_init(&(*out)->holds, 1);
    (*out)->source = source;
    (*out)->space = space;
    (*out)->address = address;
    (*out)->size = size;
    return NULL;
}

struct error *storage_view(struct storage *parent, uint64_t offset, uint64_t size,
                           struct storage **out)
{
    *out = NULL;
    if (offset > parent->size || size > parent->size - offset)
        return ERROR(OUT_OF_RANGE, "view of bytes %llu to %llu of a storage of %llu bytes",
                     (unsigned long long)offset, (unsigned long long)(offset + size),
                     (unsigned long long)parent->size);
    TRY(storage_provide(parent));
    char *bytes = parent->address;
    TRY(create(STORAGE_VIEW, parent->space, bytes ? bytes + offset : NULL, size, out));
    (*out)->offset = parent->offset + offset;
    (*out)->parent = storage_read(parent).storage;
    return NULL;
}

struct error *storage_borrow(struct space *space, void *address, uint64_t size,
                             void (*release)(void *address, void *argument), void *argument,
                             struct storage **out)
{
    TRY(create(STORAGE_BORROWED, space, address, size, out));
    space_retain(space);
    space_count_borrowed(space, size, true);
    (*out)->release = release;
    (*out)->argument = argument;
    return NULL;
}
