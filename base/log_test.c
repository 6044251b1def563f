#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

/* Runs body with stderr redirected to a pipe; returns its output. */
static const char *captured(void (*body)(void))
{
    static char text[8192];
    int ends[2], before = dup(STDERR_FILENO);
    cr_assert_eq(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    body();
    dup2(before, STDERR_FILENO);
    close(ends[1]);
    ssize_t size = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    text[size > 0 ? size : 0] = '\0';
    return text;
}

static void say(void)
{
    LOG(ERROR, "bad %d", 1);
    LOG(WARNING, "odd %d", 2);
    LOG(DEBUG, "detail");
}

Test(log, silent_by_default)
{
    unsetenv("GANTRY_LOG");
    unsetenv("TF_CPP_MIN_LOG_LEVEL");
    cr_assert_str_empty(captured(say));
}

Test(log, obeys_its_variable)
{
    setenv("GANTRY_LOG", "warning", 1);
    setenv("TF_CPP_MIN_LOG_LEVEL", "3", 1);
    cr_assert_str_eq(captured(say), "gantry: error: bad 1\ngantry: warning: odd 2\n");
}

Test(log, obeys_xla_s_variable)
{
    unsetenv("GANTRY_LOG");
    setenv("TF_CPP_MIN_LOG_LEVEL", "2", 1);
    cr_assert_str_eq(captured(say), "gantry: error: bad 1\n");
}

static void say_much(void)
{
    char text[6000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    LOG(ERROR, "%s", text);
}

Test(log, long_messages_are_cut)
{
    setenv("GANTRY_LOG", "error", 1);
    const char *text = captured(say_much);
    cr_assert_leq(strlen(text), 4096);
    cr_assert_eq(text[strlen(text) - 1], '\n');
}
