/* prepacked.h: contents of memory as a library's kernels read them, kept from one execution to the
 * next. A convolution whose weights are an argument would reorder them in each execution; where the
 * same buffer is its argument again, the reordered copy of the last time is still right.
 *
 * A copy belongs to a slot, which is part of what it is a copy of (a storage), and has a key: what
 * the contents were prepared for. A slot has at most one copy. It is made when the same key asks a
 * second time in a row, so that contents which are used once are never kept, and a copy that is
 * still in use is not replaced by others in turn.
 *
 * Copies are cached memory: they are no part of a space's live bytes, all of them together have at
 * most the bytes that the cache of free memory may have (GANTRY_CACHE_BYTES), and they are freed
 * when a space is short of memory (prepacked_trim). Thread-safe: a lock is held for a few
 * instructions, never while bytes are allocated, written or freed. */
#ifndef GANTRY_MEMORY_PREPACKED_H
#define GANTRY_MEMORY_PREPACKED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "memory/hostmem.h"

struct prepacked;

struct prepacked_slot {               /* all 0: empty. Its fields are for prepacked.c */
    _Atomic(struct prepacked *) copy; /* a use of it; or NULL */
    uint64_t asked;                   /* the last key that asked and has no copy */
    bool is_closed;                   /* there will be no copy any more */
};

struct prepacked_request {
    uint64_t key;                      /* not 0 */
    uint64_t size;                     /* bytes, > 0 */
    const struct hostmem_place *place; /* where to allocate them: a hint */
};

enum prepacked_state {
    PREPACKED_NONE,    /* the caller uses memory of its own */
    PREPACKED_NEW,     /* the caller writes the bytes, then calls prepacked_finish() */
    PREPACKED_COMPLETE /* the caller reads the bytes */
};

/* The copy of the slot's contents for a key. The caller makes sure that the contents do not change
 * until it calls prepacked_release(*out), which it owes unless the state is PREPACKED_NONE. *bytes
 * is aligned to 64. Memory that cannot be allocated is no error: there is no copy then. */
enum prepacked_state prepacked_find(struct prepacked_slot *slot,
                                    const struct prepacked_request *request, struct prepacked **out,
                                    void **bytes);
/* After PREPACKED_NEW: the bytes are complete. Without this call, the copy is never found. */
void prepacked_finish(struct prepacked *copy);
void prepacked_release(struct prepacked *copy);

/* Frees the slot's copy: the contents are about to change, or end. No prepacked_find() of the slot
 * is under way. Without a copy, it costs one load. */
void prepacked_clear(struct prepacked_slot *slot);
/* Frees the slot's copy, and there will be none any more: others than Gantry may change the
 * contents. A prepacked_find() may be under way. */
void prepacked_close(struct prepacked_slot *slot);
/* Frees the copies of all slots; bytes in use are freed by their last release. Returns how many
 * bytes the copies had. */
uint64_t prepacked_trim(void);
uint64_t prepacked_bytes(void); /* of all copies */

#endif
