#include "base/number.h"

#include <criterion/criterion.h>
#include <string.h>

Test(number, whole_numbers)
{
    static const struct {
        const char *text;
        int64_t value;
    } right[] = {{"0", 0},
                 {"8", 8},
                 {"007", 7},
                 {"-12", -12},
                 {"9223372036854775807", INT64_MAX},
                 {"-9223372036854775808", INT64_MIN}};
    static const char *const wrong[] = {
        "", "-", "+8", " 8", "8 ", "8x", "0x10", "- 8", "--8", "1e3", "9223372036854775808"};
    int64_t got = 5;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        cr_assert(number_read(right[i].text, INT64_MIN, INT64_MAX, &got), "%s", right[i].text);
        cr_expect_eq(got, right[i].value, "%s", right[i].text);
    }
    got = 5;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_not(number_read(wrong[i], INT64_MIN, INT64_MAX, &got), "'%s'", wrong[i]);
    cr_expect_not(number_read("3", 4, 9, &got));
    cr_expect_not(number_read("10", 4, 9, &got));
    cr_expect_eq(got, 5, "unchanged");
}

Test(number, real_numbers)
{
    static const struct {
        const char *text;
        double value;
    } right[] = {{"0", 0},  {"1.5", 1.5}, {".25", 0.25},  {"-2", -2},
                 {"2.", 2}, {"1e3", 1e3}, {"1E-3", 1e-3}, {"0.1", 0.1}};
    static const char *const wrong[] = {"",    ".",   "-.",   "+1",  " 1",    "1 ",
                                        "inf", "nan", "0x10", "1,5", "1e999", "e3"};
    double got = 5;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        cr_assert(number_read_real(right[i].text, -10, 1e6, &got), "%s", right[i].text);
        cr_expect_eq(got, right[i].value, "%s", right[i].text);
    }
    got = 5;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_not(number_read_real(wrong[i], -1e300, 1e300, &got), "'%s'", wrong[i]);
    cr_expect_not(number_read_real("1e7", -10, 1e6, &got));
    cr_expect_eq(got, 5, "unchanged");
}

Test(number, what_follows_is_the_caller_s)
{
    const char *text = "12x4", *size = "1.5GiB";
    int64_t whole;
    double real;
    cr_assert(number_take(&text, &whole) && whole == 12);
    cr_expect_str_eq(text, "x4");
    cr_expect_not(number_take(&text, &whole));
    cr_expect_str_eq(text, "x4");
    cr_assert(number_take_real(&size, &real) && real == 1.5);
    cr_expect_str_eq(size, "GiB");
}
