#include "plugin/ext_cross_host_transfers.h"

#include "plugin/api_args.h"
#include "plugin/ext_layouts.h"
#include "plugin/handles.h"
#include "plugin/placement.h"
#include "runtime/cross_host.h"

static PJRT_Error *by_descriptors(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args *args)
{
    (void)args;
    return API_ERROR(ERROR(UNIMPLEMENTED, "transfers between processes by descriptors are not "
                                          "supported; use CrossHostReceiveBuffers"));
}

static void to_remote_device(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args *args)
{
    if (!args || !HAS(args, on_done) || !args->on_done.on_done)
        return;
    args->on_done.on_done(
        API_ERROR(ERROR(UNIMPLEMENTED, "transfers between processes by descriptors are not "
                                       "supported; use CrossHostSendBuffers")),
        false, args->on_done.user_arg);
}

static struct error *send_one(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args *args, size_t i)
{
    struct event *done;
    if (!args->buffers[i])
        return ERROR(INVALID_ARGUMENT, "buffer %zu of %zu is NULL", i, args->num_buffers);
    TRY(cross_host_send(buffer_of(args->buffers[i]), args->dst_global_device_ids[i],
                        args->transfer_keys[i], &done));
    args->send_events[i] = event_handle(done);
    return NULL;
}

static PJRT_Error *send(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args *args)
{
    struct error *error = NULL;
    size_t sent = 0;
    NEED_OBJECT(args, client);
    NEED_OBJECT(args, buffers);
    NEED_OBJECT(args, dst_global_device_ids);
    NEED_OBJECT(args, transfer_keys);
    NEED_OBJECT(args, send_events);
    while (sent < args->num_buffers && !error) {
        error = send_one(args, sent);
        sent += !error;
    }
    for (size_t i = 0; error && i < sent; i++) {
        event_release(event_of(args->send_events[i]));
        args->send_events[i] = NULL;
    }
    return API_ERROR(error);
}

static struct error *receive_one(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args *args,
                                 struct client_memory *memory, size_t i)
{
    struct shape shape;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct buffer *buffer;
    TRY(placement_shape(args->element_types[i], args->num_dims[i], args->shape_num_dims[i],
                        args->layouts ? args->layouts[i] : NULL, tiles, &shape, NULL));
    TRY(cross_host_receive(memory, &shape, args->src_global_device_ids[i], args->transfer_keys[i],
                           &buffer));
    args->buffers[i] = buffer_handle(buffer);
    return NULL;
}

static PJRT_Error *receive(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args *args)
{
    struct client_memory *memory;
    struct error *error = NULL;
    size_t made = 0;
    NEED_OBJECT(args, client);
    NEED_OBJECT(args, shape_num_dims);
    NEED_OBJECT(args, num_dims);
    NEED_OBJECT(args, element_types);
    NEED_OBJECT(args, device);
    NEED_OBJECT(args, src_global_device_ids);
    NEED_OBJECT(args, transfer_keys);
    NEED_OBJECT(args, buffers);
    API_TRY(placement_memory(args->client, NULL, args->device, &memory));
    while (made < args->num_shapes && !error) {
        error = receive_one(args, memory, made);
        made += !error;
    }
    for (size_t i = 0; error && i < made; i++) {
        buffer_release(buffer_of(args->buffers[i]));
        args->buffers[i] = NULL;
    }
    return API_ERROR(error);
}

PJRT_CrossHostTransfers_Extension ext_cross_host_transfers = {
    .base = {.struct_size = PJRT_CrossHostTransfers_Extension_STRUCT_SIZE,
             .type = PJRT_Extension_Type_CrossHostTransfers,
             .next = &ext_layouts.table.base},
    .PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers = by_descriptors,
    .PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice = to_remote_device,
    .PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers = receive,
    .PJRT_Transfers_PJRT_Client_CrossHostSendBuffers = send,
};
