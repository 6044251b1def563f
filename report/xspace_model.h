/* xspace_model.h: the planes of modeled accelerators in a profile: operations and times of the
 * modeled plan (docs/tpu-model.md) of each executed program. An execution begins at its start on
 * this machine, or at the modeled end of the previous one if that is later. Loops are shown by
 * iteration until an execution has XSPACE_MODEL_EVENTS events; the remaining iterations of a loop
 * are one event. */
#ifndef GANTRY_REPORT_XSPACE_MODEL_H
#define GANTRY_REPORT_XSPACE_MODEL_H

#include "base/trace.h"
#include "report/xplane.h"
#include "report/xspace_programs.h"

enum {
    XSPACE_MODEL_EVENTS = 1 << 14,    /* operations and iterations of one execution */
    XSPACE_MODEL_EVENTS_ALL = 1 << 19 /* of all, from which on operations are left out */
};

/* Adds a plane for each device whose executions were recorded with their executable (job.c); its
 * number is added to `id`. Returns the number of executions that are shown without operations,
 * since there are too many. `host` receives the use of their peak rates. Must be inside
 * arena_run(). */
uint64_t xspace_model_write(const struct trace *trace, struct xspace_programs *programs,
                            struct xplane *host, struct arena *arena, int64_t id, struct proto *to,
                            int field);

#endif
