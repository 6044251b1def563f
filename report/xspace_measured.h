/* xspace_measured.h: the planes of devices that compute on this machine: each execution with the
 * measured times of its steps, which are the operations. The thread and the time of a step
 * determine its execution. Modeled devices have the planes of xspace_model.h instead. */
#ifndef GANTRY_REPORT_XSPACE_MEASURED_H
#define GANTRY_REPORT_XSPACE_MEASURED_H

#include "base/trace.h"
#include "report/xplane.h"
#include "report/xspace_programs.h"

/* Adds a plane for each device whose executions were recorded with their executable (job.c); its
 * number is added to `id`. Must be inside arena_run(). `host` receives the
 * use of their peak rates. */
void xspace_measured_write(const struct trace *trace, struct xspace_programs *programs,
                           struct xplane *host, struct arena *arena, int64_t id, struct proto *to,
                           int field);

#endif
