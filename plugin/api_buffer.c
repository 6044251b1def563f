#include <string.h>

#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"
#include "plugin/placement.h"
#include "runtime/buffer_sizes.h"
#include "runtime/buffer_to_host.h"

/* ---- creation -------------------------------------------------------------------------------- */
PJRT_Error *api_buffer_from_host_buffer(PJRT_Client_BufferFromHostBuffer_Args *args)
{
    struct client_memory *memory;
    struct event *done;
    struct buffer *buffer;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape shape;
    NEED_OBJECT(args, client);
    NEED(args, buffer);
    API_TRY(placement_memory(args->client, args->memory, args->device, &memory));
    API_TRY(placement_shape(args->type, args->dims, args->num_dims, args->device_layout, tiles,
                            &shape, NULL));
    if (args->byte_strides && args->num_byte_strides && args->num_byte_strides != args->num_dims)
        return API_ERROR(ERROR(INVALID_ARGUMENT, "%zu byte strides for %zu dimensions",
                               args->num_byte_strides, args->num_dims));
    if ((unsigned)args->host_buffer_semantics > PJRT_HostBufferSemantics_kMutableZeroCopy)
        return API_ERROR(ERROR(INVALID_ARGUMENT, "host buffer semantics %d; allowed: 0 to 3",
                               (int)args->host_buffer_semantics));
    struct host_array array = {.data = args->data,
                               .shape = shape_without_layout(&shape),
                               .byte_strides = args->num_byte_strides ? args->byte_strides : NULL};
    API_TRY(buffer_from_host(memory, &shape, &array,
                             (enum host_semantics)args->host_buffer_semantics, &done, &buffer));
    args->done_with_host_buffer = event_handle(done);
    args->buffer = buffer_handle(buffer);
    return NULL;
}

PJRT_Error *api_buffer_create_uninitialized(PJRT_Client_CreateUninitializedBuffer_Args *args)
{
    struct client_memory *memory;
    struct buffer *buffer;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape shape;
    NEED_OBJECT(args, client);
    NEED(args, buffer);
    API_TRY(placement_memory(args->client, args->memory, args->device, &memory));
    API_TRY(placement_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims,
                            args->shape_layout, tiles, &shape, NULL));
    API_TRY(buffer_uninitialized(memory, &shape, &buffer));
    args->buffer = buffer_handle(buffer);
    return NULL;
}

PJRT_Error *api_buffer_create_error(PJRT_Client_CreateErrorBuffer_Args *args)
{
    struct client_memory *memory;
    struct buffer *buffer;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape shape;
    NEED_OBJECT(args, client);
    NEED(args, buffer);
    API_TRY(placement_memory(args->client, args->memory, NULL, &memory));
    API_TRY(placement_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims,
                            args->shape_layout, tiles, &shape, NULL));
    struct error *error =
        api_args_client_error(args->error_code, args->error_message, args->error_message_size);
    if (!error)
        return API_ERROR(
            ERROR(INVALID_ARGUMENT, "an error buffer needs an error code other than OK"));
    API_TRY(buffer_with_error(memory, &shape, error, &buffer));
    args->buffer = buffer_handle(buffer);
    return NULL;
}

PJRT_Error *api_buffer_create_view(PJRT_Client_CreateViewOfDeviceBuffer_Args *args)
{
    struct client_memory *memory;
    struct buffer *buffer;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape shape;
    NEED_OBJECT(args, client);
    NEED(args, buffer);
    API_TRY(placement_memory(args->client, GET(args, memory, NULL), args->device, &memory));
    API_TRY(placement_shape(args->element_type, args->dims, args->num_dims, args->layout, tiles,
                            &shape, NULL));
    API_TRY(buffer_from_device_memory(memory, &shape, args->device_buffer_ptr,
                                      args->on_delete_callback, args->on_delete_callback_arg,
                                      &buffer));
    args->buffer = buffer_handle(buffer);
    return NULL;
}

/* ---- properties ------------------------------------------------------------------------------ */
PJRT_Error *api_buffer_destroy(PJRT_Buffer_Destroy_Args *args)
{
    NEED(args, buffer);
    buffer_release(buffer_of(args->buffer));
    return NULL;
}

PJRT_Error *api_buffer_element_type(PJRT_Buffer_ElementType_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, type);
    args->type = dtype_info(buffer_shape(buffer_of(args->buffer))->dtype)->pjrt;
    return NULL;
}

