/* ext_profiler.h: the Profiler extension (pjrt_c_api_profiler_extension.h): records compilations,
 * executions and the steps of executions (base/trace.h) during a session of the client's profiler,
 * and returns them as an XSpace (xspace.h). Session options are ignored: there is one level of
 * detail. Sessions are independent; a session is used by one thread at a time. */
#ifndef GANTRY_PLUGIN_EXT_PROFILER_H
#define GANTRY_PLUGIN_EXT_PROFILER_H

#include "pjrt_c_api_profiler_extension.h"

/* Static and constant: the extension, to be linked into PJRT_Api's extension list. */
extern PJRT_Profiler_Extension ext_profiler;

/* The span of the client's own trace that a call belongs to, of the extensions of its arguments;
 * 0: none is given, or nothing is recorded. */
int64_t ext_profiler_flow(const PJRT_Extension_Base *extensions);

#endif
