/* transport_test.c: messages between two processes, and peers that end, or are cut off, while they
 * connect. */
#include "devices/host/net/transport.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <linux/filter.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "devices/host/net/net_library.h"

enum { ADDRESS = 4096, TAG = 7, LIMIT = 20 /* seconds */ };

static const struct transport_ops *ops;
static struct transport *transport;

struct address {
    size_t size;
    char bytes[ADDRESS];
};

static struct error *open_transport(struct address *own)
{
    void *bytes;
    TRY(net_library(&ops));
    TRY(ops->init("lo", &transport));
    ops->admit(transport, (const uint8_t[NET_TOKEN]){1});
    TRY(ops->address(transport, &bytes, &own->size));
    if (own->size <= sizeof own->bytes)
        memcpy(own->bytes, bytes, own->size);
    alloc_free(bytes);
    return own->size <= sizeof own->bytes ? NULL : ERROR(INTERNAL, "a long address");
}

static void note(void *count)
{
    ++*(int *)count;
}

struct outcome {
    bool is_done;
    enum transport_status status;
};

static void finish(void *context, enum transport_status status, uint64_t size)
{
    (void)size;
    *(struct outcome *)context = (struct outcome){true, status};
}

static bool progress_until(const bool *is_done, const int *count)
{
    for (time_t end = time(NULL) + LIMIT; time(NULL) < end;) {
        if ((is_done && *is_done) || (count && *count))
            return true;
        ops->progress(transport);
        ops->arm(transport);
    }
    return false;
}

/* ---- peers that die -------------------------------------------------------------------------- */
/* Whoever opens the transport is a process of its own, since the children of such a process have
 * no network. */
struct child {
    pid_t process;
    int in, out;
    struct address address;
};

/* Sends a message to the address that it reads, makes so many steps, and waits for its end. */
static void run_child(int in, int out, int steps)
{
    struct address own = {0}, parent;
    struct transport_peer *peer;
    struct outcome sent = {0};
    int lost = 0;
    if (open_transport(&own) || write(out, &own, sizeof own) != sizeof own ||
        read(in, &parent, sizeof parent) != sizeof parent ||
        ops->connect(transport, parent.bytes, parent.size, note, &lost, &peer))
        _exit(1);
    ops->isend(peer, TAG, "hello", 6, finish, &sent);
    for (int i = 0; i < steps; i++)
        ops->progress(transport);
    if (write(out, "", 1) == 1)
        pause();
    _exit(1);
}

static bool start_child(struct child *child, void (*run)(int in, int out, int steps), int steps)
{
    int up[2], down[2];
    if (pipe(up) || pipe(down))
        return false;
    child->process = fork();
    if (!child->process)
        run(down[0], up[1], steps);
    child->in = up[0];
    child->out = down[1];
    return read(child->in, &child->address, sizeof child->address) ==
           (ssize_t)sizeof child->address;
}

/* Lets the child connect, too. */
static bool give_address(const struct child *child, const struct address *own)
{
    char made;
    return write(child->out, own, sizeof *own) == sizeof *own && read(child->in, &made, 1) == 1;
}

static bool works(const struct address *own)
{
    struct transport_peer *self;
    struct outcome sent = {0}, received = {0};
    char text[6] = "";
    int lost = 0;
    if (ops->connect(transport, own->bytes, own->size, note, &lost, &self))
        return false;
    ops->irecv(transport, TAG + 1, text, sizeof text, finish, &received);
    ops->isend(self, TAG + 1, "hello", 6, finish, &sent);
    return progress_until(&received.is_done, NULL) && received.status == TRANSPORT_DONE &&
           !strcmp(text, "hello") && !lost;
}

/* Both sides connect, each for so many steps, until the child dies: its loss is reported once, and
 * the transport works on. Returns the number of the step that failed. */
