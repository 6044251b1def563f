/* xspace.h: serializes a recording for XLA's profilers (tsl/profiler/protobuf/xplane.proto): an
 * XSpace with a plane of what this machine did, one line per thread, and for each device that is a
 * model of an accelerator a plane of what that would have done (xspace_model.h). */
#ifndef GANTRY_REPORT_XSPACE_H
#define GANTRY_REPORT_XSPACE_H

#include "base/trace.h"

/* Serializes a stopped recording. *out is owned (alloc_free); it is NULL, with size 0, when nothing
 * was recorded. Dropped events are reported as a warning. RESOURCE_EXHAUSTED. */
struct error *xspace_write(const struct trace *trace, char **out, size_t *size);

#endif
