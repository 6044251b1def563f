/* peak.h: an atomic that records the highest value seen. Thread-safe. */
#ifndef GANTRY_BASE_PEAK_H
#define GANTRY_BASE_PEAK_H

#include <stdatomic.h>

/* Raises *peak to `value` if that is higher. */
static inline void peak_raise(atomic_ullong *peak, unsigned long long value)
{
    unsigned long long before = atomic_load_explicit(peak, memory_order_relaxed);
    while (before < value && !atomic_compare_exchange_weak_explicit(
                                 peak, &before, value, memory_order_relaxed, memory_order_relaxed))
        continue;
}

#endif
