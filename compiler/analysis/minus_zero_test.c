/* minus_zero_test.c: which values of floats have no -0. */
#include "compiler/analysis/minus_zero.h"

#include "compiler/ir/ir_fixture.h"

static struct builder fixture;
static struct func *func;

static void begin(void)
{
    fixture_begin();
    func = ir_func(fixture_module, "main");
    const struct type *types[] = {fixture_type("f32 4 4"), fixture_type("s32 4 4"),
                                  fixture_type("bf16 4 4"), fixture_type("f8e5m2 4 4")};
    func->body = ir_block(fixture_module, func, NULL, 4, types);
    fixture = (struct builder){fixture_module, func->body, NULL, NULL};
}

TestSuite(minus_zero, .init = begin, .fini = fixture_end);

static struct value *absolute(int argument)
{
    return build_unary(&fixture, OP_abs, &func->body->arguments[argument]);
}

static bool converted(struct value *value, enum dtype dtype)
{
    return minus_zero_never(build_convert(&fixture, value, dtype));
}

Test(minus_zero, results_of_operations)
{
    struct value *any = &func->body->arguments[0];
    cr_expect_not(minus_zero_never(any));
    cr_expect(minus_zero_never(absolute(0)));
    cr_expect(minus_zero_never(build_binary(&fixture, OP_multiply, any, any)));
    cr_expect(minus_zero_never(build_binary(&fixture, OP_add, any, absolute(0))));
    cr_expect_not(minus_zero_never(build_unary(&fixture, OP_negate, absolute(0))));
}

/* -1e-30 is a number of bf16, and -0 in f16. */
Test(minus_zero, conversions_keep_small_numbers)
{
    cr_expect(converted(&func->body->arguments[1], DTYPE_F32));
    cr_expect_not(converted(&func->body->arguments[0], DTYPE_F64));
    cr_expect(converted(absolute(0), DTYPE_F64));
    cr_expect_not(converted(absolute(0), DTYPE_BF16));
    cr_expect(converted(absolute(2), DTYPE_F32));
    cr_expect_not(converted(absolute(2), DTYPE_F16), "of as many bytes");
    cr_expect_not(converted(absolute(3), DTYPE_F8E4M3FN), "of as many bytes");
}