PJRT_Error *api_buffer_dimensions(PJRT_Buffer_Dimensions_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, num_dims);
    args->dims = buffer_shape(buffer_of(args->buffer))->dims;
    args->num_dims = (size_t)buffer_shape(buffer_of(args->buffer))->rank;
    return NULL;
}

PJRT_Error *api_buffer_unpadded_dimensions(PJRT_Buffer_UnpaddedDimensions_Args *args)
{
    struct shape shape;
    NEED_OBJECT(args, buffer);
    NEED(args, num_dims);
    API_TRY(buffer_sizes_shape(buffer_of(args->buffer), &shape));
    args->unpadded_dims = shape.dims;
    args->num_dims = (size_t)shape.rank;
    return NULL;
}

PJRT_Error *api_buffer_dynamic_dimension_indices(PJRT_Buffer_DynamicDimensionIndices_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, num_dynamic_dims);
    args->dynamic_dim_indices =
        buffer_sizes_dynamic(buffer_of(args->buffer), &args->num_dynamic_dims);
    return NULL;
}

/* The last r entries of this table are the row-major layout of rank r; other layouts are stored in
 * the buffer. */
PJRT_Error *api_buffer_get_memory_layout(PJRT_Buffer_GetMemoryLayout_Args *args)
{
    static const int64_t row_major[] = {31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21,
                                        20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10,
                                        9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
    NEED_OBJECT(args, buffer);
    NEED(args, layout);
    const struct shape *shape = buffer_shape(buffer_of(args->buffer));
    size_t rank = (size_t)shape->rank;
    const int64_t *own = shape->minor_to_major;
    args->layout = (PJRT_Buffer_MemoryLayout){
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major =
                      own ? own : row_major + sizeof row_major / sizeof *row_major - rank,
                  .minor_to_major_size = rank,
                  .tile_dims = shape->tile_count ? shape->tiles[0].dims : NULL,
                  .tile_dim_sizes = buffer_tile_ranks(buffer_of(args->buffer)),
                  .num_tiles = (size_t)shape->tile_count},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
    return NULL;
}

PJRT_Error *api_buffer_on_device_size_in_bytes(PJRT_Buffer_OnDeviceSizeInBytes_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, on_device_size_in_bytes);
    args->on_device_size_in_bytes = buffer_device_bytes(buffer_of(args->buffer));
    return NULL;
}

PJRT_Error *api_buffer_device(PJRT_Buffer_Device_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, device);
    args->device = device_handle(buffer_memory(buffer_of(args->buffer))->device);
    return NULL;
}

PJRT_Error *api_buffer_memory(PJRT_Buffer_Memory_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, memory);
    args->memory = memory_handle(buffer_memory(buffer_of(args->buffer)));
    return NULL;
}

PJRT_Error *api_buffer_is_on_cpu(PJRT_Buffer_IsOnCpu_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, is_on_cpu);
    args->is_on_cpu = buffer_is_on_host(buffer_of(args->buffer));
    return NULL;
}

PJRT_Error *api_buffer_ready_event(PJRT_Buffer_ReadyEvent_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, event);
    args->event = event_handle(buffer_ready_event(buffer_of(args->buffer)));
    return NULL;
}

/* ---- lifetime -------------------------------------------------------------------------------- */
PJRT_Error *api_buffer_delete(PJRT_Buffer_Delete_Args *args)
{
    NEED_OBJECT(args, buffer);
    buffer_delete(buffer_of(args->buffer));
    return NULL;
}

PJRT_Error *api_buffer_is_deleted(PJRT_Buffer_IsDeleted_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, is_deleted);
    args->is_deleted = buffer_is_deleted(buffer_of(args->buffer));
    return NULL;
}

PJRT_Error *
api_buffer_increase_external_reference_count(PJRT_Buffer_IncreaseExternalReferenceCount_Args *args)
{
    NEED_OBJECT(args, buffer);
    return API_ERROR(buffer_external_retain(buffer_of(args->buffer)));
}

PJRT_Error *
api_buffer_decrease_external_reference_count(PJRT_Buffer_DecreaseExternalReferenceCount_Args *args)
{
    NEED_OBJECT(args, buffer);
    return API_ERROR(buffer_external_release(buffer_of(args->buffer)));
}

