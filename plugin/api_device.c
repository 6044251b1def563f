#include "base/alloc.h"
#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"

PJRT_Error *api_device_get_description(PJRT_Device_GetDescription_Args *args)
{
    NEED_OBJECT(args, device);
    NEED(args, device_description);
    args->device_description = description_handle(device_of(args->device));
    return NULL;
}

PJRT_Error *api_device_is_addressable(PJRT_Device_IsAddressable_Args *args)
{
    NEED_OBJECT(args, device);
    NEED(args, is_addressable);
    args->is_addressable = client_device_is_local(device_of(args->device));
    return NULL;
}

PJRT_Error *api_device_local_hardware_id(PJRT_Device_LocalHardwareId_Args *args)
{
    NEED_OBJECT(args, device);
    NEED(args, local_hardware_id);
    args->local_hardware_id = device_of(args->device)->device->local_ordinal;
    return NULL;
}

PJRT_Error *api_device_addressable_memories(PJRT_Device_AddressableMemories_Args *args)
{
    NEED_OBJECT(args, device);
    NEED(args, num_memories);
    args->memories = memory_handles(device_of(args->device)->memory_list);
    args->num_memories = (size_t)device_of(args->device)->memory_count;
    return NULL;
}

PJRT_Error *api_device_default_memory(PJRT_Device_DefaultMemory_Args *args)
{
    NEED_OBJECT(args, device);
    NEED(args, memory);
    API_TRY(client_check_local(device_of(args->device)));
    args->memory = memory_handle(device_of(args->device)->memory_list[0]);
    return NULL;
}

/* Writes a statistic and its is_set flag, or only the flag when it is not available. */
#define STAT(figure, is_set, value)                                                                \
    do {                                                                                           \
        if (is_set)                                                                                \
            PUT(args, figure, (int64_t)(value));                                                   \
        PUT(args, figure##_is_set, is_set);                                                        \
    } while (0)

/* Statistics of the device's default memory. "Reserved" is the memory cached for reuse; "pool" is
 * all memory that the block cache has from the system. Both are shared by all devices of the
 * process. */
PJRT_Error *api_device_memory_stats(PJRT_Device_MemoryStats_Args *args)
{
    struct space_stats stats;
    NEED_OBJECT(args, device);
    NEED(args, bytes_in_use);
    API_TRY(client_check_local(device_of(args->device)));
    space_stats(device_of(args->device)->memories[0].space, &stats);
    args->bytes_in_use = (int64_t)stats.live;
    STAT(peak_bytes_in_use, true, stats.peak);
    STAT(num_allocs, true, stats.total);
    STAT(largest_alloc_size, true, stats.largest);
    STAT(bytes_limit, stats.limit != 0, stats.limit);
    STAT(bytes_reserved, true, stats.cached);
    STAT(peak_bytes_reserved, true, stats.cached_peak);
    STAT(bytes_reservable_limit, true, stats.cached_limit);
    STAT(largest_free_block_bytes, stats.limit != 0, stats.largest_free);
    STAT(pool_bytes, true, stats.pool);
    STAT(peak_pool_bytes, true, stats.pool_peak);
    STAT(peak_allocated_bytes, true, stats.peak);
    return NULL;
}

PJRT_Error *api_device_clear_memory_stats(PJRT_Device_ClearMemoryStats_Args *args)
{
    NEED_OBJECT(args, device);
    API_TRY(client_check_local(device_of(args->device)));
    space_clear_stats(device_of(args->device)->memories[0].space);
    return NULL;
}

static void no_attributes_delete(PJRT_Device_Attributes *attributes)
{
    (void)attributes;
}

/* A device's attributes are constant, and equal to those of its description. JAX reads them
 * here. */
PJRT_Error *api_device_get_attributes(PJRT_Device_GetAttributes_Args *args)
{
    static const char keeper;
    NEED_OBJECT(args, device);
    NEED(args, attributes_deleter);
    args->attributes = device_of(args->device)->attributes;
    args->num_attributes = (size_t)device_of(args->device)->device->attribute_count;
    args->device_attributes = (PJRT_Device_Attributes *)(uintptr_t)&keeper;
    args->attributes_deleter = no_attributes_delete;
    return NULL;
}

/* Asynchronous tracking has no effect: the event is only a handle. */
PJRT_Error *api_device_create_tracking_event(PJRT_Device_CreateAsyncTrackingEvent_Args *args)
{
    NEED_OBJECT(args, device);
    NEED(args, event);
    return API_ERROR(alloc_zeroed(1, &args->event));
}

PJRT_Error *api_device_destroy_tracking_event(PJRT_AsyncTrackingEvent_Destroy_Args *args)
{
    NEED(args, event);
    alloc_free(args->event);
    return NULL;
}
