/* unfinished_files_test.c: processes that are killed, or reach a limit, while they write files.
 * What they leave neither stops later ones, nor is loaded as an executable. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/plugin_fixture.h"

enum { CHILD_SECONDS = 120 };

static struct test_context t;

static void prepare(void)
{
    t = plugin_context();
    plugin_folder_make();
}

/* The file system's own limit: writes that are cut short, and then fail. */
Test(unfinished_files, dumps_beyond_a_size_limit, .init = prepare, .fini = plugin_folder_remove,
     .timeout = 600)
{
    struct rlimit limit = {4000, 4000};
    setenv("GANTRY_DUMP", plugin_folder, 1);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert(test_context_open(&t, STAGE_CLIENT));
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int i = 0; i < 3; i++)
        cr_expect_null(test_context_run_program(&t, PROGRAM_mlp_grad));
    test_context_close(&t);
}

/* Processes that are killed while they write to a folder; the next one writes there again. */
Test(unfinished_files, killed_while_writing_dumps, .init = prepare, .fini = plugin_folder_remove,
     .timeout = 600)
{
    setenv("GANTRY_DUMP", plugin_folder, 1);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (!child) {
            alarm(CHILD_SECONDS);
            while (test_context_open(&t, STAGE_CLIENT) &&
                   !test_context_run_program(&t, PROGRAM_mlp_grad))
                test_context_close(&t);
            _exit(1);
        }
        usleep(20000 + 7000 * (unsigned)i);
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    cr_assert(test_context_open(&t, STAGE_CLIENT));
    cr_expect_null(test_context_run_program(&t, PROGRAM_mlp_grad));
    test_context_close(&t);
}

static void expect_refused(const char *bytes, size_t size, size_t whole)
{
    ABI_ARGS(Executable_DeserializeAndLoad, load, .client = t.client,
             .serialized_executable = bytes, .serialized_executable_size = size);
    struct error *error = ABI_CALL(t.api, Executable_DeserializeAndLoad, &load);
    cr_expect_not_null(error, "%zu of %zu bytes are an executable", size, whole);
    error_free(error);
}

/* What a client's cache holds of an executable after its process was killed, or its disk was full:
 * the beginning, or the whole size with zeros at the end. */
Test(unfinished_files, executables_that_were_not_written_to_the_end, .init = prepare,
     .fini = plugin_folder_remove, .timeout = 600)
{
    PJRT_LoadedExecutable *loaded;
    cr_assert(test_context_open(&t, STAGE_CLIENT));
    cr_assert_null(test_context_compile(&t, PROGRAM_mlp_grad, &loaded));
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    cr_assert_null(ABI_CALL(t.api, LoadedExecutable_GetExecutable, &get));
    ABI_ARGS(Executable_Serialize, args, .executable = get.executable);
    cr_assert_null(ABI_CALL(t.api, Executable_Serialize, &args));
    size_t whole = args.serialized_bytes_size;
    char *bytes = malloc(whole);
    for (size_t size = 0; size < whole; size += 1 + size / 16) {
        memcpy(bytes, args.serialized_bytes, size);
        memset(bytes + size, 0, whole - size);
        expect_refused(bytes, size, whole);
        expect_refused(bytes, whole, whole);
    }
    free(bytes);
    args.serialized_executable_deleter(args.serialized_executable);
    ABI_DESTROY(t.api, Executable, executable, get.executable);
    abi_executable_destroy(t.api, loaded);
    test_context_close(&t);
}
