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

static struct value *padded(struct value *value, struct value *fill)
{
    const int64_t low[] = {1, 0}, high[] = {0, 2}, interior[] = {0, 0};
    return build_pad(&fixture, value, fill, low, high, interior);
}

Test(minus_zero, moved_elements)
{
    struct value *any = &func->body->arguments[0];
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *minus = build_scalar(&fixture, DTYPE_F32, -0.0);
    cr_expect(minus_zero_never(padded(absolute(0), zero)));
    cr_expect_not(minus_zero_never(padded(absolute(0), minus)));
    cr_expect_not(minus_zero_never(padded(any, zero)));
    struct value *parts[] = {absolute(0), absolute(0), any};
    cr_expect(minus_zero_never(build_concatenate(&fixture, 2, parts, 0)));
    cr_expect_not(minus_zero_never(build_concatenate(&fixture, 3, parts, 0)));
}

/* A branch whose second region returns a value. */
static struct value *branch_to(struct value *value)
{
    struct value *index = build_scalar(&fixture, DTYPE_S32, 0);
    struct op *branch = ir_op(fixture_module, OP_case, 1, &index, 1, &value->type, 2);
    for (int i = 0; i < 2; i++) {
        branch->regions[i] = ir_block(fixture_module, func, branch, 0, NULL);
        struct builder b = {fixture_module, branch->regions[i], NULL, NULL};
        build_return(&b, 1, (struct value *[]){i ? value : absolute(0)});
    }
    ir_append(func->body, branch);
    return &branch->results[0];
}

Test(minus_zero, results_of_branches)
{
    cr_expect(minus_zero_never(branch_to(absolute(0))));
    cr_expect_not(minus_zero_never(branch_to(&func->body->arguments[0])));
}

/* Each value has the one before as both of its operands: 2^40 paths. */
Test(minus_zero, visits_a_value_once)
{
    struct value *value = absolute(0);
    for (int i = 0; i < 40; i++)
        value = build_binary(&fixture, OP_maximum, value, value);
    cr_expect(minus_zero_never(value));
}
