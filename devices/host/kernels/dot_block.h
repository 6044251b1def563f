/* dot_block.h: the inner loops of products of f32, f64, and integers of 32 and 64 bits
 * (dot_direct.c), for each instruction set: some rows of a left side with some columns of a right
 * side, whose sums stay in registers. Each sum adds its products in the order of k, floats with
 * fused multiply-adds, so its bits do not depend on the block that it is in. Integers wrap
 * around. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_DOT_BLOCK_H
#define GANTRY_DEVICES_HOST_KERNELS_DOT_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"

enum { DOT_BLOCK_ROWS = 6, DOT_BLOCK_VECTORS = 4 }; /* the most; of columns */

/* out[rows, columns] = or += lhs[rows, k] * rhs[k, columns]. Columns are contiguous in `rhs` and
 * `out`; other strides are in elements. Borrowed: valid during the call. */
struct dot_block {
    const void *lhs, *rhs;
    void *out;
    int64_t lhs_row, lhs_k, rhs_k, out_row, k;
    int columns_of_last; /* of the last vector that are computed, 1 to lanes: no others are read */
    bool adds;
};

/* Reads and writes nothing else. Thread-safe. */
typedef void dot_block_function(const struct dot_block *block);

struct dot_blocks {
    int lanes, vectors; /* of a vector; the most that a block has */
    /* By rows - 1, vectors - 1, and whether the last vector has all its columns. */
    dot_block_function *run[DOT_BLOCK_ROWS][DOT_BLOCK_VECTORS][2];
};

/* The functions for a type on this processor, static; NULL if it has no vectors of 32 bytes with
 * fused multiply-add, and for other types. */
const struct dot_blocks *dot_blocks_of(enum dtype dtype);

#endif
