#include "runtime/transfer.h"

#include "base/alloc.h"
#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"
#include "plugin/placement.h"

enum { MAX_BUFFERS = 1 << 20 }; /* per manager */

static struct transfer_manager *manager_of(PJRT_AsyncHostToDeviceTransferManager *manager)
{
    return (struct transfer_manager *)manager;
}

static struct error *create(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args,
                            struct client_memory *memory, struct shape *shapes,
                            struct shape_tile (*tiles)[SHAPE_MAX_TILES])
{
    struct transfer_manager *manager;
    for (size_t i = 0; i < args->num_shape_specs; i++) {
        const PJRT_ShapeSpec *spec = &args->shape_specs[i];
        bool has_layout = args->device_layouts && i < args->num_device_layouts;
        TRY(placement_shape(spec->element_type, spec->dims, spec->num_dims,
                            has_layout ? args->device_layouts[i] : NULL, tiles[i], &shapes[i],
                            NULL));
    }
    TRY(transfer_create(memory, (int)args->num_shape_specs, shapes, &manager));
    args->transfer_manager = (PJRT_AsyncHostToDeviceTransferManager *)manager;
    return NULL;
}

PJRT_Error *api_transfer_create(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args)
{
    struct client_memory *memory;
    struct shape_tile(*tiles)[SHAPE_MAX_TILES] = NULL;
    struct shape *shapes;
    NEED_OBJECT(args, client);
    NEED(args, transfer_manager);
    API_TRY(placement_memory(args->client, args->memory, NULL, &memory));
    if (args->num_shape_specs > MAX_BUFFERS)
        return API_ERROR(ERROR(INVALID_ARGUMENT, "%zu buffers for one manager; allowed: at most %d",
                               args->num_shape_specs, MAX_BUFFERS));
    if (!args->shape_specs && args->num_shape_specs)
        return api_args_null(__func__, "shape_specs");
    API_TRY(alloc_array(args->num_shape_specs, sizeof *shapes, &shapes));
    struct error *error = alloc_array(args->num_shape_specs, sizeof *tiles, &tiles);
    if (!error)
        error = create(args, memory, shapes, tiles);
    alloc_free(tiles);
    alloc_free(shapes);
    return API_ERROR(error);
}

PJRT_Error *api_transfer_destroy(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args)
{
    NEED_OBJECT(args, transfer_manager);
    transfer_destroy(manager_of(args->transfer_manager));
    return NULL;
}

PJRT_Error *
api_transfer_transfer_data(PJRT_AsyncHostToDeviceTransferManager_TransferData_Args *args)
{
    struct event *done;
    NEED_OBJECT(args, transfer_manager);
    NEED(args, done_with_h2d_transfer);
    API_TRY(transfer_bytes(manager_of(args->transfer_manager), args->buffer_index, args->data,
                           (uint64_t)args->offset, (uint64_t)args->transfer_size,
                           args->is_last_transfer, &done));
    args->done_with_h2d_transfer = event_handle(done);
    return NULL;
}

PJRT_Error *
api_transfer_transfer_literal(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args)
{
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct host_array array = {0};
    struct event *done;
    NEED_OBJECT(args, transfer_manager);
    NEED(args, done_with_h2d_transfer);
    array.data = args->data;
    API_TRY(placement_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims,
                            args->shape_layout, tiles, &array.shape, &array.byte_strides));
    API_TRY(transfer_array(manager_of(args->transfer_manager), args->buffer_index, &array, &done));
    args->done_with_h2d_transfer = event_handle(done);
    return NULL;
}

PJRT_Error *
api_transfer_retrieve_buffer(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args *args)
{
    struct buffer *buffer;
    NEED_OBJECT(args, transfer_manager);
    NEED(args, buffer_out);
    API_TRY(transfer_retrieve(manager_of(args->transfer_manager), args->buffer_index, &buffer));
    args->buffer_out = buffer_handle(buffer);
    return NULL;
}

PJRT_Error *api_transfer_device(PJRT_AsyncHostToDeviceTransferManager_Device_Args *args)
{
    NEED_OBJECT(args, transfer_manager);
    NEED(args, device_out);
    args->device_out = device_handle(transfer_memory(manager_of(args->transfer_manager))->device);
    return NULL;
}

PJRT_Error *api_transfer_buffer_count(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args *args)
{
    NEED_OBJECT(args, transfer_manager);
    NEED(args, buffer_count);
    args->buffer_count = (size_t)transfer_count(manager_of(args->transfer_manager));
    return NULL;
}

PJRT_Error *api_transfer_buffer_size(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args *args)
{
    uint64_t size;
    NEED_OBJECT(args, transfer_manager);
    NEED(args, buffer_size);
    API_TRY(transfer_size(manager_of(args->transfer_manager), args->buffer_index, &size));
    args->buffer_size = size;
    return NULL;
}

PJRT_Error *
api_transfer_set_buffer_error(PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args *args)
{
    NEED_OBJECT(args, transfer_manager);
    NEED(args, error_message_size);
    struct error *error =
        api_args_client_error(args->error_code, args->error_message, args->error_message_size);
    if (!error)
        return API_ERROR(
            ERROR(INVALID_ARGUMENT, "failing a buffer needs an error code other than OK"));
    return API_ERROR(transfer_fail(manager_of(args->transfer_manager), args->buffer_index, error));
}

/* Transfers are not traced: the metadata is ignored. */
PJRT_Error *api_transfer_add_metadata(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args *args)
{
    NEED_OBJECT(args, transfer_manager);
    return NULL;
}

PJRT_Error *api_transfer_dma_map(PJRT_Client_DmaMap_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, size);
    return API_ERROR(mapped_add(&client_of(args->client)->mapped, args->data, args->size));
}

PJRT_Error *api_transfer_dma_unmap(PJRT_Client_DmaUnmap_Args *args)
{
    NEED_OBJECT(args, client);
    NEED(args, data);
    return API_ERROR(mapped_remove(&client_of(args->client)->mapped, args->data));
}
