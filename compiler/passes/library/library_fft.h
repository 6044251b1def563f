/* library_fft.h: Fourier transforms are calls of a function that the device has built in
 * (devices/host/fft/fft_call.h), not generated code, because that takes much longer to compile than
 * most transforms run. They stay `fft` until after partitioning. */
#ifndef GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_FFT_H
#define GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_FFT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Whether an `fft` becomes a call: the target has the function, and the function supports the
 * sizes (compiler/program/fft_split.h). `target` may be NULL: never. */
bool library_fft_is_call(const struct op *fft, const struct target *target);
/* Replaces an `fft` by its call, and returns that. */
struct op *library_fft_make_call(struct module *module, struct op *fft);

#endif
