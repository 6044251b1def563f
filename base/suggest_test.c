#include <criterion/criterion.h>

#include "base/suggest.h"

static const char *const names[] = {"GANTRY_THREADS", "GANTRY_TIER", "GANTRY_PIN", "inline", "dce"};

static const char *meant(const char *word)
{
    return suggest(word, names, sizeof names / sizeof *names);
}

Test(suggest, finds_the_nearest_word)
{
    cr_assert_str_eq(meant("GANTRY_THREDS"), "GANTRY_THREADS");
    cr_assert_str_eq(meant("GANTRY_TEIR"), "GANTRY_TIER");
    cr_assert_str_eq(meant("gantry_threads"), "GANTRY_THREADS");
    cr_assert_str_eq(meant("Inlnie"), "inline");
    cr_assert_str_eq(meant("dec"), "dce");
}

Test(suggest, is_silent_about_other_words)
{
    static const char long_word[] =
        "GANTRY_THREADSGANTRY_THREADSGANTRY_THREADSGANTRY_THREADSGANTRY_THREADS";
    cr_assert_null(meant("completely different"));
    cr_assert_null(meant(""));
    cr_assert_null(meant(long_word));
    cr_assert_null(suggest("dce", names, 0));
}
