/* pjrt_c_api_profiler_extension.h: profiling (PJRT_Extension_Type_Profiler, version 1).
 *
 * One struct with two uses. In the plugin's own list it offers the plugin's profiler, by which
 * clients such as jax.profiler record what devices do. In the list of one call's arguments
 * (Compile, Execute) it comes from the client and says which span of the client's own trace the
 * call belongs to.
 *
 * The rules of pjrt_c_api.h on struct_size, ownership and threads hold here. */
#ifndef GANTRY_PJRT_C_API_PROFILER_EXTENSION_H
#define GANTRY_PJRT_C_API_PROFILER_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include "pjrt_c_api.h"
#include "profiler_c_api.h"

#define PJRT_API_PROFILER_EXTENSION_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* The extension, in either use. */
typedef struct PJRT_Profiler_Extension {
    PJRT_Extension_Base base; /* type is PJRT_Extension_Type_Profiler */
    /* static; the plugin's profiler. From a client it may be NULL or garbage: not read */
    PLUGIN_Profiler_Api *profiler_api;
    /* from a client: the span this call belongs to, or -1. From a plugin: not used */
    int64_t traceme_context_id;
} PJRT_Profiler_Extension;
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Profiler_Extension, traceme_context_id);

#ifdef __cplusplus
}
#endif

#endif
