/* blas.h: makes OpenBLAS safe for any number of concurrent callers, and selects its kernels.
 *
 * Debian's serial OpenBLAS has no locks. After its initialization, calls write exactly one piece of
 * global state: the table from which blas_memory_alloc() hands out scratch buffers. Two concurrent
 * callers can receive the same buffer. (Its LAPACK is compiled with -frecursive and keeps no state
 * between calls, except in ?LACON and ?LARUV, which no routine here uses. `make symbols` verifies
 * both properties of the linked library.) The linker replaces that function and its counterpart
 * (--wrap): a call uses the buffer that its thread has reserved with blas_enter(). No lock is
 * taken, so a forked child can continue, and no thread is started. The pthread build has a lock,
 * but it starts threads when it is loaded, aborts the process when more than a few hundred threads
 * call it, and never releases its lock in a child forked during a call.
 *
 * OpenBLAS reads its environment when it is loaded, and selects kernels by processor model, which
 * fails for newer models (AMD family 26 gets AVX2 kernels). The linker therefore also replaces its
 * getenv(): kernels are selected by cpu_features(), so GANTRY_ISA restricts them, and no
 * environment variable of the host changes results. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_BLAS_H
#define GANTRY_DEVICES_HOST_KERNELS_BLAS_H

#include "base/error.h"

/* Every OpenBLAS call must be between blas_enter() and blas_leave() on the same thread. Pairs may
 * nest. Errors: RESOURCE_EXHAUSTED if the buffer cannot be allocated; then blas_leave() must not be
 * called. Thread-safe. */
struct error *blas_enter(void);
void blas_leave(void);

/* The name of the OpenBLAS kernels for this processor (a value of its OPENBLAS_CORETYPE);
 * static. */
const char *blas_core(void);

#endif
