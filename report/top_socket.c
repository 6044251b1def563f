#include "report/top_socket.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/env.h"
#include "base/fork.h"
#include "base/log.h"
#include "base/thread.h"
#include "pjrt_c_api_gantry_extension.h"
#include "report/metrics_json.h"
#include "runtime/metrics.h"

enum { BACKLOG = 8, PATIENCE = 1 /* seconds for a reader */, RETRY_US = 100000 };

static void close_in_child(struct fork_lock *self);

/* guards `listener`: -1: not open */
static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, close_in_child);
static int listener = -1;

/* The child has no thread that would serve its copy. */
static void close_in_child(struct fork_lock *self)
{
    (void)self;
    if (listener >= 0)
        close(listener);
    listener = -1;
}

/* ---- serving --------------------------------------------------------------------------------- */
static bool is_allowed(int connection)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return !getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) &&
           (peer.uid == geteuid() || peer.uid == 0);
}

static void send_all(int connection, const char *bytes, size_t size)
{
    while (size) {
        ssize_t sent = send(connection, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void serve(int connection)
{
    cJSON *report;
    struct timeval patience = {.tv_sec = PATIENCE};
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    struct error *error = metrics_json(&report);
    char *text = error ? NULL : cJSON_PrintUnformatted(report);
    if (text)
        send_all(connection, text, strlen(text));
    if (!error)
        cJSON_Delete(report);
    error_free(error);
    cJSON_free(text);
}

static void serve_all(void *argument)
{
    int socket = (int)(intptr_t)argument;
    for (;;) {
        int connection = accept4(socket, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0) {
            usleep(RETRY_US); /* as when the process has no descriptor left */
            continue;
        }
        if (is_allowed(connection))
            serve(connection);
        close(connection);
    }
}

/* ---- opening --------------------------------------------------------------------------------- */
/* Returns the socket, or -1 with errno. */
static int listen_here(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int size = snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                        PJRT_GANTRY_TOP_SOCKET "%ld", (long)getpid());
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0)
        return -1;
    if (!bind(made, (struct sockaddr *)&address, length) && !listen(made, BACKLOG))
        return made;
    int why = errno;
    close(made);
    errno = why;
    return -1;
}

static void open_once(void)
{
    if (listener >= 0)
        return;
    int made = listen_here();
    if (made < 0) {
        LOG(WARNING, "GANTRY_TOP: the socket for gantry top cannot be opened: %s", strerror(errno));
    } else if (!thread_start("gantry-top", serve_all, (void *)(intptr_t)made)) {
        LOG(WARNING, "GANTRY_TOP: the thread for gantry top cannot be created");
        close(made);
    } else {
        listener = made;
        metrics_watch();
    }
}

void top_socket_open(void)
{
    if (env_choice(ENV_GANTRY_TOP) != 1)
        return;
    fork_lock_take(&lock);
    open_once();
    fork_lock_release(&lock);
}
