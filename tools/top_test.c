/* top_test.c: gantry top beside a process that runs a program, and its page of given reports. */
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include "tools/command_fixture.h"
#include "tools/top_process.h"
#include "tools/top_text.h"

enum { LOOKS = 600, LOOK_US = 100000 };

static const char *print(const char *report, const char *before)
{
    struct text text = {0};
    cJSON *now = cJSON_Parse(report), *earlier = before ? cJSON_Parse(before) : NULL;
    cr_assert_not_null(now);
    top_text_print(now, earlier, &text);
    snprintf(shown, sizeof shown, "%.*s", (int)text.size, text.data);
    text_free(&text);
    cJSON_Delete(now);
    cJSON_Delete(earlier);
    return shown;
}

static void shows(const char *part)
{
    cr_assert_not_null(strstr(shown, part), "no '%s' in: %s", part, shown);
}

Test(top, page)
{
    print(
        "{\"pid\": 7, \"seconds\": 10, \"build\": \"gantry 1\", \"counters\": {\"executions\": 50},"
        "\"times\": {\"execute\": {\"count\": 50, \"p50\": 0.002, \"p99\": 0.5, \"max\": 2}},"
        "\"programs\": [{\"name\": \"jit_f\", \"compilations\": 2, \"seconds\": 3, "
        "\"reason\": \"argument 0 was f32[4], is f32[5]\"}],"
        "\"devices\": [{\"name\": \"gantry_cpu:0\", \"queued\": 3, \"program\": \"jit_f\", "
        "\"program_seconds\": 2.5, \"step\": \"all_reduce\", \"step_seconds\": 1.5, \"memories\": "
        "[{\"kind\": \"device\", \"in_use\": 2048, \"buffers\": 1, \"peak\": 4096, "
        "\"largest\": [{\"count\": 1, \"bytes\": 2048, \"label\": \"x\"}]}]}]}",
        "{\"seconds\": 8, \"counters\": {\"executions\": 40}}");
    shows("process 7, 10 s, gantry 1\n");
    shows("executions   50, 5.0 a second, 0 failed\n");
    shows("an execution: half within 2.0 ms, 99% within 500.0 ms, at most 2.0 s\n");
    shows("gantry_cpu:0: jit_f, for 2.5 s; 3 in the queue\n  at all_reduce, for 1.5 s\n");
    shows("2 KiB in use by 1 buffers, peak 4 KiB\n    1 x 2 KiB  x\n");
    shows("again because argument 0 was f32[4], is f32[5]\n");
}

Test(top, reports_without_members)
{
    cr_assert_not_null(print("{}", NULL));
    print("{\"devices\": [{}, 3, {\"memories\": [{\"in_use\": 1}]}], \"programs\": [null, {}], "
          "\"counters\": 4, \"times\": [1], \"pid\": \"x\"}",
          "[]");
    shows("process 0");
}

/* A process that runs a program until it is killed. */
static pid_t start(void)
{
    const char *folder = getenv("GANTRY_LIB");
    char path[4096];
    snprintf(path, sizeof path, "%s/../bin/gantry", folder ? folder : "build/lib");
    pid_t pid = fork();
    if (pid)
        return pid;
    setenv("GANTRY_TOP", "1", 1);
    cr_assert_not_null(freopen("/dev/null", "w", stdout));
    execl(path, path, "bench", "conformance/programs/add.mlir", "--seconds", "600", "--input",
          "4xf32=1", "--input", "4xf32=2", (char *)NULL);
    _exit(1);
}

static void stop(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Looks until the process has executed something. */
static double executions_of(pid_t pid)
{
    double executions = 0;
    for (int i = 0; i < LOOKS && executions == 0; i++) {
        cJSON *report;
        struct error *error = top_process_read(pid, &report);
        error_free(error);
        if (error) {
            usleep(LOOK_US);
            continue;
        }
        cJSON *counters = cJSON_GetObjectItem(report, "counters");
        executions = cJSON_GetObjectItem(counters, "executions")->valuedouble;
        cJSON_Delete(report);
    }
    return executions;
}

Test(top, attaches_to_a_process)
{
    char arguments[64];
    long pids[64];
    bool listed = false;
    pid_t pid = start();
    cr_assert_gt(executions_of(pid), 0);
    size_t count = top_process_list(pids, 64);
    for (size_t i = 0; i < count && i < 64; i++)
        listed |= pids[i] == pid;
    cr_expect(listed);
    snprintf(arguments, sizeof arguments, "top %d", (int)pid);
    expect(arguments, 0, "executions");
    shows("programs by compilation time");
    snprintf(arguments, sizeof arguments, "top --json %d", (int)pid);
    expect(arguments, 0, "\"counters\":");
    stop(pid);
    expect(arguments, 1, "NOT_FOUND");
}

Test(top, mistakes)
{
    expect("top 1", 1, "GANTRY_TOP=1");
    expect("top x", 2, "unknown argument");
    expect("top -- 3", 2, "unknown argument");
    expect("top --interval 0", 2, "0.1 to 3600");
    expect("top --intervall 1", 2, "did you mean --interval");
}
