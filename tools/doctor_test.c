/* doctor_test.c: tests the report of gantry doctor, and each kind of problem. */
#include "tools/doctor.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tools/command_fixture.h"
#include "tools/file.h"

/* The tests do not depend on what is installed here. */
static void no_clients(void)
{
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("PJRT_PLUGIN_LIBRARY_PATH", "/usr/lib", 1);
}

static cJSON *report_of(const char *arguments, int code)
{
    int got = gantry(arguments);
    cr_assert_eq(got, code, "gantry %s: ends with %d: %s", arguments, got, shown);
    cJSON *json = cJSON_Parse(shown);
    cr_assert_not_null(json, "%s", shown);
    return json;
}

/* A new folder with the programs and libraries of this build, as links. */
static void make_installation(char *folder)
{
    char line[1024];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(line, sizeof line,
             "lib=$(realpath %s); mkdir %s/bin %s/lib && cp $lib/../bin/gantry %s/bin && ln "
             "$lib/*.so* %s/lib "
             "2>/dev/null || cp $lib/*.so* %s/lib",
             getenv("GANTRY_LIB"), folder, folder, folder, folder, folder);
    cr_assert_eq(command(line), 0, "%s", shown);
}

static int doctor_of(const char *folder, const char *arguments)
{
    char line[256];
    snprintf(line, sizeof line, "%s/bin/gantry doctor %s 2>&1", folder, arguments);
    return command(line);
}

Test(doctor, a_sound_installation, .init = no_clients)
{
    setenv("GANTRY_CPU_DEVICES", "3", 1);
    cJSON *report = report_of("doctor --json", 0), *item, *test;
    cr_expect_eq(doctor_count(report, DOCTOR_ERROR), 0);
    cr_expect_not_null(cJSON_GetObjectItem(cJSON_GetObjectItem(report, "machine"), "processor"));
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(
                         cJSON_GetObjectItem(report, "environment"), "GANTRY_CPU_DEVICES")),
                     "3");
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(report, "libraries"))
        cr_expect_null(cJSON_GetObjectItem(item, "error"));
    const cJSON *plugin = cJSON_GetObjectItem(report, "plugins")->child;
    const cJSON *tests = cJSON_GetObjectItem(plugin, "self_test");
    cr_expect_eq(cJSON_GetArraySize(tests), 3);
    cJSON_ArrayForEach(test, tests) cr_expect_null(cJSON_GetObjectItem(test, "error"));
    cJSON_Delete(report);
    expect("doctor", 0, "ok   gantry_cpu:2 runs it in ");
    expect("doctor", 0, "\n0 errors, ");
    expect("doctor", 0, "  GANTRY_CPU_DEVICES=3\n");
}

Test(doctor, usage)
{
    expect("doctor --jsn", 2, "did you mean --json?");
    expect("doctor --plugin", 2, "--plugin needs a value");
}

/* Settings: a wrong value, a mistyped name, a file that is not there, and what costs speed. */
Test(doctor, settings, .init = no_clients)
{
    setenv("GANTRY_THREADS", "many", 1);
    setenv("GANTRY_CPU_DEVICS", "3", 1);
    expect("doctor", 3, "ERROR  the environment variable GANTRY_THREADS is 'many', which is not");
    cr_expect_not_null(strstr(shown, "-> unset GANTRY_THREADS, or set it to 0 to 65536"));
    cr_expect_not_null(strstr(shown, "GANTRY_CPU_DEVICS is unknown; did you mean"), "%s", shown);
    cr_expect_not_null(strstr(shown, "\n2 errors, "), "%s", shown);
    unsetenv("GANTRY_CPU_DEVICS");
    setenv("GANTRY_THREADS", "1", 1);
    setenv("PJRT_LIBRARY_PATH", "/no/such/plugin.so", 1);
    setenv("CPU_NUM_DEVICES", "x", 1);
    expect("doctor", 1, "PJRT_LIBRARY_PATH names /no/such/plugin.so: No such file or directory");
    cr_expect_not_null(strstr(shown, "note   GANTRY_THREADS is set: programs may use fewer"));
    cr_expect_not_null(strstr(shown, "CPU_NUM_DEVICES is 'x', which is not allowed and ignored"),
                       "%s", shown);
}

Test(doctor, other_plugins, .init = no_clients)
{
    expect("doctor --plugin /lib/x86_64-linux-gnu/libm.so.6", 3, "not a PJRT plugin");
    setenv("PJRT_NAMES_AND_LIBRARY_PATHS", "other:/no/such/other.so", 1);
    expect("doctor", 1, "FAIL /no/such/other.so (PJRT_NAMES_AND_LIBRARY_PATHS)");
}

