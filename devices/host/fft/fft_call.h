/* fft_call.h: the built-in custom call gantry_fft, by which the compiler runs Fourier transforms
 * (compiler/passes/library/library_fft.h): one operand, one result, and as its configuration two
 * characters: the kind (0 FFT, 1 IFFT, 2 RFFT, 3 IRFFT) and the number of last dimensions that are
 * transformed (1 to 3). Types are those of StableHLO's fft. Where fft_split_scratch() is not 0, a
 * second result, of u8, is scratch of at least that many complex numbers. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_CALL_H
#define GANTRY_DEVICES_HOST_FFT_FFT_CALL_H

#include "devices/host/custom_call.h"

/* The members of its struct custom_call_handler. Thread-safe. */
struct error *fft_call_run(const void *user, const struct custom_call *call);
struct error *fft_call_instantiate(const void *user, const struct call_spec *spec, void **state);
void fft_call_drop(void *state);

#endif
