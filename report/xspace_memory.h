/* xspace_memory.h: memory events of devices during a profile, as lines of the host's plane:
 * allocations and releases, from which xprof's memory_profile shows the use over time and the live
 * buffers at the peak; and a counter of the bytes in use for the trace viewer. Must be inside
 * arena_run(). One thread at a time. */
#ifndef GANTRY_REPORT_XSPACE_MEMORY_H
#define GANTRY_REPORT_XSPACE_MEMORY_H

#include "base/trace.h"
#include "report/xplane.h"

struct xspace_memory;

/* In the arena. The lines have the numbers `line` and `line` + 1. */
struct xspace_memory *xspace_memory_create(struct arena *arena, struct xplane *plane, int64_t line,
                                           uint64_t start_ns);
void xspace_memory_add(struct xspace_memory *memory, const struct trace_event *event);

#endif
