/* ucx_sockets.c: see ucx_sockets.h. The linker's --wrap gives UCX's calls of the C library to these
 * functions. What a connection is waiting for is read from the system (TCP_INFO, see tcp(7)). */
#include "devices/host/net/ucx/ucx_sockets.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <ucs/type/status.h>

#include "base/alloc.h"
#include "base/log.h"
#include "devices/host/net/net_proof.h"

enum {
    KEEP_IDLE = 2, /* seconds without data until the system asks the peer's system for a sign */
    KEEP_INTERVAL = 1,
    KEEP_COUNT = 5,     /* questions without an answer that end an idle connection */
    CONNECT_TRIES = 2,  /* repeated, after 1 and 3 seconds; the connection fails after 7 */
    SILENCE_MS = 6000,  /* without a sign of the peer's system, of a connection with data */
    LEAST_REPEATED = 3, /* sendings of the same data */
    MAX_SOCKETS = 1 << 16,
    FIRST_BYTES = 256, /* that UCX sends to connect: it has less than 100 */
    ADDRESS_TEXT = NI_MAXHOST + NI_MAXSERV + 4
};

int __real_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol);
int __real_accept(int listener, struct sockaddr *address, socklen_t *size);
int __wrap_accept(int listener, struct sockaddr *address, socklen_t *size);
int __real_close(int file);
int __wrap_close(int file);
ucs_status_t __real_ucs_socket_recv_nb(int file, void *data, size_t *size);
ucs_status_t __wrap_ucs_socket_recv_nb(int file, void *data, size_t *size);
ucs_status_t __real_ucs_socket_send(int file, const void *data, size_t size);
ucs_status_t __wrap_ucs_socket_send(int file, const void *data, size_t size);
ucs_status_t __real_ucs_socket_send_nb(int file, const void *data, size_t *size);
ucs_status_t __wrap_ucs_socket_send_nb(int file, const void *data, size_t *size);
ucs_status_t __real_ucs_socket_sendv_nb(int file, struct iovec *parts, size_t count, size_t *size);
ucs_status_t __wrap_ucs_socket_sendv_nb(int file, struct iovec *parts, size_t count, size_t *size);

