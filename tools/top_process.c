#include "tools/top_process.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"
#include "pjrt_c_api_gantry_extension.h"

enum { PATIENCE = 10 /* seconds */, MAX_REPORT = 64 << 20 };

/* /proc/net/unix lists abstract sockets with an @ in front, and connections to them, too. */
size_t top_process_list(long *out, size_t capacity)
{
    char line[512];
    size_t count = 0;
    FILE *file = fopen("/proc/net/unix", "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *at = strstr(line, " @" PJRT_GANTRY_TOP_SOCKET);
        long pid = at ? strtol(at + 2 + strlen(PJRT_GANTRY_TOP_SOCKET), NULL, 10) : 0;
        bool known = false;
        for (size_t i = 0; i < count && i < capacity; i++)
            known |= out[i] == pid;
        if (pid <= 0 || known)
            continue;
        if (count < capacity)
            out[count] = pid;
        count++;
    }
    if (file)
        fclose(file);
    return count;
}

/* Whether the other side is who its name says: anybody may take a name. */
static struct error *check_peer(int connection, long pid)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.pid != pid)
        return ERROR(NOT_FOUND, "the socket of process %ld belongs to another process", pid);
    if (peer.uid != geteuid() && geteuid() != 0)
        return ERROR(PERMISSION_DENIED, "process %ld belongs to user %ld", pid, (long)peer.uid);
    return NULL;
}

static struct error *receive(int connection, long pid, struct text *out)
{
    char bytes[1 << 16];
    for (;;) {
        ssize_t got = recv(connection, bytes, sizeof bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return ERROR(DEADLINE_EXCEEDED, "process %ld did not answer within %d seconds", pid,
                         PATIENCE);
        if (got < 0)
            return ERROR(NOT_FOUND, "process %ld: %s", pid, strerror(errno));
        if (got == 0)
            return NULL;
        text_add_bytes(out, bytes, (size_t)got);
        if (out->size > MAX_REPORT)
            return ERROR(INVALID_ARGUMENT, "process %ld sends more than %d MiB", pid,
                         MAX_REPORT >> 20);
    }
}

static struct error *parse(const struct text *text, long pid, cJSON **out)
{
    *out = text->size ? cJSON_ParseWithLength(text->data, text->size) : NULL;
    if (cJSON_IsObject(*out))
        return NULL;
    cJSON_Delete(*out);
    *out = NULL;
    return ERROR(INVALID_ARGUMENT, "the answer of process %ld is not a report", pid);
}

static struct error *read_from(int connection, long pid, cJSON **out)
{
    struct text text = {0};
    TRY(check_peer(connection, pid));
    struct error *error = receive(connection, pid, &text);
    if (!error)
        error = parse(&text, pid, out);
    text_free(&text);
    return error;
}

struct error *top_process_read(long pid, cJSON **out)
{
    struct timeval patience = {.tv_sec = PATIENCE};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int size = snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                        PJRT_GANTRY_TOP_SOCKET "%ld", pid);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    *out = NULL;
    if (connection < 0)
        return ERROR(RESOURCE_EXHAUSTED, "no socket can be created: %s", strerror(errno));
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    struct error *error =
        connect(connection, (struct sockaddr *)&address, length)
            ? ERROR(NOT_FOUND,
                    "process %ld offers no report: start it with GANTRY_TOP=1 in its environment",
                    pid)
            : read_from(connection, pid, out);
    close(connection);
    return error;
}
