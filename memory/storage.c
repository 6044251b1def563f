/* storage.c: the three ways to get bytes, and the one way to give them back. */
#include "memory/storage.h"

#include "base/alloc.h"

void storage_retain(struct storage *storage)
{
    refs_retain(&storage->refs);
}

void storage_release(struct storage *storage)
{
    while (storage &&
           refs_release(&storage->refs)) { /* a view's parent is released in the next turn */
        struct storage *parent = NULL;
        switch (storage->source) {
        case STORAGE_OWNED:
            space_free(storage->space, storage->size, storage->range_block, &storage->block);
            space_release(storage->space);
            break;
        case STORAGE_VIEW: parent = storage->parent; break;
        case STORAGE_HOST_BORROWED:
            if (storage->release)
                storage->release(storage->bytes, storage->argument);
            space_release(storage->space);
            break;
        }
        alloc_free(storage);
        storage = parent;
    }
}

struct error *storage_view(struct storage *parent, uint64_t offset, uint64_t size,
                           struct storage **out)
{
    struct storage *view;
    *out = NULL;
    if (offset > parent->size || size > parent->size - offset)
        return ERROR(OUT_OF_RANGE, "view of bytes %llu to %llu of a storage of %llu bytes",
                     (unsigned long long)offset, (unsigned long long)(offset + size),
                     (unsigned long long)parent->size);
    TRY(alloc_zeroed(sizeof *view, &view));
    refs_init(&view->refs);
    view->source = STORAGE_VIEW;
    view->space = parent->space;
    view->bytes = (char *)parent->bytes + offset;
    view->size = size;
    view->offset = parent->offset + offset;
    storage_retain(parent);
    view->parent = parent;
    *out = view;
    return NULL;
}

struct error *storage_borrow(struct space *space, void *bytes, uint64_t size,
                             void (*release)(void *bytes, void *argument), void *argument,
                             struct storage **out)
{
    struct storage *storage;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *storage, &storage));
    refs_init(&storage->refs);
    storage->source = STORAGE_HOST_BORROWED;
    space_retain(space);
    storage->space = space;
    storage->bytes = bytes;
    storage->size = size;
    storage->release = release;
    storage->argument = argument;
    *out = storage;
    return NULL;
}

bool storage_is_exclusive(const struct storage *storage)
{
    return storage->source == STORAGE_OWNED &&
           atomic_load_explicit(&storage->refs.count, memory_order_acquire) == 1;
}
