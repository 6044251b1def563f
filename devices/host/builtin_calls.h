/* builtin_calls.h: built-in custom calls, which need no library:
 *
 * gantry_fft                  Fourier transforms (fft_call.h).
 * gantry_top_k                the first elements of sorted rows (top_k_call.h).
 * tpu_custom_call             Pallas TPU kernels (kernel_call.h).
 * dce_sink                    keeps its operands alive to the end of compilation; no results.
 * cpu_csr_sparse_dense_ffi    values[q], offsets[n + 1], columns[q], dense[m] or dense[m, r] ->
 *                             [n] or [n, r]: the product of a sparse matrix by compressed rows
 *                             (row i holds values[offsets[i] .. offsets[i + 1])) with a dense one.
 *                             f32, f64, c64, c128; offsets and columns are s32. As JAX lowers
 *                             jax.experimental.sparse for the platform "cpu". Entries outside of
 *                             the values or of the dense matrix's rows count as zero. */
#ifndef GANTRY_DEVICES_HOST_BUILTIN_CALLS_H
#define GANTRY_DEVICES_HOST_BUILTIN_CALLS_H

#include "devices/host/custom_call.h"

/* Static; NULL for other names. Thread-safe. */
const struct custom_call_handler *builtin_calls_find(const char *target, size_t size);

#endif
