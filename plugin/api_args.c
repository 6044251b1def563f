#include "plugin/api_args.h"

PJRT_Error *api_args_short(const char *function, const char *field, size_t size, size_t end,
                           bool missing)
{
    if (missing)
        return API_ERROR(ERROR(INVALID_ARGUMENT, "%s: args is NULL", function));
    return API_ERROR(ERROR(INVALID_ARGUMENT,
                           "%s: args->struct_size is %zu, but '%s' ends at byte %zu: the caller "
                           "speaks an older version of the PJRT C API, or did not set struct_size",
                           function, size, field, end));
}

PJRT_Error *api_args_null(const char *function, const char *field)
{
    return API_ERROR(ERROR(INVALID_ARGUMENT, "%s: args->%s is NULL", function, field));
}
