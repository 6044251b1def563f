/* convolution_direct_block.h: the inner loops of convolution_direct.h, for each instruction set:
 * all output features of one position of the result, or of several. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_DIRECT_BLOCK_H
#define GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_DIRECT_BLOCK_H

#include <stdint.h>

enum { DIRECT_MOST_FEATURES = 8 }; /* output features; oneDNN pads more to at most twice as many */

/* A row of the input, and the row of the packed window that it meets. Borrowed, as all pointers
 * here: valid during the call. */
struct direct_pair {
    const float *lhs, *rhs;
};

/* Strides and offsets are in elements. For each pair, a position of the result is the sum of
 * `runs` products of `run` adjacent elements. */
struct direct_block {
    const struct direct_pair *pairs;
    int64_t pair_count;
    int64_t lhs, rhs; /* offset of the first run in the rows of a pair, for the first position */
    int64_t runs, run;
    int64_t lhs_step, rhs_step;       /* between runs */
    int64_t lhs_next, out_next;       /* between positions */
    int64_t rhs_feature, out_feature; /* between output features */
    float *out;                       /* of the first position */
};

/* Reads and writes nothing else. Thread-safe. */
typedef void direct_block_function(const struct direct_block *block);

struct direct_functions {
    direct_block_function *one, *wide; /* one position; `positions` of them */
    int positions, lanes;
};

/* The functions for 1 to DIRECT_MOST_FEATURES output features on this processor. Static. */
const struct direct_functions *direct_functions_of(int64_t features);

#endif
