/* convolution_form.h: convolutions as oneDNN has them. Frameworks use StableHLO's one operation for
 * three purposes, and oneDNN has a fast primitive for each:
 *
 *   forward    no lhs dilation                          -> convolution forward
 *   data       lhs dilation (gradient of the input)     -> deconvolution with the kernel reversed
 *   weights    the window is large and the result small (gradient of the kernel)
 *                                                       -> convolution backward weights
 *
 * Activations keep the client's layout if oneDNN has a good kernel for it; otherwise they are
 * reordered. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_FORM_H
#define GANTRY_DEVICES_HOST_KERNELS_CONVOLUTION_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "compiler/program/program.h"
#include "devices/host/kernels/onednn.h"

enum convolution_kind { CONVOLUTION_FORWARD, CONVOLUTION_DATA, CONVOLUTION_WEIGHTS };

/* Features that fill a vector of oneDNN's kernels: parts of the weights form have multiples. */
enum { CONVOLUTION_GRAIN = 16 };

struct convolution_form {
    struct convolution_spec spec;
    enum convolution_kind kind;
    bool reverse; /* the kernel is dense, with its window reversed where a primitive reads it */
    int shared;   /* the operand that all parts read, 0 or 1: the kernel; weights: the input */
};

enum convolution_kind convolution_form_kind(const struct convolution_spec *spec);

/* False if no form of oneDNN applies: for batch groups, strides together with a dilated input,
 * padding beyond the window, an empty input. */
bool convolution_form_of(const struct convolution_spec *spec, struct convolution_form *out);

/* The split axis is the batch (forward, data) or the output features (weights): its size. */
int64_t convolution_form_axis(const struct convolution_form *form);

/* A primitive for `size` items of the split axis; owned: onednn_primitive_free(), on error too. */
struct error *convolution_form_create(const struct convolution_form *form, int64_t size,
                                      struct onednn_primitive *out);

/* Whether such a primitive exists for the processor (onednn_is_native()) that is no reference
 * implementation. */
bool convolution_form_supported(const struct convolution_form *form, int64_t size);

/* The number of elements of a window. */
int64_t convolution_form_window(const struct convolution_spec *spec);

#endif
