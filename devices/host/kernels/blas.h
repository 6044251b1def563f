/* blas.h: what makes OpenBLAS safe for any number of concurrent callers, and which of its kernels
 * run.
 *
 * Debian's serial OpenBLAS has no lock, and after its start exactly one piece of state that calls
 * write: the table from which blas_memory_alloc() hands out scratch buffers, where two concurrent
 * callers can receive the same buffer. (Its LAPACK is compiled with -frecursive and keeps nothing
 * between calls, except in ?LACON and ?LARUV, which no routine here uses; `make symbols` verifies
 * both statements of the linked library.) The linker replaces that function and its counterpart
 * (--wrap): the buffer of a call is one that its thread has reserved with blas_enter(). No lock is
 * taken, so a forked child can go on, and no thread is started. The pthread build would lock,
 * but starts threads when it is loaded, ends the process when more than a few hundred threads
 * call it, and its lock is never released in a child forked during a call.
 *
 * OpenBLAS reads its environment when it is loaded, and selects kernels by the processor's model,
 * which fails for models newer than it (family 26 of AMD gets AVX2 kernels). The linker replaces
 * its getenv(), too: the kernels are those for cpu_features(), so GANTRY_ISA narrows them, and no
 * variable of the host changes results. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_BLAS_H
#define GANTRY_DEVICES_HOST_KERNELS_BLAS_H

#include "base/error.h"

/* Every call of OpenBLAS is made between blas_enter() and blas_leave() on the same thread; pairs
 * may nest. Error: RESOURCE_EXHAUSTED when there is no memory for the buffer; then blas_leave()
 * must not be called. Thread-safe. */
struct error *blas_enter(void);
void blas_leave(void);

/* The name of OpenBLAS's kernels for this processor (a value of its OPENBLAS_CORETYPE); static. */
const char *blas_core(void);

#endif