static int lose_child(int child_steps, int steps)
{
    struct child child;
    struct address own = {0};
    struct transport_peer *peer;
    struct outcome sent = {0};
    int lost = 0;
    if (!start_child(&child, run_child, child_steps) || open_transport(&own) ||
        !give_address(&child, &own))
        return 1;
    if (ops->connect(transport, child.address.bytes, child.address.size, note, &lost, &peer))
        return 2;
    ops->isend(peer, TAG, "hello", 6, finish, &sent);
    for (int i = 0; i < steps; i++)
        ops->progress(transport);
    kill(child.process, SIGKILL);
    waitpid(child.process, NULL, 0);
    if (!progress_until(NULL, &lost))
        return 3;
    if (!works(&own) || lost != 1)
        return 4;
    ops->close(transport);
    return 0;
}

/* The same while another process has all descriptors of this one. */
static int lose_child_beside_a_fork(void)
{
    struct child child;
    struct address own = {0};
    struct transport_peer *peer;
    int lost = 0;
    if (!start_child(&child, run_child, 0) || open_transport(&own) || !give_address(&child, &own))
        return 1;
    if (ops->connect(transport, child.address.bytes, child.address.size, note, &lost, &peer))
        return 2;
    pid_t fork_of_this = fork();
    if (!fork_of_this) {
        alarm(2 * LIMIT);
        for (;;)
            pause();
    }
    kill(child.process, SIGKILL);
    waitpid(child.process, NULL, 0);
    bool is_noticed = progress_until(NULL, &lost);
    kill(fork_of_this, SIGKILL);
    waitpid(fork_of_this, NULL, 0);
    return is_noticed && lost == 1 ? 0 : 3;
}

