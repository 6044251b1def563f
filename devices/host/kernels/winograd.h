/* winograd.h: convolutions of f32 by windows of 3 by 3, features adjacent, neither strided nor
 * dilated, with 2.25 times fewer multiplications: Winograd's minimal filtering F(2x2, 3x3), as
 * described by Lavin and Gray (2015). Tiles of 4 by 4 positions of the input and the kernel are
 * transformed, multiplied at each of 16 points, and transformed back to 2 by 2 positions of the
 * result. The transformed kernel is prepared (kernels.h).
 *
 * Rounding, against sums of products in f64: the root mean square error is 0.4 to 0.9 times that of
 * sequential f32 sums over window and features, the largest error 0.3 to 0.7 times; also for images
 * in [0, 255], large offsets, and numbers of very different sizes. (F(4x4, 3x3), with 4 times fewer
 * multiplications, has 2 to 5 times the mean error and up to 10 times the largest, and is not
 * used.) The error is relative to the largest numbers of a window, independent of their weights:
 * next to a number that is 1e7 times as large and has weight 0, a number is lost; in a sum it is
 * not. Sums of small integers are exact. The bits of the result depend on the specification and the
 * instruction set alone.
 *
 * Infinities, NaN and overflow: transforms of infinities are NaN, and transforms overflow where no
 * sum of products does. All elements of a tile's result are finite only if neither has happened;
 * otherwise they are recomputed as sums of products. This is meant for few tiles: if none is
 * finite, a convolution is 3 to 7 times slower than a direct one.
 *
 * Not used for convolutions with a precision above the default. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_H
#define GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_H

#include "devices/host/kernels/kernels.h"

/* Whether the kernels apply to a convolution and are faster than direct ones on this processor. */
bool winograd_applies(const struct convolution_spec *spec);

/* As kernels_convolution_plan(). Requires winograd_applies(). */
kernels_convolution_plan_function winograd_plan;

#endif
