#include "tools/job_store.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tools/job_server.h"
#include "tools/job_wire.h"
#include "tools/session.h"

enum {
    TEXT = 300,
    RETRY_MS = 100,      /* between connecting and connecting again */
    CONNECT_MS = 3000,   /* one try */
    ANSWER_SECONDS = 30, /* for the answer to a request, beside what the request waits for */
    BACKLOG = 4096,
    MAX_TIMEOUT_MS = 1 << 30
};

struct job_store {
    int file;
    char address[TEXT];
    struct job_server *server; /* NULL: another process has it */
};

/* ---- addresses ------------------------------------------------------------------------------- */
/* *out is the caller's to free (freeaddrinfo). */
static struct error *resolve(const char *address, bool passive, struct addrinfo **out)
{
    const char *colon = strrchr(address, ':');
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = passive ? AI_PASSIVE : 0};
    char host[TEXT];
    if (!colon || colon == address || !colon[1] || strlen(address) >= TEXT)
        return ERROR(INVALID_ARGUMENT, "the coordinator is '%s'; allowed: HOST:PORT", address);
    bool in_brackets = *address == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - address) - 2 * in_brackets,
             address + in_brackets);
    int status = getaddrinfo(host, colon + 1, &wanted, out);
    if (!status)
        return NULL;
    return ERROR(UNAVAILABLE,
                 "the coordinator's name '%s' has no address here: %s. Name it by the address of "
                 "the interface that the hosts share, like 10.0.0.1:%s",
                 host, gai_strerror(status), colon + 1);
}

static void allow_reuse(int file)
{
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
}

static struct error *listen_at(const char *address, int *out)
{
    struct addrinfo *found;
    int reason = EADDRNOTAVAIL;
    *out = -1;
    TRY(resolve(address, true, &found));
    for (const struct addrinfo *at = found; at && *out < 0; at = at->ai_next) {
        int file = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (file >= 0)
            allow_reuse(file);
        if (file >= 0 && !bind(file, at->ai_addr, at->ai_addrlen) && !listen(file, BACKLOG)) {
            *out = file;
            continue;
        }
        reason = errno;
        if (file >= 0)
            close(file);
    }
    freeaddrinfo(found);
    return *out >= 0 ? NULL
                     : ERROR(UNAVAILABLE,
                             "process 0 cannot listen at %s: %s. The coordinator's address is one "
                             "of host 0, and a free port there",
                             address, strerror(reason));
}

/* ---- connecting ------------------------------------------------------------------------------ */
/* Whether the connection was made in time; sets errno. */
static bool finish_connecting(int file)
{
    struct pollfd ready = {.fd = file, .events = POLLOUT};
    socklen_t size = sizeof errno;
    if (poll(&ready, 1, CONNECT_MS) <= 0) {
        errno = ETIMEDOUT;
        return false;
    }
    int reason = 0;
    getsockopt(file, SOL_SOCKET, SO_ERROR, &reason, &size);
    errno = reason;
    return !reason;
}

/* Whether the system has connected a socket to itself: where nothing listens yet, the port that it
 * chooses for this end may be the one that is looked for. */
static bool is_own_end(int file)
{
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t size = sizeof here, other = sizeof there;
    return !getsockname(file, (struct sockaddr *)&here, &size) &&
           !getpeername(file, (struct sockaddr *)&there, &other) && size == other &&
           !memcmp(&here, &there, size);
}

