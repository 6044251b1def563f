/* kernels.h: the library kernels (oneDNN, OpenBLAS) behind plans. The whole interface of
 * libgantry_kernels.so, opened at the first program that needs it (kernels_library.h). A plan is
 * made once for a specification and a number of threads, and run many times, in parts, on our own
 * workers: the libraries' own threads are never used. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_KERNELS_H
#define GANTRY_DEVICES_HOST_KERNELS_KERNELS_H

#include "base/error.h"
#include "compiler/program/program.h"
#include "devices/host/custom_call.h"

struct plan {
    int64_t work;           /* parts, >= 1; any part may run on any thread, each exactly once */
    uint64_t scratch_bytes; /* scratch each running thread must bring, 64-byte aligned; may be 0 */
    /* buffers: lhs, rhs, out. Runs parts [begin, end). Thread-safe for disjoint parts. */
    struct error *(*run)(const struct plan *plan, void *const *buffers, void *scratch,
                         int64_t begin, int64_t end);
    void (*destroy)(struct plan *plan); /* called through plan_destroy */
};

/* *out is owned (plan->destroy). `threads` is how many could work at once. The fastest of oneDNN,
 * OpenBLAS and our own kernels by dtype, shape and CPU features is chosen. Errors: UNIMPLEMENTED
 * for what kernels_dot_supported() or kernels_convolution_supported() refuse. Thread-safe. */
typedef struct error *kernels_dot_plan_function(const struct dot_spec *spec, int threads,
                                                struct plan **out);
typedef struct error *kernels_convolution_plan_function(const struct convolution_spec *spec,
                                                        int threads, struct plan **out);
kernels_dot_plan_function kernels_dot_plan;
kernels_convolution_plan_function kernels_convolution_plan;

/* Whether a plan can be made on this machine, and runs on optimized kernels in all of its parts,
 * not on a library's reference loops. Asks the library with the descriptors that the plan would
 * use, 20 us to 2 ms; makes no kernel. False also when there is no memory to ask. Thread-safe. */
typedef bool kernels_dot_supported_function(const struct dot_spec *spec, int threads);
typedef bool kernels_convolution_supported_function(const struct convolution_spec *spec,
                                                    int threads);
kernels_dot_supported_function kernels_dot_supported;
kernels_convolution_supported_function kernels_convolution_supported;

/* The function behind a custom call of kernels_library_has_call(); false for others.
 * Thread-safe. */
typedef bool kernels_find_call_function(const char *target, size_t size,
                                        struct custom_call_handler *out);
kernels_find_call_function kernels_find_call;

/* The build that this library is of (library.h); static. */
const char *kernels_build(void);

#endif
