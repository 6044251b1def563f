/* cmd_launch.c: gantry launch: starts the processes of a job on this machine with the variables by
 * which each client finds the others, and ends them together. */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/number.h"
#include "tools/commands.h"
#include "tools/launch_output.h"

enum {
    MAX_PROCESSES = 4096,
    GRACE = 5, /* seconds for the others to end by themselves, and again after SIGTERM */
    NOT_FOUND = 127,
    BY_SIGNAL = 128,
    /* The coordinator's, PyTorch/XLA's, and that by which process 0 of torch_xla ends last. */
    JOB_PORTS = 3,
    TRIES = 64, /* to find them */
    TEXT = 256
};

struct plan { /* what the arguments say */
    int64_t processes, devices, hosts, host;
    const char *coordinator; /* HOST:PORT */
    char **command;          /* followed by NULL */
};

struct launched {
    pid_t *children;              /* [count]; 0: has ended */
    struct launch_output *output; /* NULL: one process has the output for itself */
    int count, running;
    int status;      /* of the first that failed, for the shell; 0: none has */
    int sent;        /* the signal that all were sent, or 0 */
    int64_t sent_at; /* seconds: when that was, or when the first one failed */
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

/* ---- arguments ------------------------------------------------------------------------------- */
static struct error *read_count(const char *name, const char *text, int64_t least, int64_t *out)
{
    if (text && number_read(text, least, MAX_PROCESSES, out))
        return NULL;
    return ERROR(INVALID_ARGUMENT, "%s is '%s'; allowed: %d to %d", name, text ? text : "",
                 (int)least, MAX_PROCESSES);
}

/* PyTorch/XLA's coordinator has the next port. */
static struct error *check_coordinator(const char *text)
{
    int64_t port;
    const char *colon = strrchr(text, ':');
    if (colon && colon > text && colon - text < TEXT && number_read(colon + 1, 1, 65534, &port))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "--coordinator is '%.80s'; allowed: HOST:PORT with a port of 1 to 65534", text);
}

static struct error *read_arguments(int argc, char **argv, struct plan *plan)
{
    int i = 0;
    for (; i < argc && strcmp(argv[i], "--"); i += 2) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(name, "-n"))
            TRY(read_count(name, value, 1, &plan->processes));
        else if (!strcmp(name, "--devices"))
            TRY(read_count(name, value, 1, &plan->devices));
        else if (!strcmp(name, "--hosts"))
            TRY(read_count(name, value, 1, &plan->hosts));
        else if (!strcmp(name, "--host"))
            TRY(read_count(name, value, 0, &plan->host));
        else if (!strcmp(name, "--coordinator") && value)
            plan->coordinator = value;
        else
            return commands_unknown("launch", name);
    }
    if (i + 1 >= argc)
        return ERROR(INVALID_ARGUMENT, "the command is missing; see gantry help launch");
    if (plan->host >= plan->hosts)
        return ERROR(INVALID_ARGUMENT, "--host is %lld; allowed with --hosts %lld: 0 to %lld",
                     (long long)plan->host, (long long)plan->hosts, (long long)plan->hosts - 1);
    if (plan->hosts > 1 && !plan->coordinator)
        return ERROR(INVALID_ARGUMENT, "several hosts need --coordinator HOST:PORT: the address of "
                                       "host 0 and a free port there");
    if (plan->coordinator)
        TRY(check_coordinator(plan->coordinator));
    plan->command = argv + i + 1;
    return NULL;
}

/* A socket that has the port, 0: any; -1: it is in use. */
static int bind_port(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int file = port < 65536 ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (file < 0 || !bind(file, (struct sockaddr *)&address, sizeof address))
        return file;
    close(file);
    return -1;
}

static int port_of(int file)
{
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    return getsockname(file, (struct sockaddr *)&address, &size) ? 0 : ntohs(address.sin_port);
}

/* The first of the job's ports, which no program uses now; 0: one of those tried is in use. */
static int try_ports(void)
{
    int files[JOB_PORTS], count = 1;
    files[0] = bind_port(0);
    if (files[0] < 0)
        return 0;
    int first = port_of(files[0]);
    while (count < JOB_PORTS && (files[count] = bind_port(first + count)) >= 0)
        count++;
    bool found = count == JOB_PORTS;
    while (count)
        close(files[--count]);
    return found ? first : 0;
}

static struct error *find_coordinator(char out[TEXT])
{
    int port = 0;
    for (int i = 0; i < TRIES && !port; i++)
        port = try_ports();
    snprintf(out, TEXT, "127.0.0.1:%d", port);
    return port ? NULL : ERROR(UNAVAILABLE, "no %d free ports in a row", JOB_PORTS);
}

/* ---- a process ------------------------------------------------------------------------------- */
static void set_number(const char *name, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    setenv(name, text, 1);
}

/* PyTorch/XLA's coordinator has the next port. torch_xla takes the ranks from torchrun alone, which
 * it recognizes by the name of a run. */
static void set_torch(const char *host, const char *port)
{
    char next[32];
    setenv("MASTER_ADDR", host, 1);
    setenv("MASTER_PORT", port, 1);
    setenv("TORCHELASTIC_RUN_ID", "gantry", 1);
    snprintf(next, sizeof next, "%lld", atoll(port) + 1);
    setenv("XLA_COORDINATOR_PORT", next, 0);
}

