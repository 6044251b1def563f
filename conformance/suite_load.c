/* suite_load.c: clients close plugins and open them again. */
#include "conformance/test_context.h"

/* The plugin works after it is closed and reopened once the last client is destroyed. */
static void use_again(struct test_context *t)
{
    for (int i = 0; i < 3; i++) {
        if (!test_context_open(t, STAGE_CLIENT))
            return;
        CHECK_OK(t, test_context_run_program(t, PROGRAM_add));
        test_context_close(t);
    }
}

static const struct test_context_case cases[] = {{"use_again", use_again, STAGE_PATH, 0}, {0}};
const struct test_context_suite suite_load = {"load", cases};
