#include "tools/job_server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/thread.h"
#include "tools/job_wire.h"

enum {
    MAX_CONNECTIONS = 8192,
    MAX_BYTES = 256 << 20, /* of all keys and values */
    BUCKETS = 4096,
    POLL_MS = 100
};

struct entry {
    struct entry *next;
    size_t key_size, value_size;
    char bytes[]; /* key, value */
};

struct connection {
    struct job_server *server;
    struct connection *next, *previous;
    int file;
};

struct job_server {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a key is added, a thread has ended, the server stops */
    int listener;
    struct entry *buckets[BUCKETS];
    size_t bytes; /* of entries, and of those that are received */
    struct connection *connections;
    int count;      /* of connections, each with a thread */
    bool stops;     /* the server; then: no connection is accepted */
    bool has_ended; /* the thread that accepts */
};

/* ---- entries --------------------------------------------------------------------------------- */
static struct entry **bucket_of(struct job_server *server, const char *key, size_t size)
{
    return &server->buckets[map_hash(key, size, 0) % BUCKETS];
}

/* Requires the lock. */
static const struct entry *find(struct job_server *server, const char *key, size_t size)
{
    const struct entry *entry = *bucket_of(server, key, size);
    while (entry && (entry->key_size != size || memcmp(entry->bytes, key, size)))
        entry = entry->next;
    return entry;
}

static size_t bytes_of(size_t key_size, size_t value_size)
{
    return sizeof(struct entry) + key_size + value_size;
}

static void release(struct job_server *server, size_t bytes)
{
    pthread_mutex_lock(&server->lock);
    server->bytes -= bytes;
    pthread_mutex_unlock(&server->lock);
}

/* Memory for an entry, which counts before its value is received; NULL: there is too little. */
static struct entry *hold(struct job_server *server, const struct job_wire_request *request)
{
    struct entry *entry = NULL;
    const size_t bytes = bytes_of(request->key_size, request->value_size);
    pthread_mutex_lock(&server->lock);
    bool fits = server->bytes + bytes <= MAX_BYTES;
    server->bytes += fits ? bytes : 0;
    pthread_mutex_unlock(&server->lock);
    struct error *error = fits ? alloc_bytes(bytes, &entry) : NULL;
    if (error) {
        error_free(error);
        release(server, bytes);
        return NULL;
    }
    if (entry)
        *entry = (struct entry){.key_size = request->key_size, .value_size = request->value_size};
    return entry;
}

static void drop(struct job_server *server, struct entry *entry)
{
    release(server, bytes_of(entry->key_size, entry->value_size));
    alloc_free(entry);
}

/* Adds the entry (moved, unless there is an error). */
static PJRT_Error_Code add(struct job_server *server, struct entry *entry)
{
    struct entry **bucket = bucket_of(server, entry->bytes, entry->key_size);
    pthread_mutex_lock(&server->lock);
    bool is_new = !find(server, entry->bytes, entry->key_size);
    if (is_new) {
        entry->next = *bucket;
        *bucket = entry;
        pthread_cond_broadcast(&server->changed);
    }
    pthread_mutex_unlock(&server->lock);
    return is_new ? PJRT_Error_Code_OK : PJRT_Error_Code_ALREADY_EXISTS;
}