struct ucx_socket {
    const struct ucx_job *job; /* NULL: its transport is closed */
    struct net_proof proof;
    size_t kept_size; /* sent when the proofs hold */
    char kept[FIRST_BYTES];
    int checks; /* without a proof */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ucx_socket *sockets[MAX_SOCKETS]; /* by descriptor; owned; NULL: none of UCX's */
static atomic_bool is_proven[MAX_SOCKETS];      /* the proofs of both ends hold */
static int end;                                 /* after the largest descriptor */
static _Thread_local const struct ucx_job *current;

/* ---- the table ------------------------------------------------------------------------------- */
const struct ucx_job *ucx_sockets_enter(const struct ucx_job *job)
{
    const struct ucx_job *before = current;
    current = job;
    return before;
}

void ucx_sockets_know(struct ucx_job *job, const uint8_t token[NET_TOKEN])
{
    pthread_mutex_lock(&lock);
    memcpy(job->token, token, NET_TOKEN);
    job->is_known = true;
    pthread_mutex_unlock(&lock);
}

static bool holds(int file)
{
    return file >= 0 && file < MAX_SOCKETS &&
           atomic_load_explicit(&is_proven[file], memory_order_acquire);
}

/* Requires the lock. */
static struct ucx_socket *find(int file)
{
    return file >= 0 && file < MAX_SOCKETS ? sockets[file] : NULL;
}

/* `socket` becomes the table's; NULL: the descriptor is none of UCX's any more. */
static void put(int file, struct ucx_socket *socket)
{
    if (file < 0 || file >= MAX_SOCKETS)
        return;
    pthread_mutex_lock(&lock);
    struct ucx_socket *before = sockets[file];
    atomic_store(&is_proven[file], false);
    sockets[file] = socket;
    if (socket && file >= end)
        end = file + 1;
    pthread_mutex_unlock(&lock);
    alloc_free(before);
}

void ucx_sockets_forget(const struct ucx_job *job)
{
    pthread_mutex_lock(&lock);
    for (int file = 0; file < end; file++)
        if (sockets[file] && sockets[file]->job == job) {
            sockets[file]->job = NULL;
            atomic_store(&is_proven[file], false);
        }
    pthread_mutex_unlock(&lock);
}

/* Returns its length; 0: it has no text. */
static int print_address(const struct sockaddr_storage *address, socklen_t size, char *out,
                         size_t capacity)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getnameinfo((const struct sockaddr *)address, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return 0;
    return snprintf(out, capacity, address->ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
                    port);
}

/* ---- opening --------------------------------------------------------------------------------- */
static void set(int file, int level, int option, int value)
{
    setsockopt(file, level, option, &value, sizeof value); /* a socket without it works, too */
}

static void keep_alive(int file)
{
    set(file, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(file, IPPROTO_TCP, TCP_KEEPIDLE, KEEP_IDLE);
    set(file, IPPROTO_TCP, TCP_KEEPINTVL, KEEP_INTERVAL);
    set(file, IPPROTO_TCP, TCP_KEEPCNT, KEEP_COUNT);
    set(file, IPPROTO_TCP, TCP_SYNCNT, CONNECT_TRIES);
}

/* The first bytes of a connection, for which the system always has room. */
static bool send_whole(int file, const void *bytes, size_t size)
{
    return !size || send(file, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

static bool add(int file, const struct ucx_job *job, bool accepts)
{
    struct ucx_socket *socket;
    struct net_proof_bytes greeting;
    if (file >= MAX_SOCKETS || (accepts && !job))
        return false;
    struct error *error = alloc_zeroed(sizeof *socket, &socket);
    error_free(error);
    if (error)
        return false;
    socket->job = job;
    bool works = net_proof_begin(&socket->proof, accepts, &greeting) &&
                 send_whole(file, greeting.bytes, greeting.size);
    if (works)
        put(file, socket);
    else
        alloc_free(socket);
    return works;
}

/* A socket that cannot be added is closed; `failure`: the error of the system that UCX sees. */
static int adopt(int file, const struct ucx_job *job, bool accepts, int failure)
{
    if (file < 0)
        return file;
    keep_alive(file);
    if (add(file, job, accepts))
        return file;
    __real_close(file);
    errno = failure;
    return -1;
}

int __wrap_socket(int domain, int type, int protocol)
{
    int file = __real_socket(domain, type, protocol);
    bool is_one = (domain == AF_INET || domain == AF_INET6) && type & SOCK_STREAM;
    return is_one ? adopt(file, current, false, EMFILE) : file;
}

/* In UCX's own thread. After a failure other than EAGAIN, UCX would accept no more connections. */
int __wrap_accept(int listener, struct sockaddr *address, socklen_t *size)
{
    int file = __real_accept(listener, address, size);
    pthread_mutex_lock(&lock);
    const struct ucx_socket *one = find(listener);
    const struct ucx_job *job = one ? one->job : NULL;
    pthread_mutex_unlock(&lock);
    return adopt(file, job, true, EAGAIN);
}

int __wrap_close(int file)
{
    put(file, NULL);
    return __real_close(file);
}

/* ---- proofs ---------------------------------------------------------------------------------- */
/* Requires the lock. NO_PROGRESS: the proofs are not complete; REJECTED: one is wrong. */
static ucs_status_t continue_proof(int file, struct ucx_socket *socket)
{
    enum net_proof_result result = NET_PROOF_GOES_ON;
    while (result == NET_PROOF_GOES_ON) {
        struct net_proof_bytes answer;
        size_t size;
        void *next = net_proof_next(&socket->proof, &size);
        ucs_status_t status = __real_ucs_socket_recv_nb(file, next, &size);
        if (status != UCS_OK)
            return status;
        result = net_proof_take(&socket->proof, size, socket->job->token, &answer);
        if (result == NET_PROOF_FAILS || !send_whole(file, answer.bytes, answer.size))
            return UCS_ERR_REJECTED;
    }
    return send_whole(file, socket->kept, socket->kept_size) ? UCS_OK : UCS_ERR_REJECTED;
}

/* Requires the lock. */
static ucs_status_t check_proof(int file)
{
    struct ucx_socket *socket = find(file);
    if (!socket || !socket->job)
        return UCS_ERR_NOT_CONNECTED;
    if (!socket->job->is_known)
        return UCS_ERR_NO_PROGRESS;
    ucs_status_t status = continue_proof(file, socket);
    atomic_store_explicit(&is_proven[file], status == UCS_OK, memory_order_release);
    return status;
}

static void report_wrong(int file)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char text[ADDRESS_TEXT];
    if (log_enabled(LOG_INFO) && !getpeername(file, (struct sockaddr *)&address, &size) &&
        print_address(&address, size, text, sizeof text))
        LOG(INFO,
            "a connection with %s was closed: the other end does not know the token of this job",
            text);
}

static ucs_status_t prove(int file)
{
    pthread_mutex_lock(&lock);
    ucs_status_t status = check_proof(file);
    pthread_mutex_unlock(&lock);
    if (status == UCS_ERR_REJECTED)
        report_wrong(file);
    if (status != UCS_OK && status != UCS_ERR_NO_PROGRESS)
        shutdown(file, SHUT_RDWR);
    return status == UCS_ERR_REJECTED ? UCS_ERR_NOT_CONNECTED : status;
}

ucs_status_t __wrap_ucs_socket_recv_nb(int file, void *data, size_t *size)
{
    ucs_status_t status = holds(file) ? UCS_OK : prove(file);
    if (status == UCS_OK)
        return __real_ucs_socket_recv_nb(file, data, size);
    *size = 0;
    return status;
}

/* ---- sending --------------------------------------------------------------------------------- */
static bool keep(int file, const void *data, size_t size)
{
    pthread_mutex_lock(&lock);
    struct ucx_socket *socket = find(file);
    bool fits = socket && size <= FIRST_BYTES - socket->kept_size;
    if (fits) {
        memcpy(socket->kept + socket->kept_size, data, size);
        socket->kept_size += size;
    }
    pthread_mutex_unlock(&lock);
    return fits;
}

/* UCX's first messages of a connection. */
ucs_status_t __wrap_ucs_socket_send(int file, const void *data, size_t size)
{
    bool works =
        holds(file) ? __real_ucs_socket_send(file, data, size) == UCS_OK : keep(file, data, size);
    if (!works)
        shutdown(file, SHUT_RDWR);
    return UCS_OK;
}

/* UCX has descriptor -1 for a connection that is closed: then sending has to fail. */
static bool may_send(int file)
{
    return file < 0 || holds(file);
}

static ucs_status_t sent(int file, ucs_status_t status, size_t *size)
{
    if (status == UCS_OK || file < 0)
        return status;
    if (status != UCS_ERR_NO_PROGRESS)
        shutdown(file, SHUT_RDWR);
    *size = 0;
    return UCS_ERR_NO_PROGRESS;
}

ucs_status_t __wrap_ucs_socket_send_nb(int file, const void *data, size_t *size)
{
    ucs_status_t status =
        may_send(file) ? __real_ucs_socket_send_nb(file, data, size) : UCS_ERR_NO_PROGRESS;
    return sent(file, status, size);
}

ucs_status_t __wrap_ucs_socket_sendv_nb(int file, struct iovec *parts, size_t count, size_t *size)
{
    ucs_status_t status =
        may_send(file) ? __real_ucs_socket_sendv_nb(file, parts, count, size) : UCS_ERR_NO_PROGRESS;
    return sent(file, status, size);
}

/* ---- looking at them ------------------------------------------------------------------------- */
/* Writes the address at which a socket accepts connections; 0: it is not such a socket. */
static int print_listening(int file, char *out, size_t capacity)
{
    struct sockaddr_storage address;
    int listens = 0;
    socklen_t flag = sizeof listens, size = sizeof address;
    if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &flag) || !listens ||
        getsockname(file, (struct sockaddr *)&address, &size))
        return 0;
    return print_address(&address, size, out, capacity);
}

void ucx_sockets_listening(char *out, size_t capacity)
{
    size_t used = 0;
    *out = '\0';
    pthread_mutex_lock(&lock);
    for (int file = 0; file < end && used + 2 < capacity; file++) {
        size_t comma = used ? 2 : 0;
        int size =
            sockets[file] ? print_listening(file, out + used + comma, capacity - used - comma) : 0;
        if (size && comma)
            memcpy(out + used, ", ", 2);
        used += size ? comma + (size_t)size : 0;
    }
    pthread_mutex_unlock(&lock);
}

static bool is_cut(int file)
{
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (getsockopt(file, IPPROTO_TCP, TCP_INFO, &info, &size) ||
        size < offsetof(struct tcp_info, tcpi_pmtu))
        return false;
    return info.tcpi_state == TCP_ESTABLISHED && info.tcpi_retransmits >= LEAST_REPEATED &&
           info.tcpi_last_ack_recv >= SILENCE_MS;
}

/* Requires the lock. */
static bool is_overdue(int file, const struct ucx_job *job)
{
    struct ucx_socket *socket = sockets[file];
    return socket->job == job && job->is_known && socket->proof.accepts && !holds(file) &&
           ++socket->checks > TRANSPORT_CHECKS;
}

void ucx_sockets_check(const struct ucx_job *job)
{
    pthread_mutex_lock(&lock);
    for (int file = 0; file < end; file++)
        if (sockets[file] && (is_overdue(file, job) || is_cut(file)))
            shutdown(file, SHUT_RDWR);
    pthread_mutex_unlock(&lock);
}
