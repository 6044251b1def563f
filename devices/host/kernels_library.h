/* kernels_library.h: opens libgantry_kernels.so, next to libgantry.so, at first use and never
 * closes it. It also reports what that library supports: custom calls by name, without opening it;
 * products and convolutions by querying the libraries in it (kernels/kernels.h), once per
 * specification. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_LIBRARY_H
#define GANTRY_DEVICES_HOST_KERNELS_LIBRARY_H

#include "devices/host/kernels/kernels.h"

struct kernels_library {
    kernels_dot_plan_function *dot_plan;
    kernels_convolution_plan_function *convolution_plan;
    kernels_dot_supported_function *dot_supported;
    kernels_convolution_supported_function *convolution_supported;
    kernels_find_call_function *find_call;
};

/* *out is static. Errors: NOT_FOUND naming the path tried. Thread-safe. */
struct error *kernels_library(const struct kernels_library **out);

/* Implement supports_dot and supports_convolution of struct target. Products of f32, f64, c64 and
 * c128 are supported on every processor, so the library is not opened for them. Other answers are
 * cached. False if the library cannot be opened. Thread-safe. */
bool kernels_library_supports_dot(const struct dot_spec *spec);
bool kernels_library_supports_convolution(const struct convolution_spec *spec);

/* kernels_library_has_call: whether kernels_find_call() has a handler for a custom call.
 * kernels_library_is_call: whether `target` is "lapack_<letter><name>_ffi" with one of `letters`
 * (if that is NULL: whether it is `name`). Neither opens the library. */
bool kernels_library_has_call(const char *target, size_t size);
bool kernels_library_is_call(const char *name, const char *letters, const char *target,
                             size_t size);

#endif
