/* page_lock.c: a list of the process's locked ranges. A range is in the list from before its pages
 * are locked until they are unlocked, so that no range unlocks pages of another one. */
#include "hostoffload/transfer/page_lock.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "memory/hostmem.h"

struct page_lock {
    uintptr_t start, end; /* whole pages */
    bool granted;
    struct page_lock *next, **place; /* in the list */
};

static struct page_lock *all_ranges; /* guarded by fork_lock_of(&all_ranges) */

static void add_to_list(struct page_lock *lock)
{
    fork_lock_take(fork_lock_of(&all_ranges));
    lock->next = all_ranges;
    lock->place = &all_ranges;
    if (lock->next)
        lock->next->place = &lock->next;
    all_ranges = lock;
    fork_lock_release(fork_lock_of(&all_ranges));
}

/* The first range of the list that contains a page of [start, end). The caller holds the list's
 * lock. */
static const struct page_lock *overlapping(uintptr_t start, uintptr_t end)
{
    const struct page_lock *first = NULL;
    for (const struct page_lock *lock = all_ranges; lock; lock = lock->next)
        if (lock->start < end && start < lock->end && (!first || lock->start < first->start))
            first = lock;
    return first;
}

/* Unlocks the pages that no range of the list contains. The caller holds the list's lock. */
static void unlock_rest(uintptr_t start, uintptr_t end)
{
    while (start < end) {
        const struct page_lock *other = overlapping(start, end);
        if (!other || other->start > start)
            munlock((void *)start, (other ? other->start : end) - start);
        start = other ? other->end : end;
    }
}

static void remove_from_list(struct page_lock *lock)
{
    fork_lock_take(fork_lock_of(&all_ranges));
    *lock->place = lock->next;
    if (lock->next)
        lock->next->place = lock->place;
    unlock_rest(lock->start, lock->end);
    fork_lock_release(fork_lock_of(&all_ranges));
}

struct error *page_lock_range(const void *start, size_t size, struct page_lock **out)
{
    uintptr_t page = hostmem_page(), first = (uintptr_t)start & ~(page - 1);
    *out = NULL;
    uint64_t bytes = hostmem_round((uintptr_t)start + size - first);
    /* does not write, and detects unmapped addresses */
    if (msync((void *)first, bytes, MS_ASYNC) && errno == ENOMEM)
        return ERROR(INVALID_ARGUMENT,
                     "part of the %zu bytes at %p is not mapped: allocate the memory first", size,
                     start);
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->start = first;
    (*out)->end = first + bytes;
    add_to_list(*out);
    (*out)->granted = hostmem_lock((void *)first, bytes);
    if (!(*out)->granted)
        remove_from_list(*out);
    return NULL;
}

void page_lock_release(struct page_lock *lock)
{
    if (!lock)
        return;
    if (lock->granted) {
        remove_from_list(lock);
        hostmem_count_unlocked(lock->end - lock->start);
    }
    alloc_free(lock);
}

bool page_lock_is_granted(const struct page_lock *lock)
{
    return lock->granted;
}
