#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"

Test(env, numbers_and_texts)
{
    unsetenv("GANTRY_THREADS");
    cr_assert_null(env_text(ENV_GANTRY_THREADS));
    cr_assert_eq(env_int(ENV_GANTRY_THREADS, 5), 5);
    setenv("GANTRY_THREADS", "", 1);
    cr_assert_null(env_text(ENV_GANTRY_THREADS));
    setenv("GANTRY_THREADS", " 12 ", 1);
    cr_assert_eq(env_int(ENV_GANTRY_THREADS, 5), 12);
    setenv("GANTRY_THREADS", "12x", 1);
    cr_assert_eq(env_int(ENV_GANTRY_THREADS, 5), 5);
    setenv("GANTRY_THREADS", "99999999999999999999", 1);
    cr_assert_eq(env_int(ENV_GANTRY_THREADS, 5), 5);
}

Test(env, table_is_complete)
{
    for (int i = 0; i < ENV_COUNT; i++) {
        cr_assert_str_not_empty(env_name((enum env_variable)i));
        cr_assert_str_not_empty(env_meaning((enum env_variable)i));
    }
    cr_assert_str_eq(env_default(ENV_GANTRY_PIN), "auto");
    cr_assert_str_empty(env_name(ENV_COUNT));
}

Test(env, xla_flags)
{
    char value[16] = "";
    unsetenv("XLA_FLAGS");
    cr_assert_not(env_xla_flag("xla_dump_to", value, sizeof value));
    setenv("XLA_FLAGS", " --a=1 --xla_dump_to='/tmp/a b'\t--xla_dump_to_more=3 --bare --b=2", 1);
    cr_assert(env_xla_flag("xla_dump_to", value, sizeof value));
    cr_assert_str_eq(value, "/tmp/a b");
    cr_assert(env_xla_flag("bare", value, sizeof value));
    cr_assert_str_eq(value, "true");
    cr_assert_not(env_xla_flag("xla_dump", value, sizeof value));
    cr_assert_not(env_xla_flag("xla_dump_to", value, 4));
    char names[64] = "", name[16];
    for (const char *at = NULL; (at = env_xla_flag_name(at, name, sizeof name));)
        strcat(strcat(names, name), " ");
    cr_assert_str_eq(names, "a xla_dump_to xla_dump_to_mor bare b ");
    setenv("XLA_FLAGS", "--a=1 --a=2", 1);
    cr_assert(env_xla_flag("a", value, sizeof value));
    cr_assert_str_eq(value, "2");
}
