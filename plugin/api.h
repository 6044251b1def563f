/* api.h: the functions of the table, declared from api.def. Each is defined in
 * plugin/api_<section>.c; it checks its arguments (api_args.h), unwraps handles (handles.h) and
 * calls runtime/. pjrt_c_api.h describes them. All are thread-safe. */
#ifndef GANTRY_PLUGIN_API_H
#define GANTRY_PLUGIN_API_H

#include "devices/device.h"
#include "pjrt_c_api.h"

#define API(member, function) member function;
#define ERROR_API(member, function) member function;
#define LIBRARY(member, function)                                                                  \
    PJRT_Error *function(const struct device_library *library, member##_Args *args);
#define UNSUPPORTED(member)
#include "plugin/api.def"
#undef API
#undef ERROR_API
#undef LIBRARY
#undef UNSUPPORTED

#endif
