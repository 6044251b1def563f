/* process_rules.c: area 19, section 2: what a client shares with its process. */
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/cts/rule_process.h"
#include "conformance/cts/rule_sequences.h"

/* Compiles and executes a program, and checks its result. */
static struct error *compute(struct rule_context *t)
{
    static const float one[] = {1, 2, 3, 4}, two[] = {2, 4, 6, 8};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[2], *result;
    TRY(rule_compile_file(t, "add.mlirbc", &executable));
    TRY(rule_upload_floats(t, one, 4, &inputs[0]));
    TRY(rule_upload_floats(t, one, 4, &inputs[1]));
    TRY(rule_execute(t, executable, inputs, 2, &result, 1));
    rule_check_floats(t, result, two, 4);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, inputs[0]);
    DESTROY(t, Buffer, buffer, inputs[1]);
    DESTROY(t, LoadedExecutable, executable, executable);
    return NULL;
}

/* Waits for a process: how it ended, or -1 when it has not after 30 s. */
static int wait_for(pid_t child)
{
    int status = 0;
    for (int i = 0; i < 3000; i++) {
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        usleep(10000);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
}

void rule_robustness_survives_forks(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, compute(t));
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    int status = wait_for(child);
    CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child's status is %#x", status);
    NEED_OK(t, compute(t));
}

void rule_robustness_survives_exit(struct rule_context *t)
{
    NEED_TABLE(t); /* the client is the child's own */
    pid_t child = fork();
    if (child == 0) {
        if (!rule_open_client(t))
            exit(3);
        error_free(compute(t));
        exit(5);
    }
    int status = wait_for(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
        return; /* the rule was skipped there */
    CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 5, "the process ended with %#x", status);
}

static void ignore(int number)
{
    (void)number;
}

void rule_robustness_survives_signals(struct rule_context *t)
{
    struct sigaction action = {.sa_handler = ignore}; /* without SA_RESTART */
    struct itimerval every = {{0, 500}, {0, 500}}, never = {0};
    NEED_CLIENT(t);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    struct error *error = NULL;
    for (int i = 0; i < 50 && !error; i++)
        error = compute(t);
    setitimer(ITIMER_REAL, &never, NULL);
    NEED_OK(t, error);
}

void rule_robustness_keeps_signal_handlers(struct rule_context *t)
{
    struct sigaction before[32], after;
    NEED_TABLE(t);
    for (int i = 1; i < 32; i++)
        sigaction(i, NULL, &before[i]);
    NEED_CLIENT(t);
    NEED_OK(t, compute(t));
    for (int i = 1; i < 32; i++) {
        sigaction(i, NULL, &after);
        CHECK(t, before[i].sa_handler == after.sa_handler, "the handler of signal %d", i);
    }
}

/* Half of the smallest normal number: 0 if denormal numbers are flushed. */
static double halve_smallest(void)
{
    volatile double smallest = 2.2250738585072014e-308;
    return smallest / 2;
}

void rule_robustness_keeps_rounding(struct rule_context *t)
{
    NEED_CLIENT(t);
    int before = fegetround();
    NEED_OK(t, compute(t));
    CHECK(t, fegetround() == before, "rounding mode %d has become %d", before, fegetround());
    CHECK(t, halve_smallest() > 0, "denormal numbers are flushed to zero");
}

void rule_robustness_ignores_rounding(struct rule_context *t)
{
    static const float third[] = {1.0f, 1.0f, 1.0f, 1.0f}, tiny[] = {1e-9f, 1e-9f, 1e-9f, 1e-9f};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[2], *result;
    NEED_CLIENT(t);
    fesetround(FE_UPWARD);
    struct error *error = rule_compile_file(t, "add.mlirbc", &executable);
    error = error ? error : rule_upload_floats(t, third, 4, &inputs[0]);
    error = error ? error : rule_upload_floats(t, tiny, 4, &inputs[1]);
    error = error ? error : rule_execute(t, executable, inputs, 2, &result, 1);
    fesetround(FE_TONEAREST);
    NEED_OK(t, error);
    rule_check_floats(t, result, third, 4); /* to nearest, the tiny ones are lost */
}

void rule_robustness_keeps_environment(struct rule_context *t)
{
    struct rule_environment before;
    rule_environment_read(&before);
    NEED_CLIENT(t);
    NEED_OK(t, compute(t));
    rule_environment_check(t, &before);
}

/* The three numbers of the standard streams name a file of the client's own: nothing may write
 * there. */
void rule_robustness_needs_no_streams(struct rule_context *t)
{
    struct stat after;
    FILE *file = tmpfile();
    NEED(t, file, "no file of the suite's own");
    for (int i = 0; i < 3; i++)
        dup2(fileno(file), i);
    NEED_CLIENT(t);
    NEED_OK(t, compute(t));
    CHECK(t, !fstat(fileno(file), &after) && after.st_size == 0, "%lld bytes were written",
          (long long)after.st_size);
    for (int i = 0; i < 3; i++)
        close(i);
    NEED_OK(t, compute(t));
}

void rule_robustness_needs_no_home(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_close(t);
    setenv("HOME", "/nonexistent", 1);
    setenv("TMPDIR", "/nonexistent", 1);
    setenv("XDG_CACHE_HOME", "/nonexistent", 1);
    ARGS(t, Client_Create, args, );
    NEED_OK(t, CALL(t, Client_Create, &args));
    t->client = args.client;
    ARGS(t, Client_AddressableDevices, devices, .client = t->client);
    NEED_OK(t, CALL(t, Client_AddressableDevices, &devices));
    t->device = devices.addressable_devices[0];
    NEED_OK(t, compute(t));
}

/* Executes a program that is compiled already. */
struct prepared {
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[2];
};

static struct error *prepare(struct rule_context *t, struct prepared *out)
{
    static const float one[] = {1, 2, 3, 4};
    PJRT_Buffer *result;
    TRY(rule_compile_file(t, "add.mlirbc", &out->executable));
    TRY(rule_upload_floats(t, one, 4, &out->inputs[0]));
    TRY(rule_upload_floats(t, one, 4, &out->inputs[1]));
    TRY(rule_execute(t, out->executable, out->inputs, 2, &result, 1)); /* what is made once */
    DESTROY(t, Buffer, buffer, result);
    return NULL;
}

void rule_robustness_survives_missing_files(struct rule_context *t)
{
    struct prepared prepared;
    struct rlimit none = {0, 0};
    PJRT_Buffer *result;
    NEED_CLIENT(t);
    NEED_OK(t, prepare(t, &prepared));
    none.rlim_max = 4096;
    setrlimit(RLIMIT_NOFILE, &none);
    CHECK_OK(t, rule_execute(t, prepared.executable, prepared.inputs, 2, &result, 1));
    error_free(compute(t));
}

void rule_robustness_survives_missing_threads(struct rule_context *t)
{
    struct prepared prepared;
    struct rlimit none = {1, 1};
    PJRT_Buffer *result;
    NEED_CLIENT(t);
    NEED_OK(t, prepare(t, &prepared));
    setrlimit(RLIMIT_NPROC, &none);
    if (!geteuid() && setresuid(65534, 65534, 65534)) { /* no limit holds for root */
        rule_skip(t, "root cannot become another user");
        return;
    }
    error_free(rule_execute(t, prepared.executable, prepared.inputs, 2, &result, 1));
    error_free(compute(t));
}
