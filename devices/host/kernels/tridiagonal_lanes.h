/* tridiagonal_lanes.h: tridiagonal systems of real numbers, one in each lane of a vector, by the
 * operations of LAPACK's xGTSV in its order: every result has the same bits. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_TRIDIAGONAL_LANES_H
#define GANTRY_DEVICES_HOST_KERNELS_TRIDIAGONAL_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* Solves `lanes` systems of n > 0 rows. Element i of a diagonal of system j is at [i * lanes + j],
 * element i of its right-hand side k at x[(i * columns + k) * lanes + j]. The first element of
 * `lower` and the last one of `upper` are not used. The arrays end as those of xGTSV: the three
 * diagonals of the upper triangle are in `diagonal`, `upper` and, from its second element on,
 * `lower`; the solutions are in `x`. Returns a bit for each singular system, in which case the
 * contents of its lane are unspecified. Thread-safe. */
typedef uint32_t tridiagonal_solver(int64_t n, int64_t columns, void *lower, void *diagonal,
                                    void *upper, void *x);

struct tridiagonal_lanes {
    int lanes;
    tridiagonal_solver *solve;
};

/* How to solve `systems` systems, or the first of them: in as many lanes as the processor has, but
 * no more than the systems need. */
struct tridiagonal_lanes tridiagonal_lanes(bool wide /* f64, not f32 */, int64_t systems);

#endif
