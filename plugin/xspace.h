/* xspace.h: serializes a recording for XLA's profilers (tsl/profiler/protobuf/xplane.proto): an
 * XSpace with one plane, one line per thread, and one event metadata per name. */
#ifndef GANTRY_PLUGIN_XSPACE_H
#define GANTRY_PLUGIN_XSPACE_H

#include "base/trace.h"

/* Serializes a stopped recording. *out is owned (alloc_free); it is NULL, with size 0, when nothing
 * was recorded. Dropped events are reported as a warning. RESOURCE_EXHAUSTED. */
struct error *xspace_write(const struct trace *trace, char **out, size_t *size);

#endif
