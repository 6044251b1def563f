/* thin_integers.h: products whose left side has few significant bits, as bf16 has, by integers.
 *
 * Terms are taken in chunks of THIN_INTEGER_TERMS, none of which spans two groups. In a chunk, left
 * numbers become integers of 16 bits times a unit, a power of two with which the largest one has 15
 * bits:
 *
 *   x[k] = q[k] * unit + rest[k]     sum_k x[k] * w[k] = unit * sum_k q[k] * w[k] + ...
 *
 * Where a number is so much smaller than the largest one that it has a rest, its rest is a number
 * of another pass over the chunk, which has a unit of its own and only those rows. So the sum is
 * that of all bits of the left side, whatever its range: sums of a pass are exact, and are
 * converted to f32, scaled and added as f32, in the order of k. Each of these steps rounds once, so
 * the error is less than that of sums of f32 products, which round for each term:
 *
 *   |error| <= 2^-24 * (chunks + ranges + 2 * passes + 2)
 *                    * sum_k |x[k]| * (|w[k]| + |zero[k]|) * |scale[k]|
 *
 * with the chunks of a range (thin_plan.h), and the most passes over one of them.
 *
 * Of bf16 with a normal distribution, a row in a hundred has a rest. Where many have, or some have
 * after a few passes, f32 is faster: that is decided by the whole left side of a product, so
 * results do not depend on how it is divided among threads. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_INTEGERS_H
#define GANTRY_DEVICES_HOST_THIN_THIN_INTEGERS_H

#include "devices/host/thin/thin_part.h"

enum {
    THIN_INTEGER_ROWS = 2,     /* of the left side, at most, for which this is faster */
    THIN_INTEGER_COLUMNS = 128 /* a multiple of these has no tile that is not whole */
};

/* A left side as integers: owned, until thin_integers_free(). */
struct thin_integers;

/* Whether products of such numbers, with such parameters, are computed. */
bool thin_integers_is_supported(const struct thin_dot_spec *spec);

/* Converts the left side of a planned task. *out is NULL if f32 is faster. Errors:
 * RESOURCE_EXHAUSTED. */
struct error *thin_integers_make(const struct thin_task *task, struct thin_integers **out);
void thin_integers_free(struct thin_integers *integers);

/* The most columns of a task. */
int64_t thin_integers_columns(const struct thin_dot_spec *spec);

/* Sets the part's zero_sums, for the sums of all ranges. */
void thin_integers_load_zero_sums(struct thin_part *part);

/* Adds the products of a part's columns and range to its sums, which are 0. */
void thin_integers_multiply(struct thin_part *part);

#endif
