/* ucx_messages.c: see ucx_messages.h. */
#include "devices/host/net/ucx/ucx_messages.h"

#include <string.h>

struct transport_request { /* in UCX's memory of a request; zeros when it begins */
    transport_done *done;
    void *context;
    struct transport_request **link, *next; /* in transport.requests: what points to it */
    bool is_complete; /* inside of the call that began it, when `done` is not set yet */
    ucs_status_t status;
    uint64_t size;
};

size_t ucx_messages_request_size(void)
{
    return sizeof(struct transport_request);
}

void ucx_messages_request_init(void *memory)
{
    memset(memory, 0, sizeof(struct transport_request));
}

static enum transport_status status_of(ucs_status_t status)
{
    switch (status) {
    case UCS_OK: return TRANSPORT_DONE;
    case UCS_ERR_CANCELED: return TRANSPORT_CANCELLED;
    case UCS_ERR_MESSAGE_TRUNCATED: return TRANSPORT_TRUNCATED;
    default: return TRANSPORT_LOST;
    }
}

/* ---- requests -------------------------------------------------------------------------------- */
static void add_request(struct transport *transport, struct transport_request *request)
{
    request->next = transport->requests;
    request->link = &transport->requests;
    if (request->next)
        request->next->link = &request->next;
    transport->requests = request;
}

static void remove_request(struct transport_request *request)
{
    *request->link = request->next;
    if (request->next)
        request->next->link = request->link;
}

static void finish(struct transport_request *request, ucs_status_t status, uint64_t size)
{
    transport_done *done = request->done;
    void *context = request->context;
    if (!done) {
        request->is_complete = true;
        request->status = status;
        request->size = size;
        return;
    }
    if (request->link)
        remove_request(request);
    ucx_messages_request_init(request);
    ucp_request_free(request);
    done(context, status_of(status), size);
}

static void on_sent(void *request, ucs_status_t status, void *user_data)
{
    (void)user_data;
    finish(request, status, 0);
}

static void on_received(void *request, ucs_status_t status, const ucp_tag_recv_info_t *info,
                        void *user_data)
{
    (void)user_data;
    finish(request, status, info->length);
}

/* ---- messages -------------------------------------------------------------------------------- */
struct message { /* to send or to receive */
    struct transport *transport;
    struct transport_peer *peer; /* NULL: receive */
    uint64_t tag, size;
    void *data;
    ucs_status_ptr_t made; /* what UCX's function returned */
};

static void begin(void *context)
{
    struct message *m = context;
    ucp_request_param_t param = {.op_attr_mask =
                                     UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FLAG_NO_IMM_CMPL};
    if (m->peer) {
        param.cb.send = on_sent;
        m->made = (m->size > TRANSPORT_AHEAD ? ucp_tag_send_sync_nbx : ucp_tag_send_nbx)(
            m->peer->endpoint, m->data, m->size, m->tag, &param);
    } else {
        param.cb.recv = on_received;
        m->made =
            ucp_tag_recv_nbx(m->transport->worker, m->data, m->size, m->tag, UINT64_MAX, &param);
    }
}

static struct transport_request *start(struct message *message, transport_done *done, void *context)
{
    enum transport_status failed_status = TRANSPORT_LOST;
    bool works = ucx_call(message->transport, begin, message);
    if (works && !UCS_PTR_IS_PTR(message->made))
        failed_status = status_of(UCS_PTR_STATUS(message->made));
    if (!works || !UCS_PTR_IS_PTR(message->made)) {
        done(context, failed_status, 0);
        return NULL;
    }
    struct transport_request *request = message->made;
    request->done = done;
    request->context = context;
    if (!request->is_complete) {
        add_request(message->transport, request);
        return request;
    }
    finish(request, request->status, request->size);
    return NULL;
}

struct transport_request *ucx_messages_send(struct transport_peer *peer, uint64_t tag,
                                            const void *data, uint64_t size, transport_done *done,
                                            void *context)
{
    struct message message = {.transport = peer->transport,
                              .peer = peer,
                              .tag = tag,
                              .size = size,
                              .data = (void *)(uintptr_t)data};
    if (!peer->is_lost)
        return start(&message, done, context);
    done(context, TRANSPORT_LOST, 0);
    return NULL;
}

struct transport_request *ucx_messages_receive(struct transport *transport, uint64_t tag,
                                               void *data, uint64_t size, transport_done *done,
                                               void *context)
{
    struct message message = {.transport = transport, .tag = tag, .size = size, .data = data};
    return start(&message, done, context);
}

void ucx_messages_cancel(struct transport *transport, struct transport_request *request)
{
    if (!transport->is_broken)
        ucp_request_cancel(transport->worker, request);
}

void ucx_messages_lose(struct transport *transport)
{
    struct transport_request *request = transport->requests;
    transport->requests = NULL;
    for (struct transport_request *next; request; request = next) {
        next = request->next;
        request->done(request->context, TRANSPORT_LOST, 0);
    }
}
