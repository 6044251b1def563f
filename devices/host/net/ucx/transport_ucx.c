/* transport_ucx.c: see transport_ucx.h: the transport and its peers. UCX is linked statically and
 * hidden. */
#include "devices/host/net/ucx/transport_ucx.h"

#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "devices/host/net/ucx/ucx_address.h"
#include "devices/host/net/ucx/ucx_guard.h"
#include "devices/host/net/ucx/ucx_messages.h"
#include "devices/host/net/ucx/ucx_process.h"
#include "version.h"

enum {
    CLOSE_MILLISECONDS = 500,
    LAST_STEPS = 4096 /* of the worker, which read what a process has sent before it ended */
};

struct error *ucx_error(const char *what, ucs_status_t status)
{
    return ERROR(UNAVAILABLE, "the network between processes: %s: %s", what,
                 ucs_status_string(status));
}

/* ---- creation -------------------------------------------------------------------------------- */
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
    return status == UCS_OK ? NULL : ucx_error("reading UCX's settings", status);
}

static struct error *create_context(const struct choice *choice, ucp_context_h *out)
{
    ucp_config_t *config;
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_REQUEST_SIZE |
                                         UCP_PARAM_FIELD_REQUEST_INIT | UCP_PARAM_FIELD_NAME,
                           .features = UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP,
                           .request_size = ucx_messages_request_size(),
                           .request_init = ucx_messages_request_init,
                           .name = "gantry"};
    TRY(configure(choice, &config));
    ucs_status_t status = ucp_init(&params, config, out);
    ucp_config_release(config);
    return status == UCS_OK ? NULL : ucx_error("ucp_init", status);
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
    return status == UCS_OK ? NULL : ucx_error("ucp_worker_create", status);
}

static void ucx_close(struct transport *transport);

/* *out is owned: ucx_close(). */
static struct error *open_with(const struct choice *choice, struct transport **out)
{
    struct transport *transport;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *transport, &transport));
    transport->fd = epoll_create1(EPOLL_CLOEXEC);
    const struct ucx_job *outer = ucx_sockets_enter(&transport->job);
    struct error *error = create_context(choice, &transport->context);
    if (!error)
        error = create_worker(transport);
    ucx_sockets_enter(outer);
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

static struct error *ucx_address(struct transport *transport, void **bytes, size_t *size)
{
    return ucx_address_make(transport->worker, bytes, size);
}

static void ucx_admit(struct transport *transport, const uint8_t token[NET_TOKEN])
{
    ucx_sockets_know(&transport->job, token);
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
    LOG(WARNING, "UCX has failed: this process cannot communicate with the others of its job any "
                 "more (GANTRY_LOG=info has the reason)");
    transport->is_broken = true;
    for (struct transport_peer *peer = transport->peers; peer; peer = peer->next)
        on_error(peer, peer->endpoint, UCS_ERR_IO_ERROR);
    ucx_messages_lose(transport);
}

bool ucx_call(struct transport *transport, void (*work)(void *context), void *context)
{
    if (transport->is_broken)
        return false;
    const struct ucx_job *outer = ucx_sockets_enter(&transport->job);
    bool works = ucx_guard_run(work, context);
    ucx_sockets_enter(outer);
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
        ucx_call(peer->transport, close_endpoint, endpoint);
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
    void *address; /* owned */
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
    TRY(ucx_address_read(address, size, &identity, &connection.address));
    struct error *error = alloc_zeroed(sizeof *peer, &peer);
    if (error) {
        alloc_free(connection.address);
        return error;
    }
    *peer = (struct transport_peer){
        .transport = transport, .next = transport->peers, .lost = lost, .context = context};
    connection.peer = peer;
    error = ucx_near_watch(transport->fd, &identity, peer, &peer->watch, &has_ended);
    if (!error && !has_ended)
        ucx_call(transport, create_endpoint, &connection);
    alloc_free(connection.address);
    if (!error && connection.status != UCS_OK && connection.status != UCS_ERR_UNREACHABLE &&
        !ucx_near_is_gone(peer->watch))
        error = ucx_error("connecting to a process", connection.status);
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
    return ucx_call(transport, progress, &work) && work.did;
}

static void ucx_check(struct transport *transport)
{
    ucx_sockets_check(&transport->job);
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
    ucx_call(transport, close_all, transport);
    for (struct transport_peer *next, *peer = transport->peers; peer; peer = next) {
        next = peer->next;
        unwatch(peer);
        alloc_free(peer);
    }
    if (transport->fd >= 0)
        close(transport->fd);
    ucx_sockets_forget(&transport->job);
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
                                             .reads = ucx_address_opens,
                                             .admit = ucx_admit,
                                             .listens = ucx_listens,
                                             .connect = ucx_connect,
                                             .isend = ucx_messages_send,
                                             .irecv = ucx_messages_receive,
                                             .progress = ucx_progress,
                                             .cancel = ucx_messages_cancel,
                                             .abandon = ucx_abandon,
                                             .check = ucx_check,
                                             .arm = ucx_arm,
                                             .fd = ucx_fd,
                                             .wake = ucx_wake,
                                             .close = ucx_close};
    return &ops;
}
