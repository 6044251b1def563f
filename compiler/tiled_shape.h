/* tiled_shape.h: layouts of arrays in the memory of a modeled accelerator, which stores them in
 * tiles: the two minor dimensions are divided into blocks of `sublanes` rows of `lanes` elements,
 * each padded to its full size. Types narrower than 32 bits put several rows in a sublane. Which
 * dimensions are minor is the accelerator's compiler's choice: those that cut padding. Pure
 * functions, thread-safe. */
#ifndef GANTRY_COMPILER_TILED_SHAPE_H
#define GANTRY_COMPILER_TILED_SHAPE_H

#include "base/shape.h"
#include "compiler/accelerator.h"

enum tiled_choice {
    TILED_DEFAULT, /* the layout of arguments and results, and of arrays that clients create */
    TILED_FREE     /* of values: of the layouts that pad least, that with the fullest tiles */
};

/* Gives the shape the layout that pads least: its order of dimensions and tiles, whose arrays are
 * in `room`. Row-major without tiles if it has no elements, or a dynamic size, and in unpinned host
 * memory, which is the host's own (JAX expects that). The layout that `shape` had is not read. */
void tiled_shape_choose(const struct accelerator *accelerator, enum tiled_choice choice,
                        struct shape *shape, struct shape_layout *room);
/* Gives it the tiles of the order of dimensions that it has; likewise. */
void tiled_shape_tile(const struct accelerator *accelerator, struct shape *shape,
                      struct shape_layout *room);

/* Bytes with padding, in the layout that pads least, a multiple of TILED_SHAPE_ALIGNMENT.
 * UINT64_MAX when it overflows. The layout and tiles of `shape` are not read. */
uint64_t tiled_shape_bytes(const struct accelerator *accelerator, const struct shape *shape);

/* The same with `minor` and `second` as the two minor dimensions, of a shape of rank 2 or more. */
uint64_t tiled_shape_bytes_in(const struct accelerator *accelerator, const struct shape *shape,
                              int minor, int second);

/* Bytes without padding, with elements of less than a byte packed. */
double tiled_shape_unpadded(const struct shape *shape);

/* Bytes with padding in the order of dimensions that the shape has if it has tiles (whatever these
 * are), else as tiled_shape_bytes(). */
uint64_t tiled_shape_bytes_laid_out(const struct accelerator *accelerator,
                                    const struct shape *shape);

/* "bf16[8,512]{1,0:T(8,128)(2,1)}": the shape in the layout that pads least. */
void tiled_shape_print(const struct accelerator *accelerator, const struct shape *shape,
                       struct text *out);

enum { TILED_SHAPE_ALIGNMENT = 512 };

#endif
