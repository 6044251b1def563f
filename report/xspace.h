/* xspace.h: serializes a recording for XLA's profilers (tsl/profiler/protobuf/xplane.proto): an
 * XSpace with a plane for the threads of this process, one line per thread; a plane for each device
 * with the operations of its executions, measured (xspace_measured.h) or, if the device is a model,
 * modeled (xspace_model.h); and the programs as HLO modules (xspace_programs.h). docs/profiles.md
 * describes the use in xprof's tools. */
#ifndef GANTRY_REPORT_XSPACE_H
#define GANTRY_REPORT_XSPACE_H

#include "base/trace.h"

/* Serializes a stopped recording. *out is owned (alloc_free); it is NULL, with size 0, when nothing
 * was recorded. Dropped events are reported as a warning. RESOURCE_EXHAUSTED. */
struct error *xspace_write(const struct trace *trace, char **out, size_t *size);

#endif