/* Requests end when the other side does not read them. */
static void set_up(int file)
{
    struct timeval limit = {.tv_sec = ANSWER_SECONDS};
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static int connect_once(const struct addrinfo *to)
{
    int file = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    bool fails = (connect(file, to->ai_addr, to->ai_addrlen) && errno != EINPROGRESS) ||
                 !finish_connecting(file);
    if (fails || is_own_end(file)) {
        int reason = fails ? errno : ECONNREFUSED;
        close(file);
        errno = reason;
        return -1;
    }
    set_up(file);
    return file;
}

static const char *advice(int reason)
{
    return reason == ECONNREFUSED ? "Is process 0 running, and is its port the same there?"
           : reason == ETIMEDOUT  ? "No answer: is a firewall between the hosts, or is the address "
                                    "of another network?"
                                  : "Is the address one of host 0, on a network that both share?";
}

static struct error *connect_to(const char *address, double seconds, int *out)
{
    double end = session_seconds() + seconds;
    struct addrinfo *found;
    int reason = 0;
    TRY(resolve(address, false, &found));
    for (*out = -1; *out < 0;) {
        for (const struct addrinfo *at = found; at && *out < 0; at = at->ai_next) {
            *out = connect_once(at);
            reason = errno;
        }
        if (*out >= 0 || session_seconds() > end)
            break;
        nanosleep(&(struct timespec){.tv_nsec = RETRY_MS * 1000000}, NULL);
    }
    freeaddrinfo(found);
    return *out >= 0 ? NULL
                     : ERROR(UNAVAILABLE, "process 0 was not reached at %s in %.0f s: %s. %s",
                             address, seconds, strerror(reason), advice(reason));
}

struct error *job_store_open(const char *address, bool has_it, double seconds,
                             struct job_store **out)
{
    struct job_store *store;
    int listener = -1;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *store, &store));
    store->file = -1;
    snprintf(store->address, TEXT, "%s", address);
    struct error *error = has_it ? listen_at(address, &listener) : NULL;
    if (!error && has_it)
        error = job_server_start(listener, &store->server);
    if (!error)
        error = connect_to(address, seconds, &store->file);
    if (error)
        job_store_close(store, 0);
    else
        *out = store;
    return error;
}

static void hang_up(struct job_store *store)
{
    if (store->file >= 0)
        close(store->file);
    store->file = -1;
}

void job_store_close(struct job_store *store, double seconds)
{
    if (!store)
        return;
    hang_up(store);
    job_server_stop(store->server, seconds);
    alloc_free(store);
}

/* ---- requests -------------------------------------------------------------------------------- */
/* An answer that comes later must not be taken for that to another request. */
static struct error *lost(struct job_store *store)
{
    hang_up(store);
    return ERROR(UNAVAILABLE,
                 "process 0, which has the job's store at %s, has ended or cannot be reached, or "
                 "another program listens there",
                 store->address);
}

/* Sends a request, and reads the head of its answer. */
static struct error *ask(struct job_store *store, const struct job_wire_request *request,
                         const char *key, const void *value, struct job_wire_answer *answer)
{
    struct timeval limit = {.tv_sec = ANSWER_SECONDS + request->timeout_ms / 1000};
    setsockopt(store->file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (!job_wire_write(store->file, request, sizeof *request) ||
        !job_wire_write(store->file, key, request->key_size) ||
        !job_wire_write(store->file, value, request->value_size) ||
        !job_wire_read(store->file, answer, sizeof *answer) || !job_wire_is_answer(answer) ||
        (answer->value_size && (answer->code || request->kind == JOB_WIRE_PUT)))
        return lost(store);
    return answer->code
               ? error_make((PJRT_Error_Code)answer->code, __FILE__, __LINE__,
                            "the job's store at %s refuses the key %s", store->address, key)
               : NULL;
}

struct error *job_store_put(struct job_store *store, const char *key, const void *value,
                            size_t size)
{
    struct job_wire_answer answer;
    struct job_wire_request request = {JOB_WIRE_MAGIC, JOB_WIRE_PUT, (uint32_t)strlen(key),
                                       (uint32_t)size, 0};
    if (size > JOB_WIRE_MAX_VALUE || !job_wire_is_request(&request))
        return ERROR(INVALID_ARGUMENT, "the value of %.256s has %zu bytes; allowed: %d", key, size,
                     JOB_WIRE_MAX_VALUE);
    return ask(store, &request, key, value, &answer);
}

struct error *job_store_get(struct job_store *store, const char *key, int64_t timeout_ms,
                            char **out, size_t *size)
{
    struct job_wire_answer answer;
    int64_t limit = timeout_ms < 0 ? 0 : timeout_ms > MAX_TIMEOUT_MS ? MAX_TIMEOUT_MS : timeout_ms;
    struct job_wire_request request = {JOB_WIRE_MAGIC, JOB_WIRE_GET, (uint32_t)strlen(key), 0,
                                       (uint32_t)limit};
    *out = NULL;
    if (!job_wire_is_request(&request))
        return ERROR(INVALID_ARGUMENT, "a key of %zu bytes; allowed: 1 to %d", strlen(key),
                     JOB_WIRE_MAX_KEY);
    TRY(ask(store, &request, key, NULL, &answer));
    struct error *error = alloc_bytes(answer.value_size + (size_t)1, out);
    if (error) {
        hang_up(store);
        return error;
    }
    (*out)[ *size = answer.value_size] = '\0';
    if (job_wire_read(store->file, *out, *size))
        return NULL;
    alloc_free(*out);
    *out = NULL;
    return lost(store);
}
