/* ucx_near.c: see ucx_near.h. */
#include "devices/host/net/ucx/ucx_near.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    EVENTS = 4 /* two are ready at most, the engine's own and one that has ended; some spare */
};

static int open_process(uint64_t process)
{
    return (int)syscall(SYS_pidfd_open, (pid_t)process, 0);
}

bool ucx_near_is_supported(void)
{
    int own = open_process((uint64_t)getpid());
    if (own >= 0)
        close(own);
    return own >= 0;
}

static void read_boot(char *out, size_t capacity)
{
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (read(file, out, capacity) <= 0)
        memset(out, 0, capacity);
    close(file);
}

/* 0: not known. */
static uint64_t namespace_of(const char *path)
{
    struct stat space;
    return stat(path, &space) ? 0 : space.st_ino;
}

void ucx_near_identify(struct ucx_identity *out)
{
    *out = (struct ucx_identity){.process = (uint64_t)getpid(),
                                 .user = geteuid(),
                                 .group = getegid(),
                                 .opens = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1};
    read_boot(out->boot, sizeof out->boot);
    out->names = namespace_of("/proc/self/ns/pid");
    out->network = namespace_of("/proc/self/ns/net");
}

static bool opens(const struct ucx_identity *own, const struct ucx_identity *identity)
{
    return own->boot[0] && own->names && own->opens && identity->opens &&
           !memcmp(own->boot, identity->boot, sizeof own->boot) && own->names == identity->names &&
           own->user == identity->user && own->group == identity->group;
}

bool ucx_near_opens(const struct ucx_identity *identity)
{
    struct ucx_identity own;
    ucx_near_identify(&own);
    return opens(&own, identity);
}

bool ucx_near_shares(const struct ucx_identity *identity)
{
    struct ucx_identity own;
    ucx_near_identify(&own);
    return own.network && own.network == identity->network && opens(&own, identity);
}

bool ucx_near_is_gone(int watch)
{
    struct pollfd process = {.fd = watch, .events = POLLIN};
    return watch >= 0 && poll(&process, 1, 0) > 0;
}

struct error *ucx_near_watch(int set, const struct ucx_identity *identity, void *context, int *out,
                             bool *has_ended)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = context};
    *out = -1;
    *has_ended = false;
    if (!ucx_near_opens(identity))
        return NULL;
    *out = open_process(identity->process);
    *has_ended = *out < 0 && errno == ESRCH;
    if (*has_ended)
        return NULL;
    if (*out >= 0 && !epoll_ctl(set, EPOLL_CTL_ADD, *out, &event)) {
        *has_ended = ucx_near_is_gone(*out);
        return NULL;
    }
    struct error *error =
        ERROR(RESOURCE_EXHAUSTED, "the end of process %llu of this machine cannot be watched: %s",
              (unsigned long long)identity->process, strerror(errno));
    ucx_near_unwatch(set, out);
    return error;
}

void ucx_near_unwatch(int set, int *watch)
{
    if (*watch < 0)
        return;
    epoll_ctl(set, EPOLL_CTL_DEL, *watch, NULL);
    close(*watch);
    *watch = -1;
}

void *ucx_near_ended(int set)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(set, events, EVENTS, 0);
    for (int i = 0; i < count; i++)
        if (events[i].data.ptr)
            return events[i].data.ptr;
    return NULL;
}
