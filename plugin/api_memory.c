#include <string.h>

#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"

PJRT_Error *api_memory_id(PJRT_Memory_Id_Args *args)
{
    NEED_OBJECT(args, memory);
    NEED(args, id);
    args->id = memory_of(args->memory)->id;
    return NULL;
}

PJRT_Error *api_memory_kind(PJRT_Memory_Kind_Args *args)
{
    NEED_OBJECT(args, memory);
    NEED(args, kind_size);
    args->kind = memory_kind_name(memory_of(args->memory)->kind);
    args->kind_size = strlen(args->kind);
    return NULL;
}

PJRT_Error *api_memory_kind_id(PJRT_Memory_Kind_Id_Args *args)
{
    NEED_OBJECT(args, memory);
    NEED(args, kind_id);
    args->kind_id = memory_of(args->memory)->kind_id;
    return NULL;
}

PJRT_Error *api_memory_debug_string(PJRT_Memory_DebugString_Args *args)
{
    NEED_OBJECT(args, memory);
    NEED(args, debug_string_size);
    args->debug_string = memory_of(args->memory)->debug_text;
    args->debug_string_size = strlen(args->debug_string);
    return NULL;
}

PJRT_Error *api_memory_to_string(PJRT_Memory_ToString_Args *args)
{
    NEED_OBJECT(args, memory);
    NEED(args, to_string_size);
    args->to_string = memory_of(args->memory)->text;
    args->to_string_size = strlen(args->to_string);
    return NULL;
}

PJRT_Error *api_memory_addressable_by_devices(PJRT_Memory_AddressableByDevices_Args *args)
{
    NEED_OBJECT(args, memory);
    NEED(args, num_devices);
    args->devices = device_handles(&memory_of(args->memory)->device);
    args->num_devices = 1;
    return NULL;
}
