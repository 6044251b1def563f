/* transport_ucx.c: see transport_ucx.h. UCX is linked statically and
 * hidden.
 */
#include "devices/host/net/ucx/transport_ucx.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "devices/host/net/ucx/ucx_guard.h"
#include "devices/host/net/ucx/ucx_near.h"
#include "devices/host/net/ucx/ucx_process.h"
#include "devices/host/net/ucx/ucx_sockets.h"
#include "version.h"

enum {
    CLOSE_MILLISECONDS = 500,
    LAST_STEPS = 4096 /* of the worker, which read what a process has sent before it ended */
};

struct transport_peer {
    struct transport *transport;
    struct transport_peer *next;
    ucp_ep_h endpoint; /* NULL: the process could not be reached, or has ended */
    void (*lost)(void *context);
    void *context;
    int watch; /* ucx_near.h */
    bool is_lost;
};

struct transport {
    ucp_context_h context;
    ucp_worker_h worker;
    struct transport_peer *peers;
    struct transport_request *requests; /* that are not complete */
    int fd;                             /* of epoll: UCX's own, and watched processes */
    bool is_broken; /* UCX has failed (ucx_guard.h): it is not called any more */
};

struct transport_request { /* in UCX's memory of a request; zeros when it begins */
    transport_done *done;
    void *context;
    struct transport_request **link, *next; /* in transport.requests: what points to it */
    bool is_complete; /* inside of the call that began it, when `done` is not set yet */
    ucs_status_t status;
    uint64_t size;
};

static struct error *failed(const char *what, ucs_status_t status)
{
    return ERROR(UNAVAILABLE, "the network between processes: %s: %s", what,
                 ucs_status_string(status));
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

/* ---- creation -------------------------------------------------------------------------------- */
static void request_init(void *memory)
{
    memset(memory, 0, sizeof(struct transport_request));
}

struct choice { /* of the user's settings where NULL */
    const char *interface, *transports;
};

static struct error *configure(const struct choice *choice, ucp_config_t **out)
{
    ucs_status_t status = ucp_config_read(NULL, NULL, out);
    if (status == UCS_OK && choice->interface)
        status = ucp_config_modify(*out, "NET_DEVICES", choice->interface);
    if (status == UCS_OK && choice->transports)
        status = ucp_config_modify(*out, "TLS", choice->transports);
    return status == UCS_OK ? NULL : failed("reading UCX's settings", status);
}

static struct error *create_context(const struct choice *choice, ucp_context_h *out)
{
    ucp_config_t *config;
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_REQUEST_SIZE |
                                         UCP_PARAM_FIELD_REQUEST_INIT | UCP_PARAM_FIELD_NAME,
                           .features = UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP,
                           .request_size = sizeof(struct transport_request),
                           .request_init = request_init,
                           .name = "gantry"};
    TRY(configure(choice, &config));
    ucs_status_t status = ucp_init(&params, config, out);
    ucp_config_release(config);
    return status == UCS_OK ? NULL : failed("ucp_init", status);
}

static struct error *create_worker(struct transport *transport)
{
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    struct epoll_event event = {.events = EPOLLIN};
    int own;
    ucs_status_t status = ucp_worker_create(transport->context, &params, &transport->worker);
    if (status == UCS_OK)
        status = ucp_worker_get_efd(transport->worker, &own);
    if (status == UCS_OK && epoll_ctl(transport->fd, EPOLL_CTL_ADD, own, &event))
        status = UCS_ERR_IO_ERROR;
    return status == UCS_OK ? NULL : failed("ucp_worker_create", status);
}

static void ucx_close(struct transport *transport);

/* *out is owned: ucx_close(). */
static struct error *open_with(const struct choice *choice, struct transport **out)
{
    struct transport *transport;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *transport, &transport));
    transport->fd = epoll_create1(EPOLL_CLOEXEC);
    struct error *error = create_context(choice, &transport->context);
    if (!error)
        error = create_worker(transport);
    if (error)
        ucx_close(transport);
    else
        *out = transport;
    return error;
}

