/* completion_test.c: what bash, zsh and fish make of the scripts that `gantry completion` prints.
 */
#include "tools/manual.h"

#include <criterion/criterion.h>

#include "tools/command_fixture.h"

/* What a shell prints that has $TYPED. */
static const char *answer(const char *line, const char *typed)
{
    setenv("TYPED", typed, 1);
    cr_assert_eq(command(line), 0, "%s: %s", typed, shown);
    return shown;
}

/* What bash offers for the words, of which the last is being typed. */
static const char *in_bash(const char *words)
{
    return answer("bash -c 'source <($GANTRY_LIB/../bin/gantry completion bash); "
                  "eval \"COMP_WORDS=($TYPED)\"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                  "_gantry; echo \" ${COMPREPLY[*]} \"' 2>&1",
                  words);
}

Test(completion, in_bash)
{
    cr_assert_eq(command("command -v bash"), 0, "bash is not installed");
    cr_expect_str_eq(in_bash("gantry do"), " doctor \n");
    cr_expect_str_eq(in_bash("gantry plan --format \"\""), " text json html \n");
    cr_expect_str_eq(in_bash("gantry plan --format = h"), " html \n");
    cr_expect_str_eq(in_bash("gantry cts --prof"), " --profile \n");
    cr_expect_str_eq(in_bash("gantry run READ"), " README.md \n");
    cr_expect_str_eq(in_bash("gantry run --repeat \"\""), "  \n");
    cr_expect_str_eq(in_bash("gantry completion z"), " zsh \n");
    cr_expect_str_eq(in_bash("gantry help comp"), " completion \n");
}

/* What fish offers for a line, each with a space behind it. */
static const char *in_fish(const char *line)
{
    return answer("fish --no-config -c '$GANTRY_LIB/../bin/gantry completion fish | source; "
                  "complete -C \"$TYPED\"' 2>&1 | cut -f1 | tr '\\n' ' '",
                  line);
}

Test(completion, in_fish)
{
    cr_assert_eq(command("command -v fish"), 0,
                 "fish is not installed; scripts/deps.sh installs it");
    cr_expect_str_eq(in_fish("gantry do"), "doctor ");
    cr_expect_str_eq(in_fish("gantry plan --format "), "html json text ");
    cr_expect_str_eq(in_fish("gantry plan --format=h"), "--format=html ");
    cr_expect_str_eq(in_fish("gantry cts --prof"), "--profile ");
    cr_expect_str_eq(in_fish("gantry env --"), "--help --shell ");
    cr_expect_str_eq(in_fish("gantry run READ"), "README.md ");
    cr_expect_str_eq(in_fish("gantry run --options READ"), "README.md ");
    cr_expect_str_eq(in_fish("gantry completion z"), "zsh ");
    cr_expect_str_eq(in_fish("gantry help ru"), "run ");
    cr_expect_str_eq(in_fish("gantry help run --"), "--help --man ", "help's own");
}

/* The line after a press of Tab in zsh. */
static const char *in_zsh(const char *line)
{
    return answer("zsh -f tools/testdata/complete.zsh \"$GANTRY_LIB/../bin/gantry completion zsh\" "
                  "\"$TYPED\" 2>&1",
                  line);
}

Test(completion, in_zsh)
{
    cr_assert_eq(command("command -v zsh"), 0, "zsh is not installed; scripts/deps.sh installs it");
    cr_expect_str_eq(in_zsh("gantry do"), "gantry doctor \n");
    cr_expect_str_eq(in_zsh("gantry plan --format=h"), "gantry plan --format=html \n");
    cr_expect_str_eq(in_zsh("gantry cts --prof"), "gantry cts --profile=\n");
    cr_expect_str_eq(in_zsh("gantry run READ"), "gantry run README.md \n");
    cr_expect_str_eq(in_zsh("gantry run --quiet --options=READ"),
                     "gantry run --quiet --options=README.md \n");
    cr_expect_str_eq(in_zsh("gantry completion z"), "gantry completion zsh \n");
    cr_expect_str_eq(in_zsh("gantry help ru"), "gantry help run \n");
}
