/* dot_s8_few.h: products of s8 of many rows, whose elements are contiguous, with few vectors, exact
 * in 32 bits. The rows are read in place and once, so nothing of them is packed: a sum's terms are
 * added in 8 lanes, which are added at its end. For processors with AVX2. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_DOT_S8_FEW_H
#define GANTRY_DEVICES_HOST_KERNELS_DOT_S8_FEW_H

#include <stdbool.h>
#include <stdint.h>

enum { S8_FEW = 12 }; /* the most vectors */

/* out[i * out_row + j * out_vector] = or += sum over k of rows[i * row + k] * vectors[j, k]. */
struct s8_few {
    const int8_t *rows;     /* borrowed; no elements but those of the rows are read */
    const int16_t *vectors; /* borrowed; `vector` elements apart, zero from k to a multiple of 16 */
    int32_t *out;
    int64_t row, vector, out_row, out_vector; /* strides in elements */
    int64_t row_count, k;
    int vector_count;
    bool adds;
};

/* Thread-safe. */
void s8_few_run(const struct s8_few *product);

#endif
