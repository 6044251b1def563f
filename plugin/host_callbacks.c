#include "plugin/host_callbacks.h"

#include "base/alloc.h"
#include "plugin/api_args.h"
#include "plugin/handles.h"

enum { MAX_CALLBACKS = 1 << 20 }; /* the callbacks of one direction */

/* Creates the error that a client's callback returns. */
static PJRT_Error *callback_error(PJRT_Error_Code code, const char *message, size_t message_size)
{
    return API_ERROR(api_args_client_error(code, message, message_size));
}

static struct error *send_callback(const struct host_channel *channel, struct host_chunk *chunk)
{
    PJRT_SendCallback callback = (PJRT_SendCallback)channel->callback;
    PJRT_CallbackError maker = callback_error;
    PJRT_Chunk given = {chunk->data, chunk->size, chunk->deleter, chunk->deleter_arg};
    return api_args_inner_error(callback(&given, &maker, chunk->size, true, channel->user));
}

static void receive_callback(const struct host_channel *channel, struct host_stream *stream)
{
    PJRT_RecvCallback callback = (PJRT_RecvCallback)channel->callback;
    callback(stream_handle(stream), channel->user);
}

static struct error *missing(size_t device, const char *kind, size_t i)
{
    return ERROR(INVALID_ARGUMENT, "the %s callback %zu of device %zu is missing", kind, i, device);
}

static struct error *read_device(const PJRT_ExecuteOptions *options, size_t device,
                                 struct host_channel *channels, struct host_transfer **out)
{
    size_t count = 0;
    for (size_t i = 0; i < options->num_send_ops; i++) {
        const PJRT_SendCallbackInfo *info =
            options->send_callbacks ? options->send_callbacks[device] : NULL;
        if (!info || !info[i].send_callback)
            return missing(device, "send", i);
        channels[count++] = (struct host_channel){.id = info[i].channel_id,
                                                  .send_callback = send_callback,
                                                  .callback = (void (*)(void))info[i].send_callback,
                                                  .user = info[i].user_arg};
    }
    for (size_t i = 0; i < options->num_recv_ops; i++) {
        const PJRT_RecvCallbackInfo *info =
            options->recv_callbacks ? options->recv_callbacks[device] : NULL;
        if (!info || !info[i].recv_callback)
            return missing(device, "receive", i);
        channels[count++] = (struct host_channel){.id = info[i].channel_id,
                                                  .receive_callback = receive_callback,
                                                  .callback = (void (*)(void))info[i].recv_callback,
                                                  .user = info[i].user_arg};
    }
    return host_transfer_create((int)count, channels, out);
}

struct error *host_callbacks_read(const PJRT_ExecuteOptions *options, size_t device_count,
                                  struct host_transfer ***out)
{
    struct host_channel *channels;
    *out = NULL;
    if (!options || !HAS(options, num_recv_ops) ||
        (!options->num_send_ops && !options->num_recv_ops))
        return NULL;
    size_t sends = options->num_send_ops, receives = options->num_recv_ops;
    if (sends > MAX_CALLBACKS || receives > MAX_CALLBACKS)
        return ERROR(INVALID_ARGUMENT,
                     "%zu send and %zu receive callbacks; at most %d are supported", sends,
                     receives, MAX_CALLBACKS);
    TRY(alloc_array(sends + receives, sizeof *channels, &channels));
    struct error *error = alloc_array(device_count + 1, sizeof **out, out);
    for (size_t i = 0; i < device_count && !error; i++)
        error = read_device(options, i, channels, &(*out)[i]);
    alloc_free(channels);
    if (error) {
        host_callbacks_release(*out, device_count);
        *out = NULL;
    }
    return error;
}

void host_callbacks_release(struct host_transfer **hosts, size_t device_count)
{
    for (size_t i = 0; hosts && i < device_count; i++)
        host_transfer_release(hosts[i]);
    alloc_free(hosts);
}
