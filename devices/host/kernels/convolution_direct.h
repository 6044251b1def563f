/* convolution_direct.h: convolutions of f32 with few output features and adjacent input features
 * (NHWC): the last layer of a decoder, the gradient of a stem by its input. oneDNN's lanes are
 * output features; here most lanes would be padding. These kernels have input features in their
 * lanes: each element of the result is the sum of the lanes of a sum of products of vectors. The
 * products are of those positions of the window that meet an element of the input, so dilated
 * inputs, strides and padding cost nothing. The order of the sum depends on the specification and
 * the instruction set alone. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_DIRECT_H
#define GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_DIRECT_H

#include "devices/host/kernels/kernels.h"

/* Whether the kernels apply to a convolution and are faster than oneDNN's on this processor. */
bool convolution_direct_applies(const struct convolution_spec *spec);

/* As kernels_convolution_plan(). Requires convolution_direct_applies(). */
kernels_convolution_plan_function convolution_direct_plan;

#endif
