/* xspace.h: serializes a recording for XLA's profilers (tsl/profiler/protobuf/xplane.proto): an
 * XSpace with a plane of what the threads of this process did, a line each; a plane for each device
 * with the operations of its executions, as they were measured (xspace_measured.h) or, where the
 * device is a model, as they would have been (xspace_model.h); and the programs as HLO modules
 * (xspace_programs.h). docs/profiles.md says what xprof's tools make of it. */
#ifndef GANTRY_REPORT_XSPACE_H
#define GANTRY_REPORT_XSPACE_H

#include "base/trace.h"

/* Serializes a stopped recording. *out is owned (alloc_free); it is NULL, with size 0, when nothing
 * was recorded. Dropped events are reported as a warning. RESOURCE_EXHAUSTED. */
struct error *xspace_write(const struct trace *trace, char **out, size_t *size);

#endif
