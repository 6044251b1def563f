/* library_fft.h: Fourier transforms are calls of a function that the device has built in
 * (devices/host/fft/fft_call.h). They stay `fft` until *layout*, after partitioning and after the
 * model of an accelerator has planned them. */
#ifndef GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_FFT_H
#define GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_FFT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Replaces an `fft` by its call, *out. Errors: UNIMPLEMENTED if the target has no transforms, or
 * the operand or the result has more than FFT_SPEC_NUMBERS numbers. */
struct error *library_fft_make_call(struct module *module, const struct target *target,
                                    struct op *fft, struct op **out);

#endif
