/* suite_process.c: the plugin's effects on the process of its client: forks, writable and
 * executable memory, standard streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/test_context.h"

/* Python may fork after using the plugin; the child can use it, too. */
static void fork_after_use(struct test_context *t)
{
    PJRT_LoadedExecutable *executable;
    int status = 1;
    NEED_OK(t, test_context_compile(t, PROGRAM_large, &executable));
    CHECK_OK(t, test_context_run_once(t, PROGRAM_large, executable));
    pid_t child = fork();
    NEED(t, child >= 0, "cannot fork");
    if (child == 0) {
        alarm(30);
        CHECK_OK(t, test_context_run_once(t, PROGRAM_large, executable));
        CHECK_OK(t, test_context_run_program(t, PROGRAM_matmul));
        _exit(atomic_load(&t->failures) > 0);
    }
    CHECK_OK(t, test_context_run_once(t, PROGRAM_large, executable));
    waitpid(child, &status, 0);
    CHECK(t, WIFEXITED(status) && !WEXITSTATUS(status), "the forked process ends with status %#x",
          status);
    abi_executable_destroy(t->api, executable);
}

static int count_writable_code(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1024], access[8];
    int count = 0;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%*s %7s", access) == 1 && strchr(access, 'w') && strchr(access, 'x')) {
            count++;
            if (getenv("GANTRY_TEST_MAPS"))
                fputs(line, stderr);
        }
    if (maps)
        fclose(maps);
    return count;
}

static void check_code(struct test_context *t, enum test_context_program_name name)
{
    int before = count_writable_code();
    PJRT_LoadedExecutable *executable;
    NEED_OK(t, test_context_compile(t, name, &executable));
    CHECK_OK(t, test_context_run_once(t, name, executable));
    CHECK(t, count_writable_code() == before, "%s leaves memory that can be written and run",
          test_context_programs[name].name);
    abi_executable_destroy(t->api, executable);
}

/* No memory is both writable and executable: neither that of generated code, nor that of code from
 * libraries for matrix products. */
static void no_writable_code(struct test_context *t)
{
    for (int name = 0; name < PROGRAM_COUNT; name++)
        if (name != PROGRAM_matmul && name != PROGRAM_mlp_grad)
            check_code(t, (enum test_context_program_name)name);
}

static void no_writable_code_of_products(struct test_context *t)
{
    check_code(t, PROGRAM_matmul);
    check_code(t, PROGRAM_mlp_grad);
}

/* Nothing is written to the standard streams, even on errors. */
static void silence(struct test_context *t)
{
    char path[] = "/tmp/gantry_silence_XXXXXX";
    int file = mkstemp(path), saved[2] = {dup(1), dup(2)};
    NEED(t, file >= 0 && saved[0] >= 0 && saved[1] >= 0, "no temporary file");
    unlink(path);
    struct abi_program wrong = {.code = "module {", .code_size = 8, .format = "mlir"};
    PJRT_LoadedExecutable *executable;
    fflush(NULL);
    dup2(file, 1);
    dup2(file, 2);
    struct error *error = NULL;
    for (int name = 0; name < PROGRAM_COUNT && !error; name++)
        error = test_context_run_program(t, (enum test_context_program_name)name);
    error_free(abi_compile(t->api, t->client, &wrong, &executable));
    fflush(NULL);
    dup2(saved[0], 1);
    dup2(saved[1], 2);
    CHECK_OK(t, error);
    CHECK(t, lseek(file, 0, SEEK_END) == 0, "the plugin writes to the standard streams");
}

static const struct test_context_case cases[] = {
    {"fork_after_use", fork_after_use, STAGE_CLIENT, 90},
    {"no_writable_code", no_writable_code, STAGE_CLIENT, 0},
    {"no_writable_code_of_products", no_writable_code_of_products, STAGE_CLIENT, 0},
    {"silence", silence, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_process = {"process", cases};
