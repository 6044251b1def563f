/* winograd_weights.h: gradients of f32 kernels of 3 by 3, of convolutions as in winograd.h, with
 * 2.25 times fewer multiplications: Winograd's minimal filtering F(3x3, 2x2). Tiles of 4 by 4
 * positions of the input and of 2 by 2 positions of the result's gradient are transformed,
 * multiplied and added up at each of 16 points; the sums over all tiles are transformed to the 3 by
 * 3 positions of the kernel.
 *
 * Rounding, against sums of products in f64: the root mean square error is 0.4 to 1.2 times that of
 * sequential f32 sums over positions (more for fewer positions), the largest error up to 1.0 times.
 * As in winograd.h, the bits depend only on the specification and the instruction set, and the
 * precision must be the default. Sums that are not finite are recomputed as sums of products, for
 * four input features and a panel of output features at a time. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_WEIGHTS_H
#define GANTRY_DEVICES_HOST_KERNELS_WINOGRAD_WEIGHTS_H

#include "devices/host/kernels/kernels.h"

/* Whether the kernels apply to a convolution and are faster than direct ones on this processor. As
 * in convolution_form.h, the specification's batch is the kernel's input features, its input
 * features are the batch, and its window is the gradient image. */
bool winograd_weights_applies(const struct convolution_spec *spec);

/* As kernels_convolution_plan(). Requires winograd_weights_applies(). */
kernels_convolution_plan_function winograd_weights_plan;

#endif
