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
    setenv("GANTRY_THREADS", "-1", 1);
    cr_assert_eq(env_int(ENV_GANTRY_THREADS, 5), 5);
    setenv("GANTRY_THREADS", "12x", 1);
    cr_assert_eq(env_int(ENV_GANTRY_THREADS, 5), 5);
    setenv("GANTRY_THREADS", "99999999999999999999", 1);
    cr_assert_eq(env_int(ENV_GANTRY_THREADS, 5), 5);
}

Test(env, bytes_have_units)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } cases[] = {{"0", 0},
                 {"1048576", 1 << 20},
                 {"512M", 512 << 20},
                 {"1GB", 1 << 30},
                 {"1.5 GiB", 3LL << 29},
                 {"2t", 2LL << 40},
                 {"1e3", 1000},
                 {"64b", 64},
                 {" 7k ", 7168}};
    static const char *const wrong[] = {"1X", "GB", "-1", "1GBs", "nan", "1e30", "12 12", "1iB"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("GANTRY_CACHE_BYTES", cases[i].text, 1);
        cr_assert(env_allows(ENV_GANTRY_CACHE_BYTES, cases[i].text));
        cr_assert_eq(env_int(ENV_GANTRY_CACHE_BYTES, -1), cases[i].bytes, "%s", cases[i].text);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("GANTRY_CACHE_BYTES", wrong[i], 1);
        cr_assert_eq(env_int(ENV_GANTRY_CACHE_BYTES, -1), -1, "%s", wrong[i]);
    }
}

Test(env, choices_are_numbered_as_listed)
{
    unsetenv("GANTRY_PIN");
    cr_assert_eq(env_choice(ENV_GANTRY_PIN), -1);
    setenv("GANTRY_PIN", "auto", 1);
    cr_assert_eq(env_choice(ENV_GANTRY_PIN), 0);
    setenv("GANTRY_PIN", "1", 1);
    cr_assert_eq(env_choice(ENV_GANTRY_PIN), 2);
    setenv("GANTRY_PIN", "yes", 1);
    cr_assert_eq(env_choice(ENV_GANTRY_PIN), -1);
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
