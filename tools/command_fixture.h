/* command_fixture.h: runs the command in tests. GANTRY_LIB is the folder of the libraries; the
 * command is in the sibling folder bin. */
#ifndef GANTRY_TOOLS_COMMAND_FIXTURE_H
#define GANTRY_TOOLS_COMMAND_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char shown[1 << 20]; /* output of the last command, including messages */

/* Runs a shell command and returns its exit status. */
static int command(const char *line)
{
    FILE *pipe = popen(line, "r");
    cr_assert_not_null(pipe);
    size_t size = fread(shown, 1, sizeof shown - 1, pipe);
    shown[size] = '\0';
    int status = pclose(pipe);
    cr_assert(WIFEXITED(status), "%s", line);
    return WEXITSTATUS(status);
}

/* Runs gantry with arguments and returns its exit status. */
static int gantry(const char *arguments)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[8192];
    snprintf(line, sizeof line, "%s/../bin/gantry %s 2>&1", folder ? folder : "build/lib",
             arguments);
    return command(line);
}

static inline void expect(const char *arguments, int code, const char *part)
{
    int got = gantry(arguments);
    cr_assert_eq(got, code, "gantry %s: ends with %d: %s", arguments, got, shown);
    cr_assert_not_null(strstr(shown, part), "gantry %s: %s", arguments, shown);
}

#endif
