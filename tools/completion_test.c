/* completion_test.c: what zsh and fish make of the scripts that `gantry completion` prints. bash:
 * manual_test.c. */
#include "tools/manual.h"

#include <criterion/criterion.h>

#include "tools/command_fixture.h"

/* What fish offers for a line, each with a space behind it. */
static const char *offers(const char *line)
{
    char shell[1024];
    snprintf(shell, sizeof shell,
             "fish --no-config -c '%s/../bin/gantry completion fish | source; "
             "complete -C \"%s\"' 2>&1 | cut -f1 | tr '\\n' ' '",
             getenv("GANTRY_LIB"), line);
    cr_assert_eq(command(shell), 0, "%s: %s", shell, shown);
    return shown;
}

Test(completion, in_fish)
{
    cr_assert_eq(command("command -v fish"), 0,
                 "fish is not installed; scripts/deps.sh installs it");
    cr_expect_str_eq(offers("gantry do"), "doctor ");
    cr_expect_str_eq(offers("gantry plan --format "), "html json text ");
    cr_expect_str_eq(offers("gantry plan --format=h"), "--format=html ");
    cr_expect_str_eq(offers("gantry cts --prof"), "--profile ");
    cr_expect_str_eq(offers("gantry env --"), "--help --shell ");
    cr_expect_str_eq(offers("gantry run READ"), "README.md ");
    cr_expect_str_eq(offers("gantry run --options READ"), "README.md ");
    cr_expect_str_eq(offers("gantry completion z"), "zsh ");
    cr_expect_str_eq(offers("gantry help ru"), "run ");
    cr_expect_str_eq(offers("gantry help run --"), "--help --man ", "help's own");
}

/* The line after a press of Tab in zsh. */
static const char *completed(const char *line)
{
    char shell[1024];
    snprintf(shell, sizeof shell,
             "zsh -f tools/testdata/complete.zsh '%s/../bin/gantry completion zsh' '%s' 2>&1",
             getenv("GANTRY_LIB"), line);
    cr_assert_eq(command(shell), 0, "%s: %s", shell, shown);
    return shown;
}

Test(completion, in_zsh)
{
    cr_assert_eq(command("command -v zsh"), 0, "zsh is not installed; scripts/deps.sh installs it");
    cr_expect_str_eq(completed("gantry do"), "gantry doctor \n");
    cr_expect_str_eq(completed("gantry plan --format=h"), "gantry plan --format=html \n");
    cr_expect_str_eq(completed("gantry cts --prof"), "gantry cts --profile=\n");
    cr_expect_str_eq(completed("gantry run READ"), "gantry run README.md \n");
    cr_expect_str_eq(completed("gantry run --quiet --options=READ"),
                     "gantry run --quiet --options=README.md \n");
    cr_expect_str_eq(completed("gantry completion z"), "gantry completion zsh \n");
    cr_expect_str_eq(completed("gantry help ru"), "gantry help run \n");
}
