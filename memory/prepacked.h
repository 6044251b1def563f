/* prepacked.h: copies of memory contents in the layout of a library's kernels, cached across
 * executions. A convolution whose weights are an argument would reorder them in each execution; if
 * the argument is the same buffer again, the cached copy is valid.
 *
 * A copy belongs to a slot of the copied storage, and has a key that identifies its use. A slot has
 * at most one copy. It is made at the second consecutive request with the same key: contents used
 * once are never cached, and alternating keys do not replace a copy in use.
 *
 * Copies are cached memory: they do not count as live bytes of a space, their total is limited like
 * the cache of free memory (GANTRY_CACHE_BYTES), and they are freed when a space is short of memory
 * (prepacked_trim). Thread-safe: a lock is held for a few instructions, never while bytes are
 * allocated, written or freed. */
#ifndef GANTRY_MEMORY_PREPACKED_H
#define GANTRY_MEMORY_PREPACKED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "memory/hostmem.h"

struct prepacked;

struct prepacked_slot {               /* all 0: empty. Its fields are for prepacked.c */
    _Atomic(struct prepacked *) copy; /* one reference to it; or NULL */
    uint64_t asked;                   /* the last requested key without a copy */
    bool is_closed;                   /* no further copy is made */
};

struct prepacked_request {
    uint64_t key;                      /* not 0 */
    uint64_t size;                     /* bytes, > 0 */
    const struct hostmem_place *place; /* where to allocate them: a hint */
};

enum prepacked_state {
    PREPACKED_NONE,    /* the caller uses its own memory */
    PREPACKED_NEW,     /* the caller writes the bytes, then calls prepacked_finish() */
    PREPACKED_COMPLETE /* the caller reads the bytes */
};

/* The copy of the slot's contents for a key. Unless the state is PREPACKED_NONE, the caller must
 * call prepacked_release(*out), and the contents must not change before. *bytes is aligned to 64.
 * Failure to allocate is not an error: there is no copy then. */
enum prepacked_state prepacked_find(struct prepacked_slot *slot,
                                    const struct prepacked_request *request, struct prepacked **out,
                                    void **bytes);
/* After PREPACKED_NEW: the bytes are complete. Without this call, the copy is never found. */
void prepacked_finish(struct prepacked *copy);
void prepacked_release(struct prepacked *copy);

/* Frees the slot's copy: before the contents change or are freed. Not concurrent with
 * prepacked_find() of the slot. Without a copy, it costs one load. */
void prepacked_clear(struct prepacked_slot *slot);
/* Frees the slot's copy and prevents further ones, because code outside Gantry may change the
 * contents. May be concurrent with prepacked_find(). */
void prepacked_close(struct prepacked_slot *slot);
/* Frees the copies of all slots; bytes in use are freed by their last release. Returns how many
 * bytes the copies had. */
uint64_t prepacked_trim(void);
uint64_t prepacked_bytes(void); /* of all copies */

#endif
