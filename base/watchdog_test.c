/* watchdog_test.c: waits that are too long are reported once, others are not. */
#include "base/watchdog.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/futex.h"

struct named {
    struct watchdog_wait wait; /* first */
    const char *name;          /* NULL: not reported */
    atomic_uint asked;
};

static bool describe(struct watchdog_wait *wait, struct text *out)
{
    struct named *named = (struct named *)wait;
    atomic_fetch_add(&named->asked, 1);
    futex_wake(&named->asked, FUTEX_ALL);
    if (!named->name)
        return false;
    text_add(out, "%s waits", named->name);
    return true;
}

static void await_question(struct named *named)
{
    while (!atomic_load(&named->asked))
        futex_wait(&named->asked, 0);
}

static int output, before;

static void begin(void)
{
    int ends[2];
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    setenv("GANTRY_LOG", "warning", 1);
    cr_assert_eq(pipe(ends), 0);
    before = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    output = ends[0];
}

static void end(void)
{
    dup2(before, STDERR_FILENO);
    close(output);
}

TestSuite(watchdog, .init = begin, .fini = end, .timeout = 300);

/* Reads a message. */
static const char *next_line(void)
{
    static char line[512];
    size_t size = 0;
    while (size < sizeof line - 1 && read(output, &line[size], 1) == 1 && line[size] != '\n')
        size++;
    line[size] = '\0';
    return line;
}

Test(watchdog, reports_what_waits_too_long)
{
    struct named ended = {.name = "ended"}, silent = {.name = NULL}, first = {.name = "first"},
                 second = {.name = "second"};
    watchdog_begin(&ended.wait, describe);
    watchdog_end(&ended.wait);
    watchdog_begin(&silent.wait, describe);
    watchdog_begin(&first.wait, describe);
    cr_expect_str_eq(next_line(), "gantry: warning: still waiting: first waits");
    await_question(&silent);
    watchdog_end(&first.wait);
    watchdog_begin(&second.wait, describe); /* while the thread watches `silent` */
    cr_expect_str_eq(next_line(), "gantry: warning: still waiting: second waits");
    watchdog_end(&second.wait);
    watchdog_end(&silent.wait);
    cr_expect_eq(atomic_load(&ended.asked), 0);
    cr_expect_eq(atomic_load(&silent.asked), 1);
    cr_expect_eq(atomic_load(&first.asked), 1);
}

/* In the child, the parent's waits are not there, and its own are watched. */
Test(watchdog, a_child_watches_its_own)
{
    struct named parents = {.name = "parent's"}, own = {.name = "child's"};
    int status;
    watchdog_begin(&parents.wait, describe);
    pid_t child = fork();
    if (!child) {
        watchdog_end(&parents.wait);
        watchdog_begin(&own.wait, describe);
        await_question(&own);
        watchdog_end(&own.wait);
        _exit(atomic_load(&parents.asked) != 0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    watchdog_end(&parents.wait);
}
