#include "compiler/analysis/constants.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(constants, .init = fixture_begin, .fini = fixture_end);

Test(constants, only_a_constant_has_a_literal)
{
    MAIN("f32");
    struct value *two = build_scalar(&fixture, DTYPE_F32, 2);
    cr_expect_not_null(constants_literal(two));
    cr_expect_null(constants_literal(argument(0)));
    cr_expect_null(constants_literal(build_unary(&fixture, OP_negate, two)));
    cr_expect(constants_is_splat_of(two, 2));
    cr_expect_not(constants_is_splat_of(two, 3));
    cr_expect_not(constants_is_splat_of(argument(0), 2));
}

Test(constants, integer_is_one_element_of_an_integer_type)
{
    MAIN("s32");
    int64_t value = 7;
    cr_expect_not(constants_integer(build_scalar(&fixture, DTYPE_F32, 2), &value));
    cr_expect_not(constants_integer(argument(0), &value));
    cr_expect_eq(value, 7);
    cr_expect(constants_integer(build_scalar(&fixture, DTYPE_S8, -3), &value));
    cr_expect_eq(value, -3);
}

/* Those of 64 bits without sign are not negative. */
Test(constants, starts_are_clamped)
{
    MAIN("s32");
    static const struct {
        enum dtype dtype;
        double index;
        int64_t start;
    } cases[] = {{DTYPE_S32, -3, 0}, {DTYPE_U8, 4, 4}, {DTYPE_S64, 6, 5}, {DTYPE_U64, 0x1p63, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct value *index = build_scalar(&fixture, cases[i].dtype, cases[i].index);
        cr_expect_eq(constants_start(constants_literal(index), 5), cases[i].start, "case %zu", i);
    }
}

/* A conversion to fewer bits changes values, so the constant before it is not used. */
Test(constants, integers_are_found_behind_widening_conversions)
{
    MAIN("s32");
    int64_t count = 0;
    struct value *small = build_scalar(&fixture, DTYPE_S16, 300);
    const int64_t *wide =
        constants_integers(fixture_module, build_convert(&fixture, small, DTYPE_S64), &count);
    cr_assert_not_null(wide);
    cr_expect_eq(count, 1);
    cr_expect_eq(wide[0], 300);
    cr_expect_null(
        constants_integers(fixture_module, build_convert(&fixture, small, DTYPE_S8), NULL));
    cr_expect_null(constants_integers(fixture_module, argument(0), NULL));
}

Test(constants, consecutive_integers)
{
    cr_expect(constants_are_consecutive((int64_t[]){-1, 0, 1}, 3));
    cr_expect(constants_are_consecutive((int64_t[]){7}, 1));
    cr_expect_not(constants_are_consecutive((int64_t[]){7}, 0));
    cr_expect_not(constants_are_consecutive((int64_t[]){0, 2}, 2));
    cr_expect_not(constants_are_consecutive((int64_t[]){INT64_MAX, INT64_MIN + 5}, 2),
                  "no overflow");
    cr_expect_not(constants_are_consecutive((int64_t[]){INT64_MIN, INT64_MAX}, 2), "no overflow");
}
