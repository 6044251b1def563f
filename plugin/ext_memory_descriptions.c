/* ext_memory_descriptions.c: a memory description is the memory itself; a topology has them, too
 * (runtime/client.h). */
#include "plugin/ext_memory_descriptions.h"

#include <string.h>

#include "plugin/api_args.h"
#include "plugin/ext_shardings.h"
#include "plugin/handles.h"

static PJRT_Error *of_device(PJRT_DeviceDescription_MemoryDescriptions_Args *args)
{
    NEED_OBJECT(args, device_description);
    NEED(args, default_memory_index);
    const struct client_device *device = description_of(args->device_description);
    args->memory_descriptions = (const PJRT_MemoryDescription *const *)device->memory_list;
    args->num_memory_descriptions = (size_t)device->memory_count;
    args->default_memory_index = device->memory_count ? 0 : -1;
    return NULL;
}

static PJRT_Error *kind(PJRT_MemoryDescription_Kind_Args *args)
{
    NEED_OBJECT(args, memory_description);
    NEED(args, kind_id);
    const struct client_memory *memory = (const struct client_memory *)args->memory_description;
    args->kind = memory_kind_name(memory->kind);
    args->kind_size = strlen(args->kind);
    args->kind_id = memory->kind_id;
    return NULL;
}

PJRT_MemoryDescriptions_Extension ext_memory_descriptions = {
    .base = {.struct_size = PJRT_MemoryDescriptions_Extension_STRUCT_SIZE,
             .type = PJRT_Extension_Type_MemoryDescriptions,
             .next = &ext_shardings.base},
    .PJRT_DeviceDescription_MemoryDescriptions = of_device,
    .PJRT_MemoryDescription_Kind = kind,
};