PJRT_Error *api_buffer_unsafe_pointer(PJRT_Buffer_UnsafePointer_Args *args)
{
    void *address;
    NEED_OBJECT(args, buffer);
    NEED(args, buffer_pointer);
    API_TRY(buffer_address(buffer_of(args->buffer), &address));
    args->buffer_pointer = (uintptr_t)address;
    return NULL;
}

PJRT_Error *
api_buffer_opaque_device_memory_data_pointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args)
{
    NEED_OBJECT(args, buffer);
    NEED(args, device_memory_ptr);
    return API_ERROR(buffer_pointer(buffer_of(args->buffer), &args->device_memory_ptr));
}

/* ---- copies ---------------------------------------------------------------------------------- */
/* Bytes required at the destination of a copy. */
static struct error *host_size(struct buffer *buffer, const struct shape *shape,
                               const int64_t *strides, uint64_t *out)
{
    *out = (uint64_t)shape_bytes(shape);
    return strides ? buffer_strided_size(buffer, strides, out) : NULL;
}

PJRT_Error *api_buffer_to_host_buffer(PJRT_Buffer_ToHostBuffer_Args *args)
{
    struct event *done;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape wanted, shape;
    const int64_t *strides;
    uint64_t size;
    NEED_OBJECT(args, src);
    NEED(args, event);
    struct buffer *buffer = buffer_of(args->src);
    API_TRY(buffer_sizes_shape(buffer, &shape));
    API_TRY(placement_shape(dtype_info(shape.dtype)->pjrt, shape.dims, (size_t)shape.rank,
                            args->host_layout, tiles, &wanted, &strides));
    API_TRY(host_size(buffer, &shape, strides, &size));
    if (!args->dst && size) {
        args->dst_size = size;
        args->event = NULL;
        return NULL;
    }
    API_TRY(strides ? buffer_to_host_strided(buffer, strides, args->dst, args->dst_size, &done)
                    : buffer_to_host(buffer, args->host_layout ? &wanted : NULL, args->dst,
                                     args->dst_size, &done));
    args->event = event_handle(done);
    return NULL;
}

PJRT_Error *api_buffer_copy_raw_to_host(PJRT_Buffer_CopyRawToHost_Args *args)
{
    struct event *done;
    NEED_OBJECT(args, buffer);
    NEED(args, event);
    API_TRY(buffer_raw_to_host(buffer_of(args->buffer), args->dst, (uint64_t)args->offset,
                               (uint64_t)args->transfer_size, &done));
    args->event = event_handle(done);
    return NULL;
}

PJRT_Error *api_buffer_copy_to_memory(PJRT_Buffer_CopyToMemory_Args *args)
{
    struct buffer *copy;
    NEED_OBJECT(args, buffer);
    NEED_OBJECT(args, dst_memory);
    NEED(args, dst_buffer);
    API_TRY(buffer_copy_to_memory(buffer_of(args->buffer), memory_of(args->dst_memory), &copy));
    args->dst_buffer = buffer_handle(copy);
    return NULL;
}

PJRT_Error *api_buffer_copy_to_device(PJRT_Buffer_CopyToDevice_Args *args)
{
    struct buffer *copy;
    NEED_OBJECT(args, buffer);
    NEED_OBJECT(args, dst_device);
    NEED(args, dst_buffer);
    API_TRY(client_check_local(device_of(args->dst_device)));
    struct client_memory *to = &device_of(args->dst_device)->memories[0];
    if (to == buffer_memory(buffer_of(args->buffer)))
        return API_ERROR(
            ERROR(INVALID_ARGUMENT, "the buffer is already on %s", to->device->device->text));
    API_TRY(buffer_copy_to_memory(buffer_of(args->buffer), to, &copy));
    args->dst_buffer = buffer_handle(copy);
    return NULL;
}

PJRT_Error *api_buffer_bitcast(PJRT_Buffer_Bitcast_Args *args)
{
    struct buffer *view;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape shape;
    NEED_OBJECT(args, buffer);
    NEED(args, out_buffer);
    API_TRY(placement_shape(args->element_type, args->dims, args->num_dims, args->device_layout,
                            tiles, &shape, NULL));
    API_TRY(buffer_bitcast(buffer_of(args->buffer), &shape, &view));
    args->out_buffer = buffer_handle(view);
    return NULL;
}
