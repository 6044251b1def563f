/* ucx_sockets.c: see ucx_sockets.h. The linker's --wrap gives UCX's calls of the C library to these
 * functions. What a connection is waiting for is read from the system (TCP_INFO, see tcp(7)). */
#include "devices/host/net/ucx/ucx_sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <ucs/type/status.h>

enum {
    KEEP_IDLE = 2, /* seconds without data until the system asks the peer's system for a sign */
    KEEP_INTERVAL = 1,
    KEEP_COUNT = 5,     /* questions without an answer that end an idle connection */
    CONNECT_TRIES = 2,  /* repeated, after 1 and 3 seconds; the connection fails after 7 */
    SILENCE_MS = 6000,  /* without a sign of the peer's system, of a connection with data */
    LEAST_REPEATED = 3, /* sendings of the same data */
    MAX_SOCKETS = 1 << 16
};

int __real_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol);
int __real_accept(int listener, struct sockaddr *address, socklen_t *size);
int __wrap_accept(int listener, struct sockaddr *address, socklen_t *size);
int __real_close(int file);
int __wrap_close(int file);
ucs_status_t __real_ucs_socket_send(int file, const void *data, size_t size);
ucs_status_t __wrap_ucs_socket_send(int file, const void *data, size_t size);
ucs_status_t __real_ucs_socket_send_nb(int file, const void *data, size_t *size);
ucs_status_t __wrap_ucs_socket_send_nb(int file, const void *data, size_t *size);
ucs_status_t __real_ucs_socket_sendv_nb(int file, struct iovec *parts, size_t count, size_t *size);
ucs_status_t __wrap_ucs_socket_sendv_nb(int file, struct iovec *parts, size_t count, size_t *size);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_socket[MAX_SOCKETS]; /* by descriptor */
static int end;                     /* after the largest descriptor */

static void mark(int file, bool is_one)
{
    if (file < 0 || file >= MAX_SOCKETS)
        return;
    pthread_mutex_lock(&lock);
    is_socket[file] = is_one;
    if (is_one && file >= end)
        end = file + 1;
    pthread_mutex_unlock(&lock);
}

static void set(int file, int level, int option, int value)
{
    setsockopt(file, level, option, &value, sizeof value); /* a socket without it works, too */
}

static int adopt(int file)
{
    if (file < 0)
        return file;
    set(file, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(file, IPPROTO_TCP, TCP_KEEPIDLE, KEEP_IDLE);
    set(file, IPPROTO_TCP, TCP_KEEPINTVL, KEEP_INTERVAL);
    set(file, IPPROTO_TCP, TCP_KEEPCNT, KEEP_COUNT);
    set(file, IPPROTO_TCP, TCP_SYNCNT, CONNECT_TRIES);
    mark(file, true);
    return file;
}

int __wrap_socket(int domain, int type, int protocol)
{
    int file = __real_socket(domain, type, protocol);
    return (domain == AF_INET || domain == AF_INET6) && type & SOCK_STREAM ? adopt(file) : file;
}

int __wrap_accept(int listener, struct sockaddr *address, socklen_t *size)
{
    return adopt(__real_accept(listener, address, size));
}

int __wrap_close(int file)
{
    mark(file, false);
    return __real_close(file);
}

/* UCX's first messages of a connection. */
ucs_status_t __wrap_ucs_socket_send(int file, const void *data, size_t size)
{
    if (__real_ucs_socket_send(file, data, size) != UCS_OK)
        shutdown(file, SHUT_RDWR);
    return UCS_OK;
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
    return sent(file, __real_ucs_socket_send_nb(file, data, size), size);
}

ucs_status_t __wrap_ucs_socket_sendv_nb(int file, struct iovec *parts, size_t count, size_t *size)
{
    return sent(file, __real_ucs_socket_sendv_nb(file, parts, count, size), size);
}

/* Writes the address at which a socket accepts connections; 0: it is not such a socket. */
static int print_listening(int file, char *out, size_t capacity)
{
    struct sockaddr_storage address;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    int listens = 0;
    socklen_t flag = sizeof listens, size = sizeof address;
    if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &flag) || !listens ||
        getsockname(file, (struct sockaddr *)&address, &size) ||
        getnameinfo((struct sockaddr *)&address, size, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return 0;
    return snprintf(out, capacity, address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

void ucx_sockets_listening(char *out, size_t capacity)
{
    size_t used = 0;
    *out = '\0';
    pthread_mutex_lock(&lock);
    for (int file = 0; file < end && used + 2 < capacity; file++) {
        size_t comma = used ? 2 : 0;
        int size = is_socket[file]
                       ? print_listening(file, out + used + comma, capacity - used - comma)
                       : 0;
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

void ucx_sockets_check(void)
{
    pthread_mutex_lock(&lock);
    for (int file = 0; file < end; file++)
        if (is_socket[file] && is_cut(file))
            shutdown(file, SHUT_RDWR);
    pthread_mutex_unlock(&lock);
}
