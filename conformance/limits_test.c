/* limits_test.c: runs the command with decreasing limits of address space: it must succeed or
 * report an error, and must never be killed by a signal, LLVM or the C++ runtime. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_MIB = 80, LAST_MIB = 320, STEP_MIB = 5 };

static void run_limited(const char *command, rlim_t bytes)
{
    struct rlimit space = {bytes, bytes}, core = {0, 0};
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    setrlimit(RLIMIT_CORE, &core);
    setrlimit(RLIMIT_AS, &space);
    execl(command, command, "run", "conformance/programs/mlp_grad.mlir", "--input", "8x16xf32=1",
          "--input", "16xf32=1", "--input", "16x4xf32=1", "--input", "32x8xf32=1", "--input",
          "32x4xf32=1", (char *)NULL);
    _exit(126);
}

Test(limits, address_space)
{
    char command[4096];
    int status, succeeded = 0, failed = 0;
    const char *folder = getenv("GANTRY_LIB");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    cr_skip_test("sanitizers need terabytes of address space");
#endif
    snprintf(command, sizeof command, "%s/../bin/gantry", folder ? folder : "build/lib");
    for (rlim_t mib = FIRST_MIB; mib <= LAST_MIB; mib += STEP_MIB) {
        pid_t child = fork();
        if (!child)
            run_limited(command, mib << 20);
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert(WIFEXITED(status), "%d MiB: ended by signal %d", (int)mib, WTERMSIG(status));
        cr_assert_neq(WEXITSTATUS(status), 126, "the command cannot be started");
        cr_assert_leq(WEXITSTATUS(status), 127, "%d MiB: exit status %d", (int)mib,
                      WEXITSTATUS(status)); /* 127: the loader's error */
        succeeded += WEXITSTATUS(status) == 0;
        failed += WEXITSTATUS(status) != 0;
    }
    cr_assert_gt(succeeded, 0, "the largest limit is enough");
    cr_assert_gt(failed, 0, "the smallest limit is not");
}
