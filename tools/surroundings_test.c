/* surroundings_test.c: the command with an output that is full, and below a parent that ignores its
 * children. */
#include "tools/command_fixture.h"

#define ADD "conformance/programs/add.mlirbc "

/* Messages are still shown. */
static void expect_full(const char *arguments)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[256];
    snprintf(line, sizeof line, "%s/../bin/gantry %s 2>&1 >/dev/full",
             folder ? folder : "build/lib", arguments);
    cr_expect_eq(command(line), 1, "%s: %s", arguments, shown);
    cr_expect_not_null(strstr(shown, "the output could not be written"), "%s", shown);
}

Test(surroundings, output_that_cannot_be_written_is_a_failure)
{
    expect_full("version");
    expect_full("help");
    expect_full("completion bash");
    expect_full("run conformance/programs/constants.mlirbc");
    expect_full("plan --json " ADD);
}

/* Its processes' ends are seen although the parent ignores those of its own. */
Test(surroundings, launch_from_a_parent_that_ignores_its_children)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[256];
    snprintf(line, sizeof line,
             "timeout -s KILL 60 env --ignore-signal=CHLD %s/../bin/gantry launch -n 2 -- sh -c "
             "'exit 3' 2>&1",
             folder ? folder : "build/lib");
    cr_expect_eq(command(line), 3, "%s", shown);
}
