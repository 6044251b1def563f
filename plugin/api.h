/* api.h: the functions of the table, declared from api.def. Each is in the file of its section,
 * plugin/api_<section>.c, checks its arguments (api_args.h), unwraps handles (handles.h) and calls
 * runtime/. What each does is described in pjrt_c_api.h. All are thread-safe. */
#ifndef GANTRY_PLUGIN_API_H
#define GANTRY_PLUGIN_API_H

#include "devices/device.h"
#include "pjrt_c_api.h"

#define API(member, function) member function;
#define ERROR_API(member, function) member function;
#define LIBRARY(member, function)                                                                  \
    PJRT_Error *function(const struct device_library *library, member##_Args *args);
#define NOT_SERVED(member)
#include "plugin/api.def"
#undef API
#undef ERROR_API
#undef LIBRARY
#undef NOT_SERVED

#endif
