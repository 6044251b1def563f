/* kernels_library.h: opens libgantry_kernels.so beside libgantry.so at first use and keeps it; and,
 * without opening it, says what it supports. */
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

/* Whether a plan exists for these element types: what a target's serves_dot and serves_convolution
 * say, without opening the libraries. */
bool kernels_serve_dot(enum dtype lhs, enum dtype rhs, enum dtype out);
bool kernels_serve_convolution(enum dtype lhs, enum dtype rhs, enum dtype out);

/* Whether there is one, and whether `target` is "lapack_<letter><name>_ffi" (letters NULL: `name`
 * itself): known without opening the library. */
bool kernels_serve_call(const char *target, size_t size);
bool kernels_is_call(const char *name, const char *letters, const char *target, size_t size);

#endif
