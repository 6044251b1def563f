/* probe.c: see probe.h. */
#include "tools/probe.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "tools/session.h"

/* Runs in the child; does not return. */
static void answer(probe_query *query, const void *context, int fd)
{
    cJSON *json = cJSON_CreateObject();
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    query(context, json);
    char *text = cJSON_PrintUnformatted(json);
    size_t left = text ? strlen(text) : 0;
    for (const char *at = text; left;) {
        ssize_t written = write(fd, at, left);
        if (written < 0 && errno != EINTR)
            break;
        at += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    _exit(0);
}

/* Waits until there is something to read or the time is up; false: it is. */
static bool wait_for(int fd, double end)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    for (;;) {
        double left = end - session_seconds();
        int got = left > 0 ? poll(&ready, 1, (int)(left * 1000) + 1) : 0;
        if (got > 0 || (got < 0 && errno != EINTR))
            return true;
        if (left <= 0)
            return false;
    }
}

/* Everything that is written until the end of the file, or until the time is up. */
static struct error *read_all(int fd, double end, char **out, bool *in_time)
{
    struct text text = {0};
    char chunk[4096];
    for (*in_time = true; (*in_time = wait_for(fd, end));) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got <= 0)
            break;
        text_add_bytes(&text, chunk, (size_t)got);
    }
    return text_finish(&text, out, NULL);
}

static cJSON *failure(const char *why)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "error", why);
    return json;
}

/* What the child wrote, or why there is nothing. */
static cJSON *result_of(const char *text, int status, bool in_time, double seconds)
{
    char why[64];
    cJSON *json = in_time && !status ? cJSON_Parse(text) : NULL;
    if (json)
        return json;
    if (!in_time)
        snprintf(why, sizeof why, "does not end within %.0f s", seconds);
    else if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "crashes with signal %d", WTERMSIG(status));
    else
        snprintf(why, sizeof why, "does not answer (exit status %d)", WEXITSTATUS(status));
    return failure(why);
}

static cJSON *receive(pid_t child, int fd, double seconds)
{
    char *text = NULL;
    int status = 0;
    bool in_time;
    error_free(read_all(fd, session_seconds() + seconds, &text, &in_time));
    if (!in_time) {
        kill(-child, SIGKILL);
        kill(child, SIGKILL); /* if it has not made its group yet */
    }
    waitpid(child, &status, 0);
    cJSON *json = result_of(text ? text : "", status, in_time, seconds);
    alloc_free(text);
    return json;
}

cJSON *probe_run(probe_query *query, const void *context, double seconds)
{
    int ends[2];
    fflush(NULL); /* or the child would write it again */
    if (pipe(ends))
        return failure(strerror(errno));
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        answer(query, context, ends[1]);
    }
    close(ends[1]);
    cJSON *json = child < 0 ? failure(strerror(errno)) : receive(child, ends[0], seconds);
    close(ends[0]);
    return json;
}