static struct error *ucx_init(const char *interface, struct transport **out)
{
    struct choice choice = {.interface = interface};
    struct error *error = open_with(&choice, out);
    if (!error || !ucx_process_shares_memory())
        return error;
    LOG(INFO,
        "processes on this machine exchange messages over TCP, since there is no shared "
        "memory for them, about 1 MB in /dev/shm: %s",
        error_message(error, NULL));
    error_free(error);
    choice.transports = UCX_PROCESS_TCP;
    return open_with(&choice, out);
}

/* What a transport's address consists of; UCX's two addresses of the worker follow: the one with
 * all transports, and that for processes which cannot share memory. */
struct address_head {
    struct ucx_identity identity;
    uint64_t whole_size;
};

static struct error *pack_address(struct transport *transport, const ucp_worker_attr_t *whole,
                                  char **bytes, size_t *size)
{
    ucp_worker_attr_t remote = {.field_mask = UCP_WORKER_ATTR_FIELD_ADDRESS |
                                              UCP_WORKER_ATTR_FIELD_ADDRESS_FLAGS,
                                .address_flags = UCP_WORKER_ADDRESS_FLAG_NET_ONLY};
    ucs_status_t status = ucp_worker_query(transport->worker, &remote);
    if (status != UCS_OK)
        return failed("ucp_worker_query", status);
    struct address_head head = {.whole_size = whole->address_length};
    ucx_near_identify(&head.identity);
    *size = sizeof head + whole->address_length + remote.address_length;
    struct error *error = alloc_bytes(*size, bytes);
    if (!error) {
        memcpy(*bytes, &head, sizeof head);
        memcpy(*bytes + sizeof head, whole->address, whole->address_length);
        memcpy(*bytes + sizeof head + whole->address_length, remote.address, remote.address_length);
    }
    ucp_worker_release_address(transport->worker, remote.address);
    return error;
}

static struct error *ucx_address(struct transport *transport, void **bytes, size_t *size)
{
    ucp_worker_attr_t whole = {.field_mask = UCP_WORKER_ATTR_FIELD_ADDRESS};
    ucs_status_t status = ucp_worker_query(transport->worker, &whole);
    *bytes = NULL;
    if (status != UCS_OK)
        return failed("ucp_worker_query", status);
    struct error *error = pack_address(transport, &whole, (char **)bytes, size);
    ucp_worker_release_address(transport->worker, whole.address);
    return error;
}

/* *out: UCX's address by which this process reaches the other one; borrowed. */
static struct error *unpack_address(const char *bytes, size_t size, struct ucx_identity *identity,
                                    const void **out)
{
    struct address_head head;
    if (size > sizeof head)
        memcpy(&head, bytes, sizeof head);
    if (size <= sizeof head || !head.whole_size || head.whole_size >= size - sizeof head)
        return ERROR(INVALID_ARGUMENT, "%zu bytes are not the address of a process", size);
    *identity = head.identity;
    *out = bytes + sizeof head + (ucx_near_shares(identity) ? 0 : head.whole_size);
    return NULL;
}

static void ucx_listens(struct transport *transport, char *out, size_t capacity)
{
    (void)transport; /* sockets are the process's */
    ucx_sockets_listening(out, capacity);
}

/* ---- failures ------------------------------------------------------------------------------- */
static void on_error(void *argument, ucp_ep_h endpoint, ucs_status_t status)
{
    struct transport_peer *peer = argument;
    (void)endpoint, (void)status;
    if (!peer->is_lost)
        peer->lost(peer->context);
    peer->is_lost = true;
}

/* Ends everything that cannot end any more by itself. */
static void break_down(struct transport *transport)
{
    struct transport_request *request = transport->requests;
    LOG(WARNING, "UCX has failed: this process cannot communicate with the others of its job any "
                 "more (GANTRY_LOG=info has the reason)");
    transport->is_broken = true;
    transport->requests = NULL;
    for (struct transport_peer *peer = transport->peers; peer; peer = peer->next)
        on_error(peer, peer->endpoint, UCS_ERR_IO_ERROR);
    for (struct transport_request *next; request; request = next) {
        next = request->next;
        request->done(request->context, TRANSPORT_LOST, 0);
    }
}

