#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"
#include "plugin/placement.h"
#include "runtime/transfer.h"

PJRT_Error *api_promise_create_alias_buffer(PJRT_Client_CreateAliasBuffer_Args *args)
{
    struct client_memory *memory;
    struct buffer *buffer;
    struct promise *promise;
    struct shape_tile tiles[SHAPE_MAX_TILES];
    struct shape shape;
    NEED_OBJECT(args, client);
    NEED(args, fulfill_alias_buffer_cb);
    API_TRY(placement_memory(args->client, args->memory, NULL, &memory));
    API_TRY(placement_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims,
                            args->shape_layout, tiles, &shape, NULL));
    API_TRY(transfer_promise_buffer(memory, &shape, &buffer, &promise));
    args->alias_buffer = buffer_handle(buffer);
    args->fulfill_alias_buffer_cb = (PJRT_FulfillAliasBufferCallback *)promise;
    return NULL;
}

PJRT_Error *api_promise_fulfill_alias_buffer(PJRT_Client_FulfillAliasBuffer_Args *args)
{
    NEED_OBJECT(args, fulfill_alias_buffer_cb);
    struct error *error =
        api_args_client_error(args->status_code, args->error_message, args->error_message_size);
    return API_ERROR(transfer_fulfill_buffer((struct promise *)args->fulfill_alias_buffer_cb,
                                             buffer_of(args->buffer), error));
}

static void fulfill_copy(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args)
{
    transfer_fulfill_copy(
        args->callback_data, args->dst,
        api_args_client_error(args->error_code, args->error_message, args->error_message_size));
}

PJRT_Error *api_promise_copy_raw_to_host_future(PJRT_Buffer_CopyRawToHostFuture_Args *args)
{
    struct event *done;
    struct promise *promise;
    NEED_OBJECT(args, buffer);
    NEED(args, future_ready_callback);
    API_TRY(transfer_promise_copy(buffer_of(args->buffer), (uint64_t)args->offset,
                                  (uint64_t)args->transfer_size, &done, &promise));
    args->event = event_handle(done);
    args->callback_data = promise;
    args->future_ready_callback = fulfill_copy;
    return NULL;
}

static void fulfill_donated(PJRT_Buffer_DonateWithControlDependency_Callback_Args *args)
{
    transfer_fulfill_donated(
        args->callback_data,
        api_args_client_error(args->error_code, args->error_message, args->error_message_size));
}

PJRT_Error *
api_promise_donate_with_control_dependency(PJRT_Buffer_DonateWithControlDependency_Args *args)
{
    struct buffer *buffer;
    struct promise *promise;
    NEED_OBJECT(args, buffer);
    NEED(args, out_buffer);
    API_TRY(transfer_promise_donated(buffer_of(args->buffer), &buffer, &promise));
    args->callback_data = promise;
    args->dependency_ready_callback = fulfill_donated;
    args->out_buffer = buffer_handle(buffer);
    return NULL;
}
