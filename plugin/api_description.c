#include <string.h>

#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"

PJRT_Error *api_description_id(PJRT_DeviceDescription_Id_Args *args)
{
    NEED_OBJECT(args, device_description);
    NEED(args, id);
    args->id = description_of(args->device_description)->device->id;
    return NULL;
}

PJRT_Error *api_description_process_index(PJRT_DeviceDescription_ProcessIndex_Args *args)
{
    NEED_OBJECT(args, device_description);
    NEED(args, process_index);
    args->process_index = description_of(args->device_description)->device->process_index;
    return NULL;
}

PJRT_Error *api_description_attributes(PJRT_DeviceDescription_Attributes_Args *args)
{
    NEED_OBJECT(args, device_description);
    NEED(args, attributes);
    args->attributes = description_of(args->device_description)->attributes;
    args->num_attributes =
        (size_t)description_of(args->device_description)->device->attribute_count;
    return NULL;
}

PJRT_Error *api_description_kind(PJRT_DeviceDescription_Kind_Args *args)
{
    NEED_OBJECT(args, device_description);
    NEED(args, device_kind_size);
    args->device_kind = description_of(args->device_description)->device->kind;
    args->device_kind_size = strlen(args->device_kind);
    return NULL;
}

PJRT_Error *api_description_debug_string(PJRT_DeviceDescription_DebugString_Args *args)
{
    NEED_OBJECT(args, device_description);
    NEED(args, debug_string_size);
    args->debug_string = description_of(args->device_description)->device->debug_text;
    args->debug_string_size = strlen(args->debug_string);
    return NULL;
}

PJRT_Error *api_description_to_string(PJRT_DeviceDescription_ToString_Args *args)
{
    NEED_OBJECT(args, device_description);
    NEED(args, to_string_size);
    args->to_string = description_of(args->device_description)->device->text;
    args->to_string_size = strlen(args->to_string);
    return NULL;
}
