/* storage.h: a counted range of bytes in a space. How it was got says how it is given back.
 * Thread-safe. */
#ifndef GANTRY_MEMORY_STORAGE_H
#define GANTRY_MEMORY_STORAGE_H

#include <stdint.h>

#include "base/error.h"
#include "base/refs.h"
#include "memory/blocks.h"
#include "memory/space.h"

enum storage_source {
    STORAGE_OWNED, /* allocated by space_alloc; the last release gives it back to the space */
    STORAGE_VIEW,  /* part of another storage, which it keeps */
    STORAGE_HOST_BORROWED /* someone else's; the last release calls release(bytes, argument) */
};

struct storage {
    struct refs refs;
    enum storage_source source;
    struct space *space; /* kept until the last release; for a view, its parent's */
    void *bytes;
    uint64_t size;
    uint64_t offset; /* in a modelled space: the modelled address; else 0 */
    union {
        struct { /* STORAGE_OWNED */
            struct block block;
            uint32_t range_block;
        };
        struct storage *parent; /* STORAGE_VIEW; retained */
        struct {                /* STORAGE_HOST_BORROWED */
            void (*release)(void *bytes, void *argument);
            void *argument;
        };
    };
};

void storage_retain(struct storage *storage);
void storage_release(struct storage *storage); /* accepts NULL */

/* `size` bytes from `offset` of `parent` (retained by the view); OUT_OF_RANGE when they do not lie
 * inside. */
struct error *storage_view(struct storage *parent, uint64_t offset, uint64_t size,
                           struct storage **out);

/* Memory of the caller's, valid until release(bytes, argument) is called (NULL: no call), which
 * happens once, on the thread of the last storage_release; on error it is not called. Does not
 * count against the space. */
struct error *storage_borrow(struct space *space, void *bytes, uint64_t size,
                             void (*release)(void *bytes, void *argument), void *argument,
                             struct storage **out);

/* True when the caller holds the only reference and the bytes are Gantry's own: they may be
 * written or reused. A view is never exclusive. */
bool storage_is_exclusive(const struct storage *storage);

#endif
