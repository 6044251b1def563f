#include "plugin/api.h"
#include "plugin/api_args.h"

PJRT_Error *api_plugin_initialize(PJRT_Plugin_Initialize_Args *args)
{
    NEED(args, extension_start);
    return NULL;
}

#define NAMED(text)                                                                                \
    .struct_size = PJRT_NamedValue_STRUCT_SIZE, .name = text, .name_size = sizeof text - 1

PJRT_Error *api_plugin_attributes(PJRT_Plugin_Attributes_Args *args)
{
    static const int64_t current[] = {1, 22, 0}, minimum[] = {0, 9, 0};
    static const PJRT_NamedValue attributes[] = {
        {NAMED("stablehlo_current_version"), .type = PJRT_NamedValue_kInt64List,
         .int64_array_value = current, .value_size = 3},
        {NAMED("stablehlo_minimum_version"), .type = PJRT_NamedValue_kInt64List,
         .int64_array_value = minimum, .value_size = 3},
        {NAMED("xla_version"), .type = PJRT_NamedValue_kInt64, .int64_value = 2, .value_size = 1},
        /* ext_cross_host_transfers.h; JAX asks before it copies to other processes' devices. */
        {NAMED("supports_cross_host_transfers"), .type = PJRT_NamedValue_kBool, .bool_value = true,
         .value_size = 1},
    };
    /* Header 0.54 computes the size up to `attributes`, although the field after it always
     * existed. */
    if (!args || args->struct_size != offsetof(PJRT_Plugin_Attributes_Args, num_attributes))
        NEED(args, num_attributes);
    args->attributes = attributes;
    args->num_attributes = sizeof attributes / sizeof *attributes;
    return NULL;
}
