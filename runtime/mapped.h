/* mapped.h: the ranges of host memory that a client has registered for direct transfers
 * (PJRT_Client_DmaMap). Their pages are locked into RAM if the system allows it, so that
 * asynchronous copies do not incur page faults; refusals are counted by hostmem_stats(). The
 * devices can read all host memory; in addition, mapped memory can be used as a pinned_host buffer
 * without a copy. Thread-safe. */
#ifndef GANTRY_RUNTIME_MAPPED_H
#define GANTRY_RUNTIME_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hostoffload/transfer/page_lock.h"

struct mapped { /* guarded by fork_lock_of(mapped) */
    struct mapped_range {
        const char *start, *end;
        struct page_lock *lock; /* owned */
    } *ranges;                  /* owned; they do not overlap */
    size_t count;
};

void mapped_init(struct mapped *mapped);
void mapped_destroy(struct mapped *mapped); /* unlocks the remaining ranges */
/* INVALID_ARGUMENT for an empty range or unmapped addresses; ALREADY_EXISTS when it overlaps
 * another range. May take as long as touching all pages. */
struct error *mapped_add(struct mapped *mapped, const void *data, size_t size);
/* Whether one range contains all of the bytes. */
bool mapped_contains(struct mapped *mapped, const void *data, uint64_t size);
/* NOT_FOUND when no range starts there. */
struct error *mapped_remove(struct mapped *mapped, const void *data);

#endif
