/* plan_call.h: one run of a plan (kernels/kernels.h): prepares what its parts share, then runs them
 * on the thread pool, each with scratch memory of its thread. Thread-safe. */
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
    /* The plan runs so often, >= 1; from one time to the next, each address increases by its
     * offset, in bytes. What the parts share is prepared once, from the first addresses. */
    int64_t repeats, offsets[PLAN_SHARED];
    /* Keeps what the parts share from one run to the next, for this key; or NULL. Only if the
     * operand's contents are those of the slot, and do not change during the run. */
    struct prepacked_slot *slot;
    struct prepacked_request keep; /* its size is the plan's shared_bytes */
    int cores;                     /* that may take part, >= 1 */
    const atomic_uint *stop;       /* nonzero: parts that have not begun are left out */
};

/* Errors: those of the plan; RESOURCE_EXHAUSTED for scratch memory. */
struct error *plan_call_run(const struct plan_call *call);

#endif
