/* convolution_product.h: convolutions that are matrix products of their operands as they are. The
 * gradient of a kernel of one element sums, over all pixels of all images, products of an input
 * and an output feature: with features last, a product with one long sum. Pure; thread-safe. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_PRODUCT_H
#define GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_PRODUCT_H

#include <stdbool.h>

#include "compiler/program/program.h"

/* False for convolutions that are no such product, or of other types than f32. */
bool convolution_product_of(const struct convolution_spec *spec, struct dot_spec *out);

#endif
