/* profile_test.c: functions that a plugin lacks. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/cts/outcome.h"
#include "conformance/cts/profile.h"

static const char *plugin_path(void)
{
    static char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    return path;
}

Test(profile, names)
{
    cr_expect_eq(profile_find("jax"), PROFILE_jax);
    cr_expect_eq(profile_find("zig"), PROFILE_COUNT);
    for (int p = 0; p < PROFILE_COUNT; p++)
        cr_expect(profiles[p].needs[FUNCTION_Client_Create], "%s", profiles[p].name);
    cr_expect_not(profiles[PROFILE_torch].needs[FUNCTION_Client_Destroy]); /* it never does */
}

Test(profile, probes_what_no_call_has_shown)
{
    struct profile_answers answers = {0};
    cr_assert_null(profile_probe(plugin_path(), &answers));
    for (int p = 0; p < PROFILE_COUNT; p++)
        cr_expect_eq(profile_missing((enum profile_name)p, &answers), 0, "%s", profiles[p].name);
}

Test(profile, goes_by_what_calls_have_shown)
{
    struct profile_answers answers = {0};
    answers.best[FUNCTION_Client_Compile] = ANSWER_UNIMPLEMENTED;
    answers.best[FUNCTION_Client_Devices] = ANSWER_ERROR;
    cr_assert_null(profile_probe(plugin_path(), &answers));
    cr_expect(answers.missing[FUNCTION_Client_Compile]);
    cr_expect_not(answers.missing[FUNCTION_Client_Devices]);
    cr_expect_eq(profile_missing(PROFILE_jax, &answers), 1);
}
