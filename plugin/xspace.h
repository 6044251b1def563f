/* xspace.h: a recording as the message that XLA's profilers collect
 * (tsl/profiler/protobuf/xplane.proto): one XSpace with one plane, a line a thread, and for each
 * name one event metadata. */
#ifndef GANTRY_PLUGIN_XSPACE_H
#define GANTRY_PLUGIN_XSPACE_H

#include "base/trace.h"

/* The message of a stopped recording: owned (alloc_free); 0 bytes, and NULL, when nothing was
 * recorded. Events that were dropped are reported as a warning. RESOURCE_EXHAUSTED when memory is
 * gone. */
struct error *xspace_write(const struct trace *trace, char **out, size_t *size);

#endif
