/* cts_test.c: runs on this build's own plugin. GANTRY_LIB is its folder. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/cts/cts.h"

static const char *plugin_path(void)
{
    static char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    return path;
}

static void expect_passes(int jobs, bool in_process)
{
    struct cts_request request = {.plugin = plugin_path(),
                                  .selection = {.patterns = {"2", "6.2"}, .pattern_count = 2},
                                  .profiles[PROFILE_jax] = true,
                                  .seed = 1,
                                  .jobs = jobs,
                                  .in_process = in_process};
    struct report report;
    cr_assert_null(cts_run(&request, &report));
    struct report_counts counts = report_count(&report);
    cr_expect(report.facts.has_client, "%s", report.facts.problem);
    cr_expect_eq(report.facts.minor, PJRT_API_MINOR);
    cr_expect_str_eq(report.facts.platform, "cpu");
    cr_expect_eq(counts.failed, 0);
    cr_expect_gt(counts.passed, 20);
    report_free(&report);
}

Test(cts, in_children)
{
    expect_passes(1, false);
    expect_passes(4, false);
}

Test(cts, in_process)
{
    expect_passes(1, true);
}

Test(cts, no_plugin)
{
    struct cts_request request = {.plugin = "/bin/true", .jobs = 1};
    struct report report;
    cr_assert_null(cts_run(&request, &report));
    cr_expect_not(report.facts.has_table);
    cr_expect_eq(report.result_count, 0);
    report_free(&report);
    request.plugin = "/no/such/file.so";
    struct error *error = cts_run(&request, &report);
    cr_expect_eq(error_code(error), PJRT_Error_Code_NOT_FOUND);
    error_free(error);
}

static void copy_file(const char *from, const char *to)
{
    char command[9000];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    cr_assert_eq(system(command), 0);
}

/* In a process of its own: puts another file in a plugin's place as soon as it has been read. */
static pid_t replace_when_read(const char *path)
{
    int notices = inotify_init1(IN_CLOEXEC);
    cr_assert_geq(inotify_add_watch(notices, path, IN_CLOSE_NOWRITE), 0);
    pid_t process = fork();
    if (!process) {
        char event[4096], other[4096];
        snprintf(other, sizeof other, "%s.new", path);
        _exit(read(notices, event, sizeof event) <= 0 || rename(other, path));
    }
    close(notices);
    return process;
}

Test(cts, replaced_plugin)
{
    char folder[] = "/tmp/gantry_cts_XXXXXX", path[64], other[72];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/plugin.so", folder);
    snprintf(other, sizeof other, "%s.new", path);
    copy_file(plugin_path(), path);
    copy_file("/bin/true", other);
    pid_t process = replace_when_read(path);
    struct cts_request request = {
        .plugin = path, .selection = {.patterns = {"2"}, .pattern_count = 1}, .jobs = 1};
    struct report report;
    struct error *error = cts_run(&request, &report);
    cr_expect_eq(error_code(error), PJRT_Error_Code_FAILED_PRECONDITION);
    cr_expect_not_null(strstr(error_message(error, NULL), "was replaced while it was checked"));
    int status;
    cr_expect_eq(waitpid(process, &status, 0), process);
    cr_expect_eq(status, 0);
    error_free(error);
    unlink(path);
    rmdir(folder);
}

Test(cts, list)
{
    struct text text = {0};
    cr_assert_null(cts_list(&(struct selection){0}, &text));
    cr_expect_gt(text.size, 10000);
    text_free(&text);
}
