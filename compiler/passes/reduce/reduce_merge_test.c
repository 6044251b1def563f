/* Tests which sums are merged. */
#include "compiler/passes/reduce/reduce_merge.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(reduce_merge, .init = fixture_begin, .fini = fixture_end);

static struct value *sum(struct value *operand, int64_t dim)
{
    return build_reduce(&fixture, operand, build_scalar(&fixture, DTYPE_F32, 0), OP_add, 1, &dim);
}

static int reductions(void)
{
    int found = 0;
    for (const struct op *op = fixture.block->first; op; op = op->next)
        found += op->code == OP_reduce;
    return found;
}

Test(reduce_merge, two_moments)
{
    MAIN("f32 1024 128");
    struct value *first = sum(argument(0), 0);
    struct value *mean = build_unary(&fixture, OP_negate, first);
    struct value *x = build_unary(&fixture, OP_negate, argument(0));
    struct value *second = sum(build_binary(&fixture, OP_multiply, x, x), 0);
    RETURN(mean, second);
    fixture_run(reduce_merge_run);
    cr_expect_eq(reductions(), 1);
}

Test(reduce_merge, gradients_of_scale_and_bias)
{
    MAIN("f32 1024 128", "f32 1024 128");
    struct value *dy = build_unary(&fixture, OP_negate, argument(0));
    struct value *bias = sum(dy, 0), *used = build_unary(&fixture, OP_negate, bias);
    struct value *scale = sum(build_binary(&fixture, OP_multiply, dy, argument(1)), 0);
    RETURN(used, scale);
    fixture_run(reduce_merge_run);
    cr_expect_eq(reductions(), 1);
}

/* The second sum depends on the first. */
Test(reduce_merge, variance_around_the_mean)
{
    MAIN("f32 1024 128");
    struct value *x = build_unary(&fixture, OP_negate, argument(0));
    struct value *mean = build_broadcast(&fixture, sum(x, 0), x->type, 1, (int64_t[]){1});
    RETURN(sum(build_binary(&fixture, OP_subtract, x, mean), 0));
    fixture_run(reduce_merge_run);
    cr_expect_eq(reductions(), 2);
}

Test(reduce_merge, rows_stay)
{
    MAIN("f32 1024 128");
    struct value *x = build_unary(&fixture, OP_negate, argument(0));
    RETURN(sum(x, 1), sum(build_binary(&fixture, OP_multiply, x, x), 1));
    fixture_run(reduce_merge_run);
    cr_expect_eq(reductions(), 2);
}

/* The search for the operations on which the second sum depends is iterative and bounded. */
Test(reduce_merge, long_chains_between)
{
    MAIN("f32 1024 128");
    struct value *x = build_unary(&fixture, OP_negate, argument(0)), *first = sum(x, 0);
    for (int i = 0; i < 300000; i++)
        x = build_unary(&fixture, OP_negate, x);
    RETURN(first, sum(build_binary(&fixture, OP_add, x, argument(0)), 0));
    fixture_run(reduce_merge_run);
    cr_expect_eq(reductions(), 2);
}

/* Operations that a merge has moved precede all later reductions. */
Test(reduce_merge, one_after_another)
{
    MAIN("f32 1024 128", "f32 1024 128");
    struct value *a = argument(0), *b = argument(1);
    struct value *x = sum(a, 0), *y = sum(b, 0);
    struct value *z = sum(build_binary(&fixture, OP_multiply, a, a), 0);
    struct value *square = build_binary(&fixture, OP_multiply, b, b);
    struct value *w = sum(square, 0), *v = sum(build_unary(&fixture, OP_negate, square), 0);
    RETURN(x, y, z, w, v);
    fixture_run(reduce_merge_run);
    cr_expect_eq(reductions(), 2);
}
