/* refs.h: reference counts. An object embeds `struct refs` and is destroyed by the last release. */
#ifndef GANTRY_BASE_REFS_H
#define GANTRY_BASE_REFS_H

#include <stdatomic.h>
#include <stdbool.h>

struct refs {
    atomic_int count;
};

static inline void refs_init(struct refs *refs)
{
    atomic_init(&refs->count, 1);
}
static inline void refs_retain(struct refs *refs)
{
    atomic_fetch_add_explicit(&refs->count, 1, memory_order_relaxed);
}
/* True when this was the last reference: the caller destroys the object. */
static inline bool refs_release(struct refs *refs)
{
    return atomic_fetch_sub_explicit(&refs->count, 1, memory_order_acq_rel) == 1;
}

#endif
