/* top_k_spec.h: top-k in the terms of the device's function for it, the custom call gantry_top_k:
 * the first k elements of every sorted row. Shared by the compiler and the devices. */
#ifndef GANTRY_COMPILER_PROGRAM_TOP_K_SPEC_H
#define GANTRY_COMPILER_PROGRAM_TOP_K_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"

enum {
    TOP_K_MOST = 2048,     /* the largest k */
    TOP_K_LENGTH = 1 << 30 /* the longest row */
};

struct top_k_spec {
    enum dtype dtype;
    int64_t length, k; /* of a row */
    bool largest;      /* comes first */
    /* Floats are in their total order. Otherwise -0 equals 0, and so do denormals where they are
     * flushed. */
    bool total;
};

/* Whether 1 <= k <= length, both are within the limits, and elements are integers or floats of at
 * most 32 bits; without the total order, integers or f32. */
bool top_k_spec_is_supported(const struct top_k_spec *spec);

#endif
