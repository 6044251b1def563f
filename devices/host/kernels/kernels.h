/* kernels.h: the library kernels (oneDNN, OpenBLAS, and our own for convolutions and products that
 * these are slow at) behind plans. This is the whole interface of libgantry_kernels.so, which is
 * opened by the first program that needs it (kernels_library.h). A plan is created once for a
 * specification and a number of threads, and runs many times, in parts, on Gantry's workers: the
 * libraries' own threads are never used. */
#ifndef GANTRY_DEVICES_HOST_KERNELS_KERNELS_H
#define GANTRY_DEVICES_HOST_KERNELS_KERNELS_H

#include "base/error.h"
#include "compiler/program/program.h"
#include "devices/host/custom_call.h"

/* A plan's buffers; the last is the memory that the parts share. */
enum { PLAN_LHS, PLAN_RHS, PLAN_OUT, PLAN_SHARED, PLAN_BUFFERS };

struct plan {
    int64_t work;  /* parts, >= 1; any part may run on any thread, each exactly once */
    int64_t grain; /* parts that are worth a thread, of one run or of several; 0: one */
    /* scratch per running thread, provided by the caller, 64-byte aligned; may be 0 */
    uint64_t scratch_bytes;
    /* Of memory that all parts of a run share, 64-byte aligned; if not 0, prepare() writes there
     * what they read, such as an operand in the library's layout, once per run before any part. Its
     * work has parts of its own, >= 1, which may run on any thread, each exactly once. It reads one
     * operand only, and the same contents give the same bytes. */
    uint64_t shared_bytes;
    int prepared; /* that operand: PLAN_LHS or PLAN_RHS */
    int64_t prepare_work;
    struct error *(*prepare)(const struct plan *plan, void *const *buffers, int64_t begin,
                             int64_t end);
    /* Runs parts [begin, end). Thread-safe for disjoint parts. */
    struct error *(*run)(const struct plan *plan, void *const *buffers, void *scratch,
                         int64_t begin, int64_t end);
    void (*destroy)(struct plan *plan); /* called through plan_destroy */
};

/* *out is owned (plan->destroy). `threads` is the maximum number of concurrent threads. The library
 * is selected by element type, shape and CPU features. Errors: UNIMPLEMENTED for specifications
 * that kernels_dot_supported() or kernels_convolution_supported() reject. Thread-safe. */
typedef struct error *kernels_dot_plan_function(const struct dot_spec *spec, int threads,
                                                struct plan **out);
typedef struct error *kernels_convolution_plan_function(const struct convolution_spec *spec,
                                                        int threads, struct plan **out);
kernels_dot_plan_function kernels_dot_plan;
kernels_convolution_plan_function kernels_convolution_plan;

/* Whether a plan can be created on this machine and uses optimized kernels for all its parts, not
 * reference loops of a library. Queries the library with the descriptors of the plan, which takes
 * 20 us to 2 ms; creates no kernel. Also false if memory is exhausted. Thread-safe. */
typedef bool kernels_dot_supported_function(const struct dot_spec *spec, int threads);
typedef bool kernels_convolution_supported_function(const struct convolution_spec *spec,
                                                    int threads);
kernels_dot_supported_function kernels_dot_supported;
kernels_convolution_supported_function kernels_convolution_supported;

/* Finds the handler of a custom call listed by kernels_library_has_call(); false for others.
 * Thread-safe. */
typedef bool kernels_find_call_function(const char *target, size_t size,
                                        struct custom_call_handler *out);
kernels_find_call_function kernels_find_call;

/* The build ID of this library (library.h); static. */
const char *kernels_build(void);

#endif
