/* network_test.c: the network's thread, beside a process that is stopped while others connect. */
#include "devices/host/net/network.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/alloc.h"

enum { SECONDS = 2, ADDRESS = 4096 };

struct other { /* a process that is stopped once it has said its address */
    pid_t process;
    char address[ADDRESS];
    size_t size;
};

static void be_stopped(int out)
{
    struct network *network;
    void *address;
    size_t size;
    if (network_create(1, 2, &network) || network_address(network, &address, &size) ||
        write(out, address, size) != (ssize_t)size)
        _exit(1);
    close(out);
    raise(SIGSTOP);
    _exit(0);
}

static bool start(struct other *other)
{
    int pipes[2];
    if (pipe(pipes))
        return false;
    other->process = fork();
    if (!other->process)
        be_stopped(pipes[1]);
    close(pipes[1]);
    ssize_t size = read(pipes[0], other->address, sizeof other->address);
    int status = 0;
    close(pipes[0]);
    other->size = (size_t)size;
    return size > 0 && waitpid(other->process, &status, WUNTRACED) == other->process &&
           WIFSTOPPED(status);
}

static void ignore(void *context, const struct error *error)
{
    (void)context, (void)error;
}

/* Announces an execution, for which the other process has to be connected. */
static struct network_channel *announce(struct network *network)
{
    static const int processes[] = {0, 1};
    const struct network_launch launch = {
        .name = "program", .participants = 2, .processes = processes, .failed = ignore};
    struct network_channel *channel;
    return network_open(network, &launch, &channel) ? NULL : channel;
}

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The processor time of a wait for the other process; negative: it could not be made. */
static double wait_for(const struct other *other)
{
    static const uint8_t token[NET_TOKEN];
    struct network *network;
    void *address;
    size_t size;
    if (network_create(0, 2, &network) || network_address(network, &address, &size))
        return -1;
    const struct network_node nodes[] = {{"here", address, size, false},
                                         {"there", other->address, other->size, false}};
    struct network_channel *channel =
        network_start(network, token, nodes) ? NULL : announce(network);
    double begin = processor_seconds();
    nanosleep(&(struct timespec){.tv_sec = SECONDS}, NULL);
    return channel ? processor_seconds() - begin : -1;
}

Test(network, thread_takes_no_time_while_another_process_is_stopped, .timeout = 60)
{
    struct other other = {0};
    setenv("UCX_TLS", "tcp", 1);
    cr_assert(start(&other));
    double seconds = wait_for(&other);
    kill(other.process, SIGKILL);
    waitpid(other.process, NULL, 0);
    cr_expect(seconds >= 0 && seconds < 0.25 * SECONDS, "%g s of processor time", seconds);
}