Test(transport, reports_peers_that_die_beside_a_fork, .timeout = 60)
{
    int status = 0;
    pid_t process = fork();
    if (!process) {
        alarm(2 * LIMIT);
        _exit(lose_child_beside_a_fork());
    }
    cr_assert_eq(waitpid(process, &status, 0), process);
    cr_expect(!status, "%s %d", WIFSIGNALED(status) ? "signal" : "failed at",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* The child has connected and is gone, although not waited for, when this process does anything, as
 * after it was stopped. */
static int connect_to_lost_child(int child_steps)
{
    struct child child;
    struct address own = {0};
    struct transport_peer *peer;
    struct outcome sent = {0};
    siginfo_t end;
    int lost = 0;
    if (!start_child(&child, run_child, child_steps) || open_transport(&own) ||
        !give_address(&child, &own))
        return 1;
    kill(child.process, SIGKILL);
    waitid(P_PID, (id_t)child.process, &end, WEXITED | WNOWAIT);
    if (ops->connect(transport, child.address.bytes, child.address.size, note, &lost, &peer))
        return 2;
    ops->isend(peer, TAG, "hello", 6, finish, &sent);
    for (int i = 0; i < 1000; i++)
        ops->progress(transport);
    if (!progress_until(NULL, &lost) || !works(&own))
        return 3;
    ops->close(transport);
    return 0;
}

Test(transport, connects_to_a_peer_that_is_gone, .timeout = 60)
{
    for (int child_steps = 0; child_steps < 40; child_steps += 1 + child_steps / 2) {
        int status = 0;
        pid_t process = fork();
        if (!process)
            _exit(connect_to_lost_child(child_steps));
        cr_assert_eq(waitpid(process, &status, 0), process);
        cr_expect(!status, "after %d steps: %s %d", child_steps,
                  WIFSIGNALED(status) ? "signal" : "failed at",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

static void lose_child_apart(int child_steps, int steps)
{
    int status = 0;
    pid_t process = fork();
    if (!process)
        _exit(lose_child(child_steps, steps));
    cr_assert_eq(waitpid(process, &status, 0), process);
    cr_expect(!status, "a child that died after %d steps, and %d here: %s %d", child_steps, steps,
              WIFSIGNALED(status) ? "signal" : "failed at",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

Test(transport, reports_peers_that_die_while_they_connect)
{
    for (int child_steps = 0; child_steps < 40; child_steps += 1 + child_steps / 2)
        for (int steps = 0; steps < 20; steps += 1 + steps / 2)
            lose_child_apart(child_steps, steps);
}

/* ---- links that are cut ---------------------------------------------------------------------- */
enum { CUT_SECONDS = 10, MAX_FILES = 1024 };

static bool drop_packets(int file)
{
    struct sock_filter drop = {.code = BPF_RET | BPF_K};
    struct sock_fprog program = {.len = 1, .filter = &drop};
    return !setsockopt(file, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* The system answers no packet of this process's sockets any more, as if its link were cut. */
static int cut_link(void)
{
    int cut = 0;
    for (int file = 0; file < MAX_FILES; file++) {
        int listens = 0;
        socklen_t size = sizeof listens;
        if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size))
            continue;
        for (int one = listens ? accept(file, NULL, NULL) : -1; one >= 0;
             one = accept(file, NULL, NULL))
            cut += drop_packets(one);
        cut += drop_packets(file);
    }
    return cut;
}

/* Opens the transport, lets the system accept connections, and is cut off. */
static void run_cut_child(int in, int out, int steps)
{
    struct address own = {0}, parent;
    (void)steps; /* it makes none */
    if (open_transport(&own) || write(out, &own, sizeof own) != sizeof own ||
        read(in, &parent, sizeof parent) != sizeof parent)
        _exit(1);
    if (cut_link() >= 2 && write(out, "", 1) == 1) /* a listener and a connection */
        pause();
    _exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_lost_within(const int *lost, double seconds)
{
    double begin = now(), checked = begin;
    while (!*lost && now() < begin + seconds) { /* a call could take longer */
        if (now() > checked + 1) {
            ops->check(transport);
            checked += 1;
        }
        ops->progress(transport);
        poll(NULL, 0, 1);
    }
    return *lost && now() < begin + seconds;
}

/* The child's system has accepted the connection; UCX in the child will never answer. */
static int lose_link(void)
{
    struct child child;
    struct address own = {0};
    struct transport_peer *peer;
    struct outcome sent = {0};
    int lost = 0;
    setenv("UCX_TLS", "tcp", 1);
    if (!start_child(&child, run_cut_child, 0) || open_transport(&own))
        return 1;
    if (ops->connect(transport, child.address.bytes, child.address.size, note, &lost, &peer))
        return 2;
    ops->isend(peer, TAG, "hello", 6, finish, &sent);
    for (int i = 0; i < 1000; i++)
        ops->progress(transport);
    if (!give_address(&child, &own))
        return 3;
    bool is_noticed = is_lost_within(&lost, CUT_SECONDS);
    kill(child.process, SIGKILL);
    waitpid(child.process, NULL, 0);
    return is_noticed && works(&own) && lost == 1 ? 0 : 4;
}

Test(transport, reports_a_link_that_is_cut_while_it_connects, .timeout = 60)
{
    int status = 0;
    pid_t process = fork();
    if (!process)
        _exit(lose_link());
    cr_assert_eq(waitpid(process, &status, 0), process);
    cr_expect(!status, "%s %d", WIFSIGNALED(status) ? "signal" : "failed at",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* ---- networks -------------------------------------------------------------------------------- */
static bool raise_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int file = socket(AF_INET, SOCK_DGRAM, 0);
    bool works = file >= 0 && !ioctl(file, SIOCSIFFLAGS, &request);
    close(file);
    return works;
}

/* A process like this one, but for its network. */
static void run_apart(int in, int out, int steps)
{
    if (unshare(CLONE_NEWNET) || !raise_loopback())
        _exit(1);
    run_child(in, out, steps);
}

/* UCX would connect through shared memory, and never wake the other process: what wakes it is a
 * socket whose name is unknown in its network. */
static int connect_to_another_network(void)
{
    struct child child;
    struct address own = {0};
    struct transport_peer *peer;
    int lost = 0;
    if (!start_child(&child, run_apart, 0) || open_transport(&own))
        return 1;
    if (!ops->reads(child.address.bytes, child.address.size) || ops->reads("?", 1))
        return 2;
    if (ops->connect(transport, child.address.bytes, child.address.size, note, &lost, &peer))
        return 3;
    bool is_noticed = progress_until(NULL, &lost);
    kill(child.process, SIGKILL);
    waitpid(child.process, NULL, 0);
    return is_noticed && works(&own) && lost == 1 ? 0 : 4;
}

Test(transport, shares_no_messages_with_a_process_of_another_network, .timeout = 60)
{
    int status = 0;
    if (geteuid())
        cr_skip_test("only root can leave a network");
    pid_t process = fork();
    if (!process)
        _exit(connect_to_another_network());
    cr_assert_eq(waitpid(process, &status, 0), process);
    cr_expect(!status, "%s %d", WIFSIGNALED(status) ? "signal" : "failed at",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* ---- connecting ------------------------------------------------------------------------------ */
static bool is_full; /* the system watches no more descriptors */

int epoll_ctl(int set, int operation, int file, struct epoll_event *event)
{
    if (!is_full || operation != EPOLL_CTL_ADD)
        return (int)syscall(SYS_epoll_ctl, set, operation, file, event);
    errno = ENOSPC;
    return -1;
}

/* A process on this machine whose end cannot be noticed is an error, and not a long wait later. */
Test(transport, fails_where_a_peer_cannot_be_watched)
{
    struct address own = {0};
    struct transport_peer *peer;
    int lost = 0;
    cr_assert_null(open_transport(&own));
    is_full = true;
    struct error *error = ops->connect(transport, own.bytes, own.size, note, &lost, &peer);
    is_full = false;
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    for (size_t size = 0; size < own.size; size++) {
        error = ops->connect(transport, own.bytes, size, note, &lost, &peer);
        cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "%zu bytes", size);
        error_free(error);
    }
    cr_expect(works(&own));
    ops->close(transport);
}

/* ---- long messages --------------------------------------------------------------------------- */
/* Whether a message to this process itself is complete before, and after, it is received. */
static void send_to_self(struct transport_peer *self, uint64_t size, bool *before, bool *after)
{
    static char sent_bytes[TRANSPORT_AHEAD + 1], received_bytes[TRANSPORT_AHEAD + 1];
    struct outcome sent = {0}, received = {0};
    ops->isend(self, TAG, sent_bytes, size, finish, &sent);
    for (int i = 0; i < 1000; i++)
        ops->progress(transport);
    *before = sent.is_done;
    ops->irecv(transport, TAG, received_bytes, size, finish, &received);
    *after = progress_until(&received.is_done, NULL) && progress_until(&sent.is_done, NULL) &&
             sent.status == TRANSPORT_DONE && received.status == TRANSPORT_DONE;
}

/* Otherwise a sender could fill the memory of a receiver that is late. */
Test(transport, completes_long_messages_when_they_are_received)
{
    struct address own = {0};
    struct transport_peer *self;
    int lost = 0;
    bool before, after;
    cr_assert_null(open_transport(&own));
    cr_assert_null(ops->connect(transport, own.bytes, own.size, note, &lost, &self));
    send_to_self(self, TRANSPORT_AHEAD, &before, &after);
    cr_expect(before && after, "%d bytes", TRANSPORT_AHEAD);
    send_to_self(self, TRANSPORT_AHEAD + 1, &before, &after);
    cr_expect(!before && after, "%d bytes", TRANSPORT_AHEAD + 1);
    ops->close(transport);
}

/* ---- addresses ------------------------------------------------------------------------------- */
Test(transport, takes_addresses_of_no_process)
{
    struct address own = {0};
    struct transport_peer *peer;
    int lost = 0;
    cr_assert_null(open_transport(&own));
    struct error *error = ops->connect(transport, "?", 1, note, &lost, &peer);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    cr_expect(works(&own));
    ops->close(transport);
}
