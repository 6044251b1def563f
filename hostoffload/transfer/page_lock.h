/* page_lock.h: locks ranges of memory that a client owns into RAM (mlock), so that copies to and
 * from them never wait for a page. The system does not count locks, so pages that several ranges
 * share are tracked here and stay locked until the last of these ranges is unlocked. That also ends
 * any lock that the client itself placed on the pages. A refusal by the system is not an error:
 * hostmem_stats() counts it. Thread-safe. */
#ifndef GANTRY_HOSTOFFLOAD_TRANSFER_PAGE_LOCK_H
#define GANTRY_HOSTOFFLOAD_TRANSFER_PAGE_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct page_lock; /* of one range */

/* Locks the pages of a non-empty range; may take as long as touching all of them. INVALID_ARGUMENT
 * when part of the range is not mapped. Owned: page_lock_release. */
struct error *page_lock_range(const void *start, size_t size, struct page_lock **out);
void page_lock_release(struct page_lock *lock); /* accepts NULL */
bool page_lock_is_granted(const struct page_lock *lock);

#endif