/* JAX has variables for the coordinator only; the rest it reads from those of Open MPI. */
static void set_variables(const struct plan *plan, int local)
{
    int64_t rank = plan->host * plan->processes + local, count = plan->hosts * plan->processes;
    static const char *const ranks[] = {"RANK", "OMPI_COMM_WORLD_RANK"},
                             *const counts[] = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"},
                             *const locals[] = {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"};
    char host[TEXT];
    for (int i = 0; i < 2; i++) {
        set_number(ranks[i], rank);
        set_number(counts[i], count);
        set_number(locals[i], local);
    }
    set_number("LOCAL_WORLD_SIZE", plan->processes);
    const char *port = strrchr(plan->coordinator, ':');
    snprintf(host, sizeof host, "%.*s", (int)(port - plan->coordinator), plan->coordinator);
    set_torch(host, port + 1);
    setenv("JAX_COORDINATOR_ADDRESS", plan->coordinator, 1);
    setenv("OMPI_MCA_orte_hnp_uri", "4096.0;tcp://127.0.0.1:1", 1);
    setenv("PYTHONUNBUFFERED", "1", 0); /* lines appear when they are printed, though in a pipe */
    if (plan->devices)
        set_number(env_name(ENV_GANTRY_CPU_DEVICES), plan->devices);
}

/* In the child. */
static void run_command(const struct plan *plan, int local, const sigset_t *signals, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NOT_FOUND);
    sigprocmask(SIG_SETMASK, signals, NULL);
    set_variables(plan, local);
    execvp(plan->command[0], plan->command);
    fprintf(stderr, "gantry launch: %s: %s\n", plan->command[0], strerror(errno));
    _exit(NOT_FOUND);
}

static struct error *start(const struct plan *plan, int local, const sigset_t *signals,
                           struct launched *all)
{
    pid_t parent = getpid();
    int ends[2];
    if (all->output)
        TRY(launch_output_open(all->output, ends));
    pid_t child = fork();
    if (!child) {
        if (all->output)
            launch_output_use(ends);
        run_command(plan, local, signals, parent);
    }
    int reason = errno;
    if (all->output)
        launch_output_forked(ends);
    if (child < 0)
        return ERROR(RESOURCE_EXHAUSTED, "process %d was not started: %s", local, strerror(reason));
    all->children[local] = child;
    all->running++;
    return NULL;
}

static struct error *start_all(const struct plan *plan, const sigset_t *signals,
                               struct launched *all)
{
    if (all->count > 1)
        TRY(launch_output_create(all->count, &all->output));
    for (int i = 0; i < all->count; i++)
        TRY(start(plan, i, signals, all));
    return all->output ? launch_output_start(all->output) : NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */
static void send_all(struct launched *all, int signal)
{
    for (int i = 0; i < all->count; i++)
        if (all->children[i] > 0)
            kill(all->children[i], signal);
    all->sent = signal;
    all->sent_at = now();
}

/* The first failure is reported; the others fail because of it, or are ended. */
static void note_end(struct launched *all, int process, int status)
{
    int code = WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
    all->children[process] = 0;
    all->running--;
    if (!code || all->status || all->sent)
        return;
    all->status = code;
    all->sent_at = now();
    if (WIFSIGNALED(status))
        fprintf(stderr, "gantry launch: process %d was ended by signal %d (%s)\n", process,
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fprintf(stderr, "gantry launch: process %d ended with exit code %d\n", process, code);
}

static void collect(struct launched *all)
{
    int status;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
        for (int i = 0; i < all->count; i++)
            if (all->children[i] == ended)
                note_end(all, i, status);
}

/* Ends the others of a process that has failed, if they do not end themselves. */
static void press(struct launched *all)
{
    if ((!all->status && !all->sent) || now() - all->sent_at < GRACE)
        return;
    send_all(all, all->sent == SIGTERM || all->sent == SIGKILL ? SIGKILL : SIGTERM);
}

static void await_all(struct launched *all, const sigset_t *handled)
{
    while (all->running) {
        int signal = sigtimedwait(handled, NULL, &(struct timespec){.tv_nsec = 200000000});
        if (signal == SIGINT || signal == SIGTERM) {
            all->status = all->status ? all->status : BY_SIGNAL + signal;
            send_all(all, signal);
        }
        collect(all);
        press(all);
    }
}

static struct error *launch(const struct plan *plan, int *status)
{
    struct launched all = {.count = (int)plan->processes};
    sigset_t handled, before;
    TRY(alloc_array((size_t)all.count, sizeof *all.children, &all.children));
    sigemptyset(&handled);
    sigaddset(&handled, SIGCHLD);
    sigaddset(&handled, SIGINT);
    sigaddset(&handled, SIGTERM);
    sigprocmask(SIG_BLOCK, &handled, &before);
    struct error *error = start_all(plan, &before, &all);
    if (error)
        send_all(&all, SIGKILL);
    await_all(&all, &handled);
    launch_output_finish(all.output);
    sigprocmask(SIG_SETMASK, &before, NULL);
    alloc_free(all.children);
    *status = all.status;
    return error;
}

enum exit_code cmd_launch_run(int argc, char **argv)
{
    struct plan plan = {.processes = 1, .hosts = 1};
    char port[TEXT];
    int status = 0;
    struct error *error = read_arguments(argc, argv, &plan);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    if (!plan.coordinator) {
        error = find_coordinator(port);
        plan.coordinator = port;
    }
    if (!error)
        error = launch(&plan, &status);
    return error ? commands_fail(EXIT_FAILED, error) : (enum exit_code)status;
}