Test(doctor, a_missing_and_a_truncated_library, .init = no_clients)
{
    char folder[] = "/tmp/gantry_test_XXXXXX", line[256];
    make_installation(folder);
    snprintf(line, sizeof line, "rm %s/lib/libgantry_cpu.so", folder);
    cr_assert_eq(command(line), 0);
    cr_expect_eq(doctor_of(folder, ""), 1, "%s", shown); /* the other plugin works */
    cr_expect_not_null(strstr(shown, "ERROR  libgantry_cpu.so: is missing\n       -> install"),
                       "%s", shown);
    snprintf(line, sizeof line, "cd %s/lib; head -c 90000 libgantry.so >x; mv x libgantry.so",
             folder);
    cr_assert_eq(command(line), 0);
    cr_expect_eq(doctor_of(folder, ""), 3, "%s", shown);
    cr_expect_not_null(strstr(shown, "libgantry.so is truncated"), "%s", shown);
    snprintf(line, sizeof line, "rm -r %s", folder);
    cr_expect_eq(command(line), 0);
}

/* ---- Clients --------------------------------------------------------------------------------- */

/* An interpreter that says what Python's metadata would. */
static void make_python(const char *folder, const char *lines)
{
    char path[256], script[512];
    snprintf(path, sizeof path, "%s/python3", folder);
    int size = snprintf(script, sizeof script, "#!/bin/sh\nprintf '%s'\n", lines);
    cr_assert_null(file_write(path, script, (size_t)size));
    chmod(path, 0755);
    snprintf(script, sizeof script, "%s:/usr/bin:/bin", folder);
    setenv("PATH", script, 1);
}

Test(doctor, clients)
{
    char folder[] = "/tmp/gantry_test_XXXXXX", line[64];
    cr_assert_not_null(mkdtemp(folder));
    make_python(folder, "/an env 3.13.1\\njax 0.3.2\\njaxlib 0.3.2\\nnumpy 2.0\\n");
    expect("doctor", 0, "  Python 3.13.1 /an env: jax 0.3.2, jaxlib 0.3.2, numpy 2.0\n");
    cr_expect_not_null(strstr(shown, "note   JAX in /an env does not find Gantry\n"), "%s", shown);
    cr_expect_not_null(strstr(shown, "jax 0.3.2 in /an env: Gantry is tested with 0.6 to"));
    make_python(folder, "/an env 3.13.1\\njax 0.10.9\\ngantry-pjrt 0.1.0\\n");
    expect("doctor", 0, "jax 0.10.9, gantry-pjrt 0.1.0\n");
    cr_expect_null(strstr(shown, "/an env\n       ->"), "%s", shown);
    snprintf(line, sizeof line, "rm -r %s", folder);
    cr_expect_eq(command(line), 0);
}

Test(doctor, versions)
{
    cr_expect(doctor_is_older("0.5.9", "0.6"));
    cr_expect(doctor_is_older("0.9.2", "0.10"));
    cr_expect(!doctor_is_older("0.10.2", "0.10"));
    cr_expect(!doctor_is_older("0.6.0", "0.6"));
    cr_expect(doctor_is_older("0.6.0", "0.6.1rc1"));
    cr_expect_null(doctor_tested("numpy"));
}

/* The versions are those of scripts/versions.txt, whose sections are "[jax 0.6.2]". */
Test(doctor, tested_versions_are_those_of_the_project)
{
    static const char *const packages[] = {"jax", "torch_xla"};
    char *text, word[64], oldest[32], newest[32];
    size_t size;
    cr_assert_null(file_read("scripts/versions.txt", &text, &size));
    for (int i = 0; i < 2; i++) {
        int found = 0;
        snprintf(word, sizeof word, "\n[%s ", packages[i]);
        for (const char *at = text; (at = strstr(at, word)); found++) {
            at += strlen(word);
            const char *dot = strchr(strchr(at, '.') + 1, '.');
            snprintf(newest, sizeof newest, "%.*s", (int)(dot - at), at);
            if (!found)
                snprintf(oldest, sizeof oldest, "%s", newest);
        }
        cr_assert_gt(found, 0);
        cr_expect_str_eq(doctor_tested(packages[i])->oldest, oldest);
        cr_expect_str_eq(doctor_tested(packages[i])->newest, newest);
    }
    alloc_free(text);
}

Test(doctor, advice_about_libraries)
{
    cr_expect_str_eq(doctor_library_advice("libhwloc.so.15: cannot open shared object file"),
                     "sudo apt-get install -y libhwloc15");
    cr_expect_str_eq(doctor_library_advice("x.so: failed to map segment from shared object"),
                     "the folder is on a file system mounted noexec: move Gantry to another one");
    cr_expect(strstr(doctor_library_advice("?"), "install Gantry again"));
}
