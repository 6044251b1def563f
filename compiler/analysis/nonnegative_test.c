#include "compiler/analysis/nonnegative.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(nonnegative, .init = fixture_begin, .fini = fixture_end);

static struct value *unary(enum op_code code, struct value *x)
{
    return build_unary(&fixture, code, x);
}

static struct value *binary(enum op_code code, struct value *x, struct value *y)
{
    return build_binary(&fixture, code, x, y);
}

Test(nonnegative, squares_and_what_is_made_of_them)
{
    MAIN("f32 4", "f32 4");
    struct value *x = argument(0), *y = argument(1), *square = binary(OP_multiply, x, x);
    cr_expect(nonnegative_is(square));
    cr_expect(nonnegative_is(unary(OP_abs, x)));
    cr_expect(nonnegative_is(unary(OP_exponential, x)));
    cr_expect(nonnegative_is(binary(OP_add, square, unary(OP_logistic, y))));
    cr_expect(nonnegative_is(binary(OP_multiply, square, build_splat(&fixture, x->type, 2))));
    cr_expect(nonnegative_is(binary(OP_maximum, square, y)));
}

Test(nonnegative, others_are_not_known)
{
    MAIN("f32 4", "f32 4");
    struct value *x = argument(0), *y = argument(1), *square = binary(OP_multiply, x, x);
    cr_expect_not(nonnegative_is(x));
    cr_expect_not(nonnegative_is(binary(OP_multiply, x, y)));
    cr_expect_not(nonnegative_is(binary(OP_subtract, square, square)));
    cr_expect_not(nonnegative_is(binary(OP_add, square, y)));
    cr_expect_not(nonnegative_is(binary(OP_minimum, square, y)));
    cr_expect_not(nonnegative_is(binary(OP_multiply, square, build_splat(&fixture, x->type, -2))));
    cr_expect_not(nonnegative_is(build_splat(&fixture, x->type, -0.0)));
}
