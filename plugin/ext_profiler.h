/* ext_profiler.h: the Profiler extension (pjrt_c_api_profiler_extension.h): compiles, executions
 * and the steps of executions, recorded (base/trace.h) while a session of the client's profiler
 * runs, and given as an XSpace (xspace.h). Options of sessions are not read: there is one level of
 * detail. Sessions are independent; a session is used by one thread at a time. */
#ifndef GANTRY_PLUGIN_EXT_PROFILER_H
#define GANTRY_PLUGIN_EXT_PROFILER_H

#include "pjrt_c_api_profiler_extension.h"

/* Static and constant: the extension, to be hung on PJRT_Api. */
extern PJRT_Profiler_Extension ext_profiler;

#endif
