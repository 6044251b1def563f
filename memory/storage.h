/* storage.h: a reference-counted range of bytes in a space. Its source determines how it is freed.
 * Thread-safe.
 *
 * Every user of a storage has a hold on it, of one of three kinds:
 *
 *   HOLD_KEEP    the memory stays allocated, but its contents may change: held by an execution
 *                that still writes its results, whose buffers have the write token already.
 *   HOLD_READ    in addition, the contents are not overwritten: held for an argument of an
 *                execution that is not donated, an external reference, a copy, a second buffer
 *                on the same memory.
 *   HOLD_WRITE   the write token. It is created with the storage (space_alloc) and can only be
 *                moved, so there is at most one. Its holder may pass the memory on, and write to
 *                it while there is no read hold (storage_may_write). A buffer has it; donation
 *                moves it from the argument through the execution to the result.
 *
 * Read holds prevent writing in place; keep holds do not. New read holds can be created only from
 * the token or another read hold, so after a donation their number only decreases: once true,
 * storage_may_write() stays true. */
#ifndef GANTRY_MEMORY_STORAGE_H
#define GANTRY_MEMORY_STORAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "memory/blocks.h"
#include "memory/label.h"
#include "memory/prepacked.h"
#include "memory/space.h"

enum storage_source {
    STORAGE_OWNED,    /* from space_alloc; the last release returns it to the space */
    STORAGE_RESERVED, /* from space_reserve; counted, but without bytes */
    STORAGE_VIEW,     /* part of another storage, on which it has a read hold; no token */
    /* the client's memory; the last release calls release(address, argument); no token */
    STORAGE_BORROWED
};

struct storage {
    atomic_ullong holds; /* low half: all holds; high half: read holds */
    enum storage_source source;
    struct space *space; /* retained until the last release; for a view, its parent's */
    /* The device's address. Only the device may dereference it (device.h: copy, address). NULL: it
     * has no bytes, or not yet (storage_provide). */
    _Atomic(void *) address;
    uint64_t size;
    uint64_t counted; /* bytes for which it counts in its space: `size`, or what a model says */
    uint64_t offset;  /* in a modeled space: the modeled address; else 0 */
    /* Its contents as a library reads them. Only STORAGE_OWNED may have them: who owns other
     * memory may change it. */
    struct prepacked_slot prepacked;
    union {
        struct { /* STORAGE_OWNED, STORAGE_RESERVED */
            struct block block;
            uint32_t range_block;
            struct label label; /* guarded by the locks of live.c, as are the next two */
            struct storage *live_next, *live_before;
        };
        struct storage *parent; /* STORAGE_VIEW */
        struct {                /* STORAGE_BORROWED */
            void (*release)(void *address, void *argument);
            void *argument;
        };
    };
};

enum hold_kind { HOLD_KEEP, HOLD_READ, HOLD_WRITE };
struct storage_hold { /* owned: storage_drop. Moved by assignment; storage NULL: no hold */
    struct storage *storage;
    enum hold_kind kind;
};

/* Allocates the bytes of a storage from space_alloc_deferred(), unless it has them. Any hold
 * suffices. RESOURCE_EXHAUSTED when the system has no memory; the storage is then unchanged. */
struct error *storage_provide(struct storage *storage);

void storage_retain(struct storage *storage);  /* adds a keep hold */
void storage_release(struct storage *storage); /* ends a keep hold; accepts NULL */

/* The hold that comes with a storage from space_alloc() (the write token), storage_view() or
 * storage_borrow(). Call once per storage. */
struct storage_hold storage_initial_hold(struct storage *storage);
/* Adds a keep hold or a read hold; the latter requires that the caller has the token or a read
 * hold. For NULL, returns an empty hold. */
struct storage_hold storage_keep(struct storage *storage);
struct storage_hold storage_read(struct storage *storage);
/* Ends a hold and empties it. */
void storage_drop(struct storage_hold *hold);
/* Whether the memory may be written: the hold is the token, and there are no read holds. */
bool storage_may_write(const struct storage_hold *hold);

/* A client has the address from now on, and may change the contents: they are not kept in another
 * form. Any hold suffices. Accepts NULL. */
void storage_expose(struct storage *storage);

/* The origin of the contents. Only the holder of the write token can change it: calls with other
 * holds, or for a client's memory, are ignored. Any hold suffices to read it; the result is owned:
 * label_release. */
void storage_set_label(const struct storage_hold *hold, const struct label *label);
struct label storage_get_label(const struct storage_hold *hold);

/* A view of `size` bytes at `offset` of `parent`, on which the view has a read hold; a parent whose
 * bytes are deferred gets them. OUT_OF_RANGE when the bytes are not inside; those of
 * storage_provide(). */
struct error *storage_view(struct storage *parent, uint64_t offset, uint64_t size,
                           struct storage **out);

/* A storage over the caller's memory, which must stay valid until release(address, argument) is
 * called (NULL: never). That happens once, on the thread of the last storage_release, and not on
 * error. Does not count against the space's capacity; space_stats.borrowed is the sum. */
struct error *storage_borrow(struct space *space, void *address, uint64_t size,
                             void (*release)(void *address, void *argument), void *argument,
                             struct storage **out);

#endif
