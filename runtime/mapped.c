/* mapped.c: a short list with linear search. */
#include "runtime/mapped.h"

#include <stdint.h>

#include "base/alloc.h"
#include "base/fork.h"

void mapped_init(struct mapped *mapped)
{
    *mapped = (struct mapped){0};
}

void mapped_destroy(struct mapped *mapped)
{
    for (size_t i = 0; i < mapped->count; i++)
        page_lock_release(mapped->ranges[i].lock);
    alloc_free(mapped->ranges);
}

static struct error *add_locked(struct mapped *mapped, const char *start, const char *end,
                                struct page_lock *lock)
{
    for (size_t i = 0; i < mapped->count; i++)
        if (start < mapped->ranges[i].end && mapped->ranges[i].start < end)
            return ERROR(ALREADY_EXISTS,
                         "host memory %p to %p is already mapped, in part or as a whole",
                         (const void *)start, (const void *)end);
    TRY(alloc_resize(&mapped->ranges, (mapped->count + 1) * sizeof *mapped->ranges));
    mapped->ranges[mapped->count++] = (struct mapped_range){start, end, lock};
    return NULL;
}

struct error *mapped_add(struct mapped *mapped, const void *data, size_t size)
{
    if (!data || !size || (uintptr_t)data + size < size)
        return ERROR(INVALID_ARGUMENT, "%zu bytes of host memory at %p cannot be mapped", size,
                     data);
    struct page_lock *lock;
    TRY(page_lock_range(data, size, &lock));
    fork_lock_take(fork_lock_of(mapped));
    struct error *error = add_locked(mapped, data, (const char *)data + size, lock);
    fork_lock_release(fork_lock_of(mapped));
    if (error)
        page_lock_release(lock);
    return error;
}

bool mapped_contains(struct mapped *mapped, const void *data, uint64_t size)
{
    uintptr_t start = (uintptr_t)data;
    bool found = false;
    fork_lock_take(fork_lock_of(mapped));
    for (size_t i = 0; i < mapped->count && !found; i++) {
        uintptr_t end = (uintptr_t)mapped->ranges[i].end;
        found = start >= (uintptr_t)mapped->ranges[i].start && start < end && size <= end - start;
    }
    fork_lock_release(fork_lock_of(mapped));
    return found;
}

struct error *mapped_remove(struct mapped *mapped, const void *data)
{
    struct page_lock *lock = NULL;
    fork_lock_take(fork_lock_of(mapped));
    size_t i = 0;
    while (i < mapped->count && mapped->ranges[i].start != data)
        i++;
    if (i < mapped->count) {
        lock = mapped->ranges[i].lock;
        mapped->ranges[i] = mapped->ranges[--mapped->count];
    }
    fork_lock_release(fork_lock_of(mapped));
    if (!lock)
        return ERROR(NOT_FOUND, "no mapped host memory starts at %p", data);
    page_lock_release(lock);
    return NULL;
}
