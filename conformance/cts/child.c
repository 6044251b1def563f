/* child.c: processes for rules. */
#include "conformance/cts/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory_file.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { DEFAULT_SECONDS = 60 };
#else
enum { DEFAULT_SECONDS = 20 };
#endif

#define WATCHED_SECONDS 0.5 /* processor time is read in steps of this */
#define BUSY_SHARE 0.02     /* of a step: what works uses more */
#define WAITING_SECONDS 1.0
#define IDLE_SHARE 0.33 /* of the time limit, for a task that only waits */

double child_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void *child_share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void child_unshare(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}

/* The child: ends with its parent, leaves no core file, and writes to `output` only. */
static void run_task(const struct child_task *task, struct outcome *outcome, int output)
{
    struct rlimit no_core = {0, 0};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(output, 1);
    dup2(output, 2);
    task->run(task->user, outcome);
    atomic_store(&outcome->finished, true);
    fflush(NULL);
    _exit(0);
}

struct error *child_start(struct child *child, const struct child_task *task)
{
    if (!child->outcome)
        child->outcome = child_share(sizeof *child->outcome);
    if (!child->outcome)
        return error_out_of_memory();
    memset(child->outcome, 0, sizeof *child->outcome);
    atomic_store(&child->outcome->seconds, DEFAULT_SECONDS);
    child->output = memory_file_create("output", false);
    if (child->output < 0)
        return ERROR(RESOURCE_EXHAUSTED, "a file in memory: %s", strerror(errno));
    fflush(NULL);
    child->start = child->seen = child->busy = child_clock();
    child->cpu = 0;
    child->pid = fork();
    if (child->pid == 0)
        run_task(task, child->outcome, child->output);
    if (child->pid > 0)
        return NULL;
    child->pid = 0;
    close(child->output);
    return ERROR(RESOURCE_EXHAUSTED, "fork: no process can be started");
}

/* ---- The end --------------------------------------------------------------------------------- */

/* Whether a line says why a process ends. */
static bool is_reason(const char *line)
{
    static const char *const words[] = {"Check failed",     "terminate called", "Assertion",
                                        "AddressSanitizer", "ThreadSanitizer",  "panic"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(line, words[i]))
            return true;
    return false;
}

/* Keeps a line of the output: the first one that gives a reason, else the last one. */
static void read_output(int file, struct child_end *end)
{
    char text[1 << 14], *next;
    off_t size = lseek(file, 0, SEEK_END), wanted = (off_t)sizeof text - 1;
    ssize_t got = pread(file, text, (size_t)wanted, size > wanted ? size - wanted : 0);
    text[got > 0 ? got : 0] = '\0';
    for (char *line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
        snprintf(end->output, sizeof end->output, "%.*s", (int)sizeof end->output - 1, line);
        if (is_reason(line))
            return;
    }
}

static void finish(struct child *child, int status, bool timed_out, struct child_end *end)
{
    *end = (struct child_end){.seconds = child_clock() - child->start};
    end->how = atomic_load(&child->outcome->finished) ? CHILD_DONE
               : timed_out                            ? CHILD_TIMED_OUT
                                                      : CHILD_CRASHED;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (end->how == CHILD_DONE && end->signal && !timed_out)
        end->how = CHILD_CRASHED; /* while the process ended */
    read_output(child->output, end);
    kill(-child->pid, SIGKILL); /* its own children */
    close(child->output);
    child->pid = 0;
}

/* Processor time of a process and all its threads; 0 when it is gone. */
static double cpu_seconds(int pid)
{
    clockid_t clock;
    struct timespec used = {0};
    if (!clock_getcpuclockid(pid, &clock))
        clock_gettime(clock, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static void watch(struct child *child, double now)
{
    if (now - child->seen < WATCHED_SECONDS)
        return;
    double cpu = cpu_seconds(child->pid);
    if (cpu - child->cpu > BUSY_SHARE * (now - child->seen))
        child->busy = now;
    child->seen = now;
    child->cpu = cpu;
}

bool child_is_waiting(const struct child *child)
{
    return child->pid && child->seen - child->busy >= WAITING_SECONDS;
}

static bool is_too_late(struct child *child)
{
    double now = child_clock(), limit = atomic_load(&child->outcome->seconds);
    watch(child, now);
    return now - child->start >= limit || child->seen - child->busy >= limit * IDLE_SHARE;
}

bool child_poll(struct child *child, struct child_end *end)
{
    int status = 0;
    if (waitpid(child->pid, &status, WNOHANG) == child->pid) {
        finish(child, status, false, end);
        return true;
    }
    if (!is_too_late(child))
        return false;
    kill(child->pid, SIGKILL);
    waitpid(child->pid, &status, 0);
    finish(child, status, true, end);
    return true;
}

struct error *child_run(struct child *child, const struct child_task *task, struct child_end *end)
{
    TRY(child_start(child, task));
    while (!child_poll(child, end))
        child_wait();
    return NULL;
}

void child_wait(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

void child_close(struct child *child)
{
    if (child->pid) {
        kill(-child->pid, SIGKILL);
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
        close(child->output);
    }
    child_unshare(child->outcome, sizeof *child->outcome);
    *child = (struct child){0};
}
