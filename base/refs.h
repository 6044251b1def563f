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
/* For an object found without holding a reference: returns false when its last reference is gone.
 * The caller must hold the lock that the destroying thread acquires before it frees the object. */
static inline bool refs_retain_live(struct refs *refs)
{
    int count = atomic_load_explicit(&refs->count, memory_order_relaxed);
    while (count &&
           !atomic_compare_exchange_weak_explicit(&refs->count, &count, count + 1,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
    return count != 0;
}
/* Returns true when this was the last reference; the caller must then destroy the object. */
static inline bool refs_release(struct refs *refs)
{
    return atomic_fetch_sub_explicit(&refs->count, 1, memory_order_acq_rel) == 1;
}

#endif
