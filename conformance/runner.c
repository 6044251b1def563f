/* runner.c: gantry_conformance PLUGIN... [SUITE | SUITE.CASE]... [--programs FOLDER] [--expected
 * FILE] [--list] [--together] runs the suites on each plugin. Each case runs in its own process,
 * with a time limit; --together runs all cases in this process, for debuggers and sanitizers. A
 * line of the --expected file is a glob over names of cases and the reason why they fail: failures
 * of these cases count as skipped, and cases that pass are reported. The last line is 'N passed, N
 * failed, N skipped'; the exit status is 1 if any case failed. */
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/test_context.h"

static const struct test_context_suite *const suites[] = {
    &suite_load,     &suite_buffers,  &suite_events,    &suite_forms,       &suite_serialize,
    &suite_topology, &suite_transfer, &suite_lifetimes, &suite_input,       &suite_versions,
    &suite_process,  &suite_leak,     &suite_threads,   &suite_callbacks,   &suite_progress,
    &suite_stress,   &suite_misuse,   &suite_layouts,   &suite_collectives, &suite_sequences,
};
enum { SUITES = sizeof suites / sizeof *suites, MAX_NAMES = 64, SKIPPED = 77 };

struct request {
    const char *plugins[MAX_NAMES], *names[MAX_NAMES];
    int plugin_count, name_count;
    const char *programs, *expected;
    bool list, together;
};

struct counts {
    int passed, failed, skipped;
};

static bool is_wanted(const struct request *request, const char *suite, const char *name)
{
    char full[128];
    snprintf(full, sizeof full, "%s.%s", suite, name);
    for (int i = 0; i < request->name_count; i++)
        if (!strcmp(request->names[i], suite) || !strcmp(request->names[i], full))
            return true;
    return !request->name_count;
}

/* Whether the case is an expected failure. */
static bool is_expected_to_fail(const struct request *request, const char *suite, const char *name)
{
    char full[128], line[512];
    bool found = false;
    FILE *file = request->expected ? fopen(request->expected, "r") : NULL;
    snprintf(full, sizeof full, "%s.%s", suite, name);
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, " \t\n#")] = '\0';
        found = *line && !fnmatch(line, full, 0);
    }
    if (file)
        fclose(file);
    return found;
}

/* Runs a case in this process; returns 0, 1 or SKIPPED. */
static int run_here(const struct test_context_case *item, const char *plugin, const char *programs)
{
    struct test_context t = {.path = plugin, .programs = programs};
    if (test_context_open(&t, item->stage))
        item->run(&t);
    int failures = atomic_load(&t.failures);
    bool skipped = atomic_load(&t.skipped);
    test_context_close(&t);
    return failures ? 1 : skipped ? SKIPPED : 0;
}

/* Runs a case in a child process. Returns the result of run_here, or prints the reason and returns
 * 1 if the child crashes or times out. */
static int run_apart(const struct test_context_case *item, const char *plugin, const char *programs)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm((unsigned)(item->seconds ? item->seconds : 60));
        int result = run_here(item, plugin, programs);
        fflush(NULL);
        _exit(result);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 1;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGALRM)
        fprintf(stderr, "    out of time\n");
    else
        fprintf(stderr, "    ended by signal %d (%s)\n", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    return 1;
}

static void run_suite(const struct request *request, const char *plugin,
                      const struct test_context_suite *suite, struct counts *counts)
{
    for (const struct test_context_case *item = suite->cases; item->name; item++) {
        if (!is_wanted(request, suite->name, item->name))
            continue;
        if (request->list) {
            printf("%s.%s\n", suite->name, item->name);
            continue;
        }
        fflush(NULL);
        int result = (request->together ? run_here : run_apart)(item, plugin, request->programs);
        if (is_expected_to_fail(request, suite->name, item->name)) {
            if (!result)
                printf("%s.%s passes, but %s lists it\n", suite->name, item->name,
                       request->expected);
            else
                result = SKIPPED;
        }
        counts->passed += result == 0;
        counts->skipped += result == SKIPPED;
        counts->failed += result && result != SKIPPED;
        if (result)
            printf("%s %s.%s\n", result == SKIPPED ? "skip" : "FAIL", suite->name, item->name);
    }
}

static bool read_arguments(int argc, char **argv, struct request *request)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--list"))
            request->list = true;
        else if (!strcmp(argv[i], "--together"))
            request->together = true;
        else if (!strcmp(argv[i], "--programs") && i + 1 < argc)
            request->programs = argv[++i];
        else if (!strcmp(argv[i], "--expected") && i + 1 < argc)
            request->expected = argv[++i];
        else if (argv[i][0] == '-' || request->name_count == MAX_NAMES ||
                 request->plugin_count == MAX_NAMES)
            return false;
        else if (strstr(argv[i], ".so"))
            request->plugins[request->plugin_count++] = argv[i];
        else
            request->names[request->name_count++] = argv[i];
    }
    if (request->list)
        request->plugin_count = 1;
    return request->plugin_count > 0;
}

int main(int argc, char **argv)
{
    struct request request = {.programs = "conformance/programs"};
    struct counts counts = {0};
    if (!read_arguments(argc, argv, &request)) {
        fprintf(stderr,
                "usage: %s PLUGIN.so... [SUITE | SUITE.CASE]... [--programs FOLDER] [--list] "
                "[--together]\n",
                argv[0]);
        return 2;
    }
    for (int p = 0; p < request.plugin_count; p++) {
        if (!request.list)
            printf("-- %s\n", request.plugins[p]);
        for (int s = 0; s < SUITES; s++)
            run_suite(&request, request.plugins[p], suites[s], &counts);
    }
    if (!request.list)
        printf("%d passed, %d failed, %d skipped\n", counts.passed, counts.failed, counts.skipped);
    return counts.failed > 0;
}
