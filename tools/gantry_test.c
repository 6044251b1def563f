/* gantry_test.c: the command as its users see it: what it prints, and what it ends with. GANTRY_LIB
 * names the folder of the libraries; the command is in the bin beside it. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADD "conformance/programs/add.mlirbc "
#define INPUTS "--input 4xf32=1,2,3,4 --input 4xf32=0.5 "

static char shown[1 << 20]; /* what the last command wrote, messages included */

/* Runs the command with arguments, and gives what it ended with. */
static int gantry(const char *arguments)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[8192];
    snprintf(line, sizeof line, "%s/../bin/gantry %s 2>&1", folder ? folder : "build/lib",
             arguments);
    FILE *pipe = popen(line, "r");
    cr_assert_not_null(pipe);
    size_t size = fread(shown, 1, sizeof shown - 1, pipe);
    shown[size] = '\0';
    int status = pclose(pipe);
    cr_assert(WIFEXITED(status), "%s", arguments);
    return WEXITSTATUS(status);
}

static void expect(const char *arguments, int code, const char *part)
{
    int got = gantry(arguments);
    cr_assert_eq(got, code, "gantry %s: ends with %d: %s", arguments, got, shown);
    cr_assert_not_null(strstr(shown, part), "gantry %s: %s", arguments, shown);
}

Test(gantry, help)
{
    expect("", 2, "gantry VERB");
    expect("help", 0, "gantry VERB");
    expect("help run", 0, "gantry run PROGRAM");
    expect("bench --help", 0, "gantry bench PROGRAM");
    expect("--version", 0, "gantry ");
    expect("fly", 2, "gantry: INVALID_ARGUMENT: 'fly'");
    expect("help fly", 2, "gantry: INVALID_ARGUMENT: 'fly'");
}

Test(gantry, run)
{
    expect("run " ADD INPUTS, 0, "0: 4xf32 = [1.5 2.5 3.5 4.5]\n");
    expect("run " ADD INPUTS "--repeat 3", 0, "0: 4xf32 = [1.5 2.5 3.5 4.5]\n");
    expect("run conformance/programs/constants.mlirbc", 0,
           "0: 2x3xf32 =\n[[0. 1. 2.]\n [3. 4. 5.]]\n1: s32 = 7\n");
}

Test(gantry, run_in_vain)
{
    expect("run", 2, "which program?");
    expect("run " ADD "--fly", 2, "'--fly' is not known");
    expect("run " ADD "--input", 2, "--input needs a value");
    expect("run /no/such/program", 1, "gantry: NOT_FOUND: /no/such/program");
    expect("run Makefile", 1, "gantry: INVALID_ARGUMENT: ");
    expect("run " ADD, 1, "gantry: INVALID_ARGUMENT: ");
    expect("run " ADD "--input 5xf32=1 --input 4xf32=1", 1, "gantry: INVALID_ARGUMENT: ");
    expect("run " ADD "--input 4xf33=1", 1, "no element type is called 'f33'");
    expect("run " ADD "--plugin /no/such/plugin.so", 3, "gantry: NOT_FOUND: ");
    expect("run " ADD "--plugin /lib/x86_64-linux-gnu/libm.so.6", 3, "not a PJRT plugin");
    expect("run " ADD "--plugin libm.so.6", 3, "not a PJRT plugin");
    expect("run " ADD "--plugin Makefile", 3, "./Makefile: ");
}

Test(gantry, run_with_a_plugin_that_was_cut_short)
{
    char file[] = "/tmp/gantry_test_XXXXXX", line[300];
    close(mkstemp(file));
    snprintf(line, sizeof line, "head -c 9000 /lib/x86_64-linux-gnu/libm.so.6 >%s", file);
    cr_assert_eq(system(line), 0);
    snprintf(line, sizeof line, "run " ADD "--plugin %s", file);
    expect(line, 3, "is truncated");
    cr_expect_eq(unlink(file), 0);
}

Test(gantry, run_stores_and_compares)
{
    char folder[] = "/tmp/gantry_test_XXXXXX", line[1024];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(line, sizeof line, "run " ADD INPUTS "--output %s", folder);
    cr_assert_eq(gantry(line), 0, "%s", shown);
    cr_assert_str_eq(shown, "");
    snprintf(line, sizeof line, "run " ADD INPUTS "--expect %s/0.npy", folder);
    cr_assert_eq(gantry(line), 0, "%s", shown);
    cr_assert_str_eq(shown, "");
    snprintf(line, sizeof line,
             "run " ADD "--input 4xf32=1,2,3,5 --input 4xf32=0.5 --expect %s/0.npy", folder);
    expect(line, 1, "1 of 4 elements differ");
    snprintf(line, sizeof line, "run " ADD "--input 4xf32=0 --input @%s/0.npy", folder);
    expect(line, 0, "[1.5 2.5 3.5 4.5]");
    snprintf(line, sizeof line, "%s/0.npy", folder);
    unlink(line);
    rmdir(folder);
}

Test(gantry, bench)
{
    expect("bench " ADD INPUTS "--seconds 0.05", 0, "median of");
    cr_assert_eq(gantry("bench " ADD INPUTS "--seconds 0.05 --json"), 0);
    cJSON *json = cJSON_Parse(shown);
    cr_assert(cJSON_GetNumberValue(cJSON_GetObjectItem(json, "median_seconds")) > 0, "%s", shown);
    cJSON_Delete(json);
}

Test(gantry, info)
{
    expect("info", 0, "platform_name: cpu");
    expect("info", 0, "PJRT_DEVICE: TPU");
    cr_assert_eq(gantry("info --json"), 0);
    cJSON *json = cJSON_Parse(shown), *plugins = cJSON_GetObjectItem(json, "plugins");
    cr_assert_geq(cJSON_GetArraySize(plugins), 1);
    cr_assert_not_null(cJSON_GetObjectItem(cJSON_GetArrayItem(plugins, 0), "devices"));
    cJSON_Delete(json);
    expect("info --plugin /lib/x86_64-linux-gnu/libm.so.6", 3, "not a PJRT plugin");
    expect("info --fly", 2, "'--fly'");
}

Test(gantry, env)
{
    expect("env", 0, "GANTRY_THREADS");
    expect("env --shell", 0, "export PJRT_NAMES_AND_LIBRARY_PATHS='gantry:");
    expect("env --fly", 2, "'--fly'");
}
