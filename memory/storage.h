/* storage.h: a counted range of bytes in a space. How it was got says how it is given back.
 * Thread-safe.
 *
 * Who uses a storage has a hold on it, for one of three purposes:
 *
 *   HOLD_KEEP    the memory stays allocated. Says nothing about its contents: an execution has it
 *                that still writes the results, whose buffers have the token already.
 *   HOLD_READ    and the present contents are not overwritten: an argument of an execution that is
 *                not donated, an external reference, a copy, a second buffer on the same memory.
 *   HOLD_WRITE   the write token. It is made with the storage (space_alloc) and can only be moved,
 *                so there is at most one. Its holder may hand the memory on, and write it while
 *                there is no hold to read (storage_may_write). A buffer has it; donation moves it
 *                from the argument through the execution to the result.
 *
 * A hold to read blocks writing in place only while there is one, and a hold to keep never does.
 * New holds to read come from who has the token or such a hold, so after a donation their number
 * only falls: storage_may_write() does not become false again. */
#ifndef GANTRY_MEMORY_STORAGE_H
#define GANTRY_MEMORY_STORAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "memory/blocks.h"
#include "memory/space.h"

enum storage_source {
    STORAGE_OWNED, /* from space_alloc; the last release gives it back to the space */
    STORAGE_VIEW,  /* part of another storage, which it holds to read; has no token */
    /* someone else's; the last release calls release(address, argument); has no token */
    STORAGE_BORROWED
};

struct storage {
    atomic_ullong holds; /* low half: all holds; high half: those to read */
    enum storage_source source;
    struct space *space; /* kept until the last release; for a view, its parent's */
    /* As the device knows it. Only the device may follow it (device.h: copy, address). */
    void *address;
    uint64_t size;
    uint64_t offset; /* in a modelled space: the modelled address; else 0 */
    union {
        struct { /* STORAGE_OWNED */
            struct block block;
            uint32_t range_block;
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

void storage_retain(struct storage *storage);  /* a further hold to keep */
void storage_release(struct storage *storage); /* ends one; accepts NULL */

/* The hold that space_alloc() (with the token), storage_view() or storage_borrow() returned. Once
 * for each storage. */
struct storage_hold storage_first(struct storage *storage);
/* A further hold to keep or to read; the latter only by who has the token or a hold to read. For
 * NULL, no hold. */
struct storage_hold storage_keep(struct storage *storage);
struct storage_hold storage_read(struct storage *storage);
/* Ends a hold and empties it. */
void storage_drop(struct storage_hold *hold);
/* Whether the memory may be written: the hold has the token, and no one holds it to read. */
bool storage_may_write(const struct storage_hold *hold);

/* `size` bytes from `offset` of `parent`, which the view holds to read; OUT_OF_RANGE when they are
 * not inside. */
struct error *storage_view(struct storage *parent, uint64_t offset, uint64_t size,
                           struct storage **out);

/* Memory of the caller's, valid until release(address, argument) is called (NULL: no call), which
 * happens once, on the thread of the last storage_release; on error it is not called. Does not
 * count against the space. */
struct error *storage_borrow(struct space *space, void *address, uint64_t size,
                             void (*release)(void *address, void *argument), void *argument,
                             struct storage **out);

#endif
