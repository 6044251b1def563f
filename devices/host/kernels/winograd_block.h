/* winograd_block.h: the transforms of winograd.h for one tile, for each instruction set.
 *
 * A tile is 4 by 4 vectors of features, and a transformed tile is 16 vectors. Elements of a vector
 * are contiguous and computed alike; all strides are in elements. They write only to their results;
 * thread-safe. Borrowed: all pointers are valid during the call. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_BLOCK_H
#define GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { WINOGRAD_TILE = 4, WINOGRAD_POINTS = 16 };

/* Vectors in a plane: (row, column) is at from + row * row_stride + column * column_stride. */
struct winograd_plane {
    const float *from;
    int64_t row_stride, column_stride;
};

/* Vectors number 0 to 15 of a transformed tile are `step` apart in `to`. */
typedef void winograd_transform(const struct winograd_plane *plane, int64_t count, float *to,
                                int64_t step);

/* From a transformed tile of products to `outs` vectors of the result, row by row, `count`
 * elements each. Those that are read afterwards must not overlap others; those that no result has
 * may be one array. False if any of them is not finite: because a product overflowed, or because an
 * element of the tile or of the kernel is not finite. */
typedef bool winograd_result(const float *from, int64_t step, int64_t count, float *const *outs);

struct winograd_blocks {
    winograd_transform *input;    /* of 4 by 4 */
    winograd_transform *kernel;   /* of 3 by 3 */
    winograd_transform *gradient; /* of 2 by 2 */
    winograd_result *output;      /* to 2 by 2 */
    winograd_result *weights;     /* to 3 by 3 */
};

/* Static; NULL if dot_blocks_of() has none for f32. */
const struct winograd_blocks *winograd_blocks(void);

#endif