static struct timespec after(double seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += (time_t)seconds;
    time.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

/* Requires the lock. NULL: not in time. */
static const struct entry *await(struct job_server *server, const char *key, size_t size,
                                 uint32_t timeout_ms)
{
    struct timespec end = after(1e-3 * timeout_ms);
    const struct entry *entry;
    int status = 0;
    while (!(entry = find(server, key, size)) && !server->stops && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&server->changed, &server->lock, &end);
    return entry;
}

/* ---- a connection ---------------------------------------------------------------------------- */
static bool answer(int file, PJRT_Error_Code code, const char *value, size_t size)
{
    struct job_wire_answer head = {JOB_WIRE_MAGIC, (uint32_t)code, (uint32_t)size};
    return job_wire_write(file, &head, sizeof head) && job_wire_write(file, value, size);
}

/* Entries are never removed before all connections have ended. */
static bool give(struct connection *c, const char *key, const struct job_wire_request *request)
{
    pthread_mutex_lock(&c->server->lock);
    const struct entry *entry = await(c->server, key, request->key_size, request->timeout_ms);
    pthread_mutex_unlock(&c->server->lock);
    if (!entry)
        return answer(c->file, PJRT_Error_Code_DEADLINE_EXCEEDED, NULL, 0);
    return answer(c->file, PJRT_Error_Code_OK, entry->bytes + entry->key_size, entry->value_size);
}

/* Reads a value that is not kept. */
static bool skip(int file, size_t size)
{
    char part[4096];
    bool goes_on = true;
    for (size_t count; size && goes_on; size -= count) {
        count = size < sizeof part ? size : sizeof part;
        goes_on = job_wire_read(file, part, count);
    }
    return goes_on;
}

static bool take(struct connection *c, const char *key, const struct job_wire_request *request)
{
    struct entry *entry = hold(c->server, request);
    if (!entry)
        return skip(c->file, request->value_size) &&
               answer(c->file, PJRT_Error_Code_RESOURCE_EXHAUSTED, NULL, 0);
    memcpy(entry->bytes, key, request->key_size);
    bool is_read = job_wire_read(c->file, entry->bytes + entry->key_size, entry->value_size);
    PJRT_Error_Code code = is_read ? add(c->server, entry) : PJRT_Error_Code_INTERNAL;
    if (code)
        drop(c->server, entry);
    return is_read && answer(c->file, code, NULL, 0);
}

/* Whether the connection goes on. */
static bool handle(struct connection *c)
{
    struct job_wire_request request;
    char key[JOB_WIRE_MAX_KEY];
    if (!job_wire_read(c->file, &request, sizeof request) || !job_wire_is_request(&request) ||
        !job_wire_read(c->file, key, request.key_size))
        return false;
    return request.kind == JOB_WIRE_PUT ? take(c, key, &request) : give(c, key, &request);
}

static void forget(struct connection *c)
{
    struct job_server *server = c->server;
    pthread_mutex_lock(&server->lock);
    *(c->previous ? &c->previous->next : &server->connections) = c->next;
    if (c->next)
        c->next->previous = c->previous;
    close(c->file);
    alloc_free(c);
    server->count--;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

static void run_connection(void *argument)
{
    struct connection *c = argument;
    while (handle(c))
        ;
    forget(c);
}

/* ---- the server ------------------------------------------------------------------------------ */
static void add_connection(struct job_server *server, int file)
{
    struct connection *c;
    struct error *error = alloc_zeroed(sizeof *c, &c);
    if (error) {
        error_free(error);
        close(file);
        return;
    }
    *c = (struct connection){.server = server, .file = file};
    pthread_mutex_lock(&server->lock);
    c->next = server->connections;
    if (c->next)
        c->next->previous = c;
    server->connections = c;
    bool is_allowed = server->count++ < MAX_CONNECTIONS && !server->stops;
    pthread_mutex_unlock(&server->lock);
    if (!is_allowed || !thread_start("gantry-store", run_connection, c))
        forget(c);
}

static bool stops(struct job_server *server)
{
    pthread_mutex_lock(&server->lock);
    bool stop = server->stops;
    pthread_mutex_unlock(&server->lock);
    return stop;
}

/* Accepts a connection. Where that fails, as when the process has too many files, the client stays
 * in the queue, and the thread does not spin. */
static void accept_one(struct job_server *server)
{
    int file = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (file >= 0)
        add_connection(server, file);
    else
        nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000}, NULL);
}

static void run_server(void *argument)
{
    struct job_server *server = argument;
    struct pollfd ready = {.fd = server->listener, .events = POLLIN};
    while (!stops(server))
        if (poll(&ready, 1, POLL_MS) > 0)
            accept_one(server);
    pthread_mutex_lock(&server->lock);
    server->has_ended = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->lock);
}

struct error *job_server_start(int listener, struct job_server **out)
{
    struct job_server *server;
    pthread_condattr_t monotonic;
    *out = NULL;
    struct error *error = alloc_zeroed(sizeof *server, &server);
    if (error) {
        close(listener);
        return error;
    }
    server->listener = listener;
    pthread_mutex_init(&server->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&server->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    *out = server;
    if (thread_start("gantry-store", run_server, server))
        return NULL;
    server->has_ended = true;
    job_server_stop(server, 0);
    *out = NULL;
    return ERROR(RESOURCE_EXHAUSTED, "no thread could be created for the job's store");
}

static void await_clients(struct job_server *server, double seconds)
{
    struct timespec end = after(seconds);
    while (server->count &&
           pthread_cond_timedwait(&server->changed, &server->lock, &end) != ETIMEDOUT)
        ;
    server->stops = true;
    pthread_cond_broadcast(&server->changed);
    while (server->count || !server->has_ended) {
        for (const struct connection *c = server->connections; c; c = c->next)
            shutdown(c->file, SHUT_RDWR);
        pthread_cond_wait(&server->changed, &server->lock);
    }
}

void job_server_stop(struct job_server *server, double seconds)
{
    if (!server)
        return;
    pthread_mutex_lock(&server->lock);
    await_clients(server, seconds);
    pthread_mutex_unlock(&server->lock);
    close(server->listener);
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *next, *at = server->buckets[i]; at; at = next) {
            next = at->next;
            alloc_free(at);
        }
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->lock);
    alloc_free(server);
}