/* Calls UCX, unless it has failed. */
static bool call(struct transport *transport, void (*work)(void *context), void *context)
{
    if (transport->is_broken)
        return false;
    bool works = ucx_guard_run(work, context);
    if (!works)
        break_down(transport);
    return works;
}

static void close_endpoint(void *endpoint)
{
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_EP_CLOSE_FLAG_FORCE};
    ucs_status_ptr_t request = ucp_ep_close_nbx(endpoint, &param);
    if (UCS_PTR_IS_PTR(request))
        ucp_request_free(request);
}

static void unwatch(struct transport_peer *peer)
{
    ucx_near_unwatch(peer->transport->fd, &peer->watch);
}

static void ucx_abandon(struct transport_peer *peer)
{
    ucp_ep_h endpoint = peer->endpoint;
    unwatch(peer);
    peer->is_lost = true;
    peer->endpoint = NULL;
    if (endpoint)
        call(peer->transport, close_endpoint, endpoint);
}

static bool ucx_progress(struct transport *transport);

/* Reports the watched processes that have ended; false: none has. */
static bool report_ended(struct transport *transport)
{
    struct transport_peer *peer = ucx_near_ended(transport->fd);
    if (!peer)
        return false;
    for (int i = 0; i < LAST_STEPS && ucx_progress(transport); i++)
        continue;
    for (; peer; peer = ucx_near_ended(transport->fd)) {
        on_error(peer, peer->endpoint, UCS_ERR_ENDPOINT_TIMEOUT);
        ucx_abandon(peer);
    }
    return true;
}

/* ---- peers ----------------------------------------------------------------------------------- */
struct connection {
    struct transport_peer *peer;
    const void *address;
    ucs_status_t status;
};

static void create_endpoint(void *context)
{
    struct connection *connection = context;
    struct transport_peer *peer = connection->peer;
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                            UCP_EP_PARAM_FIELD_ERR_HANDLER,
                              .address = connection->address,
                              .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                              .err_handler = {.cb = on_error, .arg = peer}};
    connection->status = ucp_ep_create(peer->transport->worker, &params, &peer->endpoint);
}

static struct error *ucx_connect(struct transport *transport, const void *address, size_t size,
                                 void (*lost)(void *context), void *context,
                                 struct transport_peer **out)
{
    struct transport_peer *peer;
    *out = NULL;
    struct connection connection = {.status = UCS_ERR_UNREACHABLE};
    struct ucx_identity identity;
    bool has_ended;
    TRY(unpack_address(address, size, &identity, &connection.address));
    TRY(alloc_zeroed(sizeof *peer, &peer));
    *peer = (struct transport_peer){
        .transport = transport, .next = transport->peers, .lost = lost, .context = context};
    connection.peer = peer;
    struct error *error = ucx_near_watch(transport->fd, &identity, peer, &peer->watch, &has_ended);
    if (!error && !has_ended)
        call(transport, create_endpoint, &connection);
    if (!error && connection.status != UCS_OK && connection.status != UCS_ERR_UNREACHABLE)
        error = failed("connecting to a process", connection.status);
    if (error) {
        unwatch(peer);
        alloc_free(peer);
        return error;
    }
    *out = transport->peers = peer;
    if (connection.status != UCS_OK)
        on_error(peer, NULL, connection.status);
    return NULL;
}

/* ---- messages -------------------------------------------------------------------------------- */
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
    request_init(request);
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
        m->made = ucp_tag_send_nbx(m->peer->endpoint, m->data, m->size, m->tag, &param);
    } else {
        param.cb.recv = on_received;
        m->made =
            ucp_tag_recv_nbx(m->transport->worker, m->data, m->size, m->tag, UINT64_MAX, &param);
    }
}

