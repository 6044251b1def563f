/* gcd.h: the greatest common divisor. Pure, thread-safe. */
#ifndef GANTRY_BASE_GCD_H
#define GANTRY_BASE_GCD_H

#include <stdint.h>

/* Not negative; gcd_of(a, 0) is |a|. Of numbers but INT64_MIN. */
static inline int64_t gcd_of(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
