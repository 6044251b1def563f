/* shared_plan.h: the plans of products and convolutions (kernels/kernels.h), shared by all steps of
 * all programs with the same specification and number of threads, so that equal layers of a model
 * run the same code. A plan lives as long as a program uses it. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_SHARED_PLAN_H
#define GANTRY_DEVICES_HOST_SHARED_PLAN_H

#include "base/error.h"
#include "compiler/program/program.h"
#include "devices/host/kernels_library.h"

struct shared_plan_key {
    enum step_kind kind; /* STEP_DOT or STEP_CONVOLUTION */
    int threads;
    union {
        struct dot_spec dot;
        struct convolution_spec convolution;
    } spec;
};

struct shared_plan {
    struct program_plan base;   /* its destroy() ends one use */
    struct shared_plan_key key; /* compared by its bytes */
    struct plan *plan;
    uint64_t id; /* not 0; no other plan of the process has it, or had it before */
    int64_t uses;
};

/* *out is used once more, by a program's `plans`, until base.destroy(); it is a user of scratch.h.
 * threads: the maximum number of concurrent threads of a run. Errors: those of kernels_dot_plan();
 * RESOURCE_EXHAUSTED. */
struct error *shared_plan_use(const struct step *step, int threads, struct shared_plan **out);

#endif
