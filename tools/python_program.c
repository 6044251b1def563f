/* python_program.c: see python_program.h. */
#include "tools/python_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/memory_file.h"
#include "tools/file.h"

extern char **environ;

/* Where lower.py is, from the folder of this program: in the wheel, in the build, in the build of a
 * sanitizer, installed. */
static const char *const script_paths[] = {"../lower.py", "../../python/gantry_pjrt/lower.py",
                                           "../../../python/gantry_pjrt/lower.py",
                                           "../lib/gantry/lower.py"};

static struct error *find_script(char out[PATH_MAX])
{
    char folder[PATH_MAX / 2];
    ssize_t size = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[size > 0 ? size : 0] = '\0';
    char *end = strrchr(folder, '/');
    for (size_t i = 0; end && i < sizeof script_paths / sizeof *script_paths; i++) {
        snprintf(out, PATH_MAX, "%.*s/%s", (int)(end - folder), folder, script_paths[i]);
        if (!access(out, R_OK))
            return NULL;
    }
    return ERROR(NOT_FOUND, "lower.py, which --python needs, is missing: install Gantry again");
}

/* What the user's code prints goes to the error stream. */
static struct error *run(char *const arguments[], const char *source)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    int failed = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return ERROR(NOT_FOUND, "%s: %s; GANTRY_PYTHON names the Python interpreter", arguments[0],
                     strerror(failed));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ERROR(INTERNAL, "waitpid: %s", strerror(errno));
    return WIFEXITED(status) && !WEXITSTATUS(status)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "%s: %s could not lower it; its messages are above",
                       source, arguments[0]);
}

static struct error *lower(const struct python_program *program, char *script, char *output)
{
    const char *chosen = env_text(ENV_GANTRY_PYTHON);
    const char *platform = program->platform ? program->platform : "cpu";
    char devices[16];
    snprintf(devices, sizeof devices, "%d", program->devices);
    char *const arguments[] = {(char *)(uintptr_t)(chosen ? chosen : "python3"),
                               script,
                               (char *)(uintptr_t)program->source,
                               output,
                               (char *)(uintptr_t)platform,
                               devices,
                               (char *)(uintptr_t)program->arguments, /* or the end */
                               NULL};
    return run(arguments, program->source);
}

/* A file in memory, which the child inherits: an interrupted command leaves nothing behind. It is
 * none of the standard streams, which may be closed: the child's are replaced. Negative: errno. */
static int create_output(void)
{
    int file = memory_file_create("gantry_program", true);
    if (file < 0 || file > STDERR_FILENO)
        return file;
    int other = fcntl(file, F_DUPFD, STDERR_FILENO + 1);
    close(file);
    return other;
}

struct error *python_program_read(const struct python_program *program, char **out, size_t *size)
{
    char script[PATH_MAX], output[32];
    *out = NULL;
    TRY(find_script(script));
    int file = create_output();
    if (file < 0)
        return file_error("a file in memory", errno);
    snprintf(output, sizeof output, "/proc/self/fd/%d", file);
    struct error *error = lower(program, script, output);
    if (!error)
        error = file_read(output, out, size);
    close(file);
    return error;
}
