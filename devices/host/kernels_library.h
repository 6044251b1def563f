/* kernels_library.h: opens libgantry_kernels.so beside libgantry.so at first use and keeps it; and,
 * without opening it, says what it serves (kernels_serve_dot, kernels_serve_convolution,
 * kernels_serve_call of kernels/kernels.h). */
#ifndef GANTRY_DEVICES_HOST_KERNELS_LIBRARY_H
#define GANTRY_DEVICES_HOST_KERNELS_LIBRARY_H

#include "devices/host/kernels/kernels.h"

struct kernels_library {
    kernels_dot_plan_function *dot_plan;
    kernels_convolution_plan_function *convolution_plan;
    kernels_find_call_function *find_call;
};

/* *out is static. Errors: NOT_FOUND naming the path tried. Thread-safe. */
struct error *kernels_library(const struct kernels_library **out);

#endif
