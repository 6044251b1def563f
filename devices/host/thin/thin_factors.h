/* thin_factors.h: parameters that all numbers of a row, or of a column, of the right side have in
 * common are taken out of it, so that numbers are multiplied as they are stored:
 *
 *   sum_k left[k] * ((right[k,n] - zero[k]) * scale[k])
 *       = sum_k (left[k] * scale[k]) * right[k,n]  -  sum_k left[k] * scale[k] * zero[k]
 *   sum_k left[k] * ((right[k,n] - zero) * scale[n])
 *       = scale[n] * sum_k left[k] * (right[k,n] - zero)
 *
 * So are the scales of a cache of quantized keys and values, which has one for each token. Numbers
 * have to be at most about 2^16, as those of integers, f16, and smaller floats are: with numbers of
 * bf16 or f32, sums without their scale may be infinite, and the left side with it 0. Zero points
 * are taken out of integers of at most 8 bits, next to whose steps the rounding of sums is small.
 * Differences of floats, as of activations from their means, may be smaller than that. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_FACTORS_H
#define GANTRY_DEVICES_HOST_THIN_THIN_FACTORS_H

#include "devices/host/thin/thin_part.h"

/* A product, and the same without what is taken out of its right side. Borrows its buffers. */
struct thin_factors {
    struct thin_dot_spec spec;
    void *buffers[THIN_SLICES];
    struct thin_operand left_scale, left_zero; /* of rows */
    struct thin_operand sum_scale;             /* of columns */
};

/* Whether the right side's numbers are so small that the left side times a scale, and sums of
 * numbers without it, are about as large as what they stand for. */
bool thin_factors_has_small_numbers(const struct thin_dot_spec *spec, const float *table);

/* Takes out what can be. `table`: the numbers that the right side has indices of, or NULL. */
void thin_factors_take(const struct thin_dot_spec *spec, void *const *buffers, const float *table,
                       struct thin_factors *out);

/* Whether there is something. */
bool thin_factors_exist(const struct thin_factors *factors);

/* Applies the factors to the left side's terms `at` of the part's rows, at `to`, and adds to the
 * part's zero_sums. */
void thin_factors_apply_to_left(struct thin_part *p, const struct thin_numbers *at, float *to);

/* Applies them to all sums of the field at hand. */
void thin_factors_apply_to_sums(struct thin_part *p);

#endif
