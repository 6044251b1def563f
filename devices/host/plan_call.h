/* plan_call.h: one run of a plan (kernels/kernels.h): prepares data shared by its parts, then runs
 * the parts on the thread pool, each with scratch memory of its thread. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_PLAN_CALL_H
#define GANTRY_DEVICES_HOST_PLAN_CALL_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/error.h"
#include "devices/host/kernels_library.h"
#include "memory/prepacked.h"

struct plan_call { /* everything is borrowed */
    const struct plan *plan;
    void *const *buffers; /* of PLAN_LHS, PLAN_RHS, PLAN_OUT */
    /* Number of runs, >= 1; each address increases by its offset, in bytes, from run to run. Data
     * shared by the parts is prepared once, from the first addresses. */
    int64_t repeats, offsets[PLAN_SHARED];
    /* Caches the shared data of the parts across runs, for this key; or NULL. Only if the operand's
     * contents are those of the slot, and do not change during the run. */
    struct prepacked_slot *slot;
    struct prepacked_request keep; /* its size is the plan's shared_bytes */
    int cores;                     /* that may take part, >= 1 */
    const atomic_uint *stop;       /* nonzero: parts that have not begun are left out */
};

/* Errors: those of the plan; RESOURCE_EXHAUSTED for scratch memory. */
struct error *plan_call_run(const struct plan_call *call);

#endif