static struct transport_request *start(struct message *message, transport_done *done, void *context)
{
    enum transport_status failed_status = TRANSPORT_LOST;
    bool works = call(message->transport, begin, message);
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

static struct transport_request *ucx_isend(struct transport_peer *peer, uint64_t tag,
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

static struct transport_request *ucx_irecv(struct transport *transport, uint64_t tag, void *data,
                                           uint64_t size, transport_done *done, void *context)
{
    struct message message = {.transport = transport, .tag = tag, .size = size, .data = data};
    return start(&message, done, context);
}

struct progress {
    ucp_worker_h worker;
    bool did;
};

static void progress(void *context)
{
    struct progress *progress = context;
    progress->did = ucp_worker_progress(progress->worker) != 0;
}

static bool ucx_progress(struct transport *transport)
{
    struct progress work = {.worker = transport->worker};
    return call(transport, progress, &work) && work.did;
}

static void ucx_cancel(struct transport *transport, struct transport_request *request)
{
    if (!transport->is_broken)
        ucp_request_cancel(transport->worker, request);
}

static void ucx_check(struct transport *transport)
{
    (void)transport;
    ucx_sockets_check();
}

static bool ucx_arm(struct transport *transport)
{
    bool has_ended = report_ended(transport);
    return !has_ended && (transport->is_broken || ucp_worker_arm(transport->worker) == UCS_OK);
}

static int ucx_fd(struct transport *transport)
{
    return transport->fd;
}

static void ucx_wake(struct transport *transport)
{
    if (!transport->is_broken)
        ucp_worker_signal(transport->worker);
}

/* ---- the end --------------------------------------------------------------------------------- */
static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

static void await_request(struct transport *transport, ucs_status_ptr_t request, int64_t limit)
{
    if (!UCS_PTR_IS_PTR(request))
        return;
    while (ucp_request_check_status(request) == UCS_INPROGRESS && now_ms() < limit)
        ucp_worker_progress(transport->worker);
    ucp_request_free(request);
}

/* Until the system has taken what is on its way. */
static void flush_peers(struct transport *transport, int64_t limit)
{
    ucp_request_param_t param = {0};
    for (struct transport_peer *peer = transport->peers; peer; peer = peer->next)
        if (!peer->is_lost)
            await_request(transport, ucp_ep_flush_nbx(peer->endpoint, &param), limit);
}

static void close_peers(struct transport *transport)
{
    int64_t limit = now_ms() + CLOSE_MILLISECONDS;
    flush_peers(transport, limit - CLOSE_MILLISECONDS / 2);
    while (transport->peers) {
        struct transport_peer *peer = transport->peers;
        ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                     .flags = UCP_EP_CLOSE_FLAG_FORCE};
        transport->peers = peer->next;
        peer->is_lost = true;
        unwatch(peer);
        if (peer->endpoint)
            await_request(transport, ucp_ep_close_nbx(peer->endpoint, &param), limit);
        alloc_free(peer);
    }
}

static void close_all(void *context)
{
    struct transport *transport = context;
    if (transport->worker) {
        close_peers(transport);
        ucp_worker_destroy(transport->worker);
    }
    if (transport->context)
        ucp_cleanup(transport->context);
}

/* What UCX has of a transport that is broken stays as it is. */
static void ucx_close(struct transport *transport)
{
    call(transport, close_all, transport);
    for (struct transport_peer *next, *peer = transport->peers; peer; peer = next) {
        next = peer->next;
        unwatch(peer);
        alloc_free(peer);
    }
    if (transport->fd >= 0)
        close(transport->fd);
    alloc_free(transport);
}

const char *net_build(void)
{
    return GANTRY_BUILD_ID;
}

const struct transport_ops *net_transport(void)
{
    static const struct transport_ops ops = {.init = ucx_init,
                                             .address = ucx_address,
                                             .listens = ucx_listens,
                                             .connect = ucx_connect,
                                             .isend = ucx_isend,
                                             .irecv = ucx_irecv,
                                             .progress = ucx_progress,
                                             .cancel = ucx_cancel,
                                             .abandon = ucx_abandon,
                                             .check = ucx_check,
                                             .arm = ucx_arm,
                                             .fd = ucx_fd,
                                             .wake = ucx_wake,
                                             .close = ucx_close};
    return &ops;
}
