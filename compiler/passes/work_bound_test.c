#include "compiler/passes/work_bound.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(work_bound, .init = fixture_begin, .fini = fixture_end);

static const struct type *vector(int64_t size)
{
    return type_tensor(fixture_arena, DTYPE_F32, 1, &size);
}

/* The sum of a vector, negated, in every element of twice the vector. The operands of a
 * concatenation are computed under a condition, for each element, unless it is itself stored. */
static struct value *sum_twice(struct value *operand)
{
    int64_t dim = 0;
    struct value *zero = build_scalar(&fixture, DTYPE_F32, 0);
    struct value *sum = build_reduce(&fixture, operand, zero, OP_add, 1, &dim);
    struct value *wide = build_broadcast(&fixture, sum, operand->type, 0, NULL);
    union attrs attrs = {.dimension = {.dimension = 0}};
    struct value *both =
        build_declared(&fixture, OP_concatenate, 2, (struct value *[]){wide, wide}, NULL, &attrs);
    return build_unary(&fixture, OP_negate, both);
}

/* The same as one fusion. */
static struct value *fused_sum_twice(struct value *operand)
{
    struct builder outer = fixture;
    const struct type *in = operand->type, *out = vector(2 * in->shape.dims[0]);
    struct op *op = ir_op(fixture_module, OP_fusion, 1, &operand, 1, &out, 1);
    op->attrs.fusion.fusion_kind = FUSION_LOOP;
    op->regions[0] = ir_block(fixture_module, fixture.block->func, op, 1, &in);
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *result = sum_twice(argument(0));
    build_return(&fixture, 1, &result);
    fixture = outer;
    return &op->results[0];
}

static double work_of(struct value *make(struct value *))
{
    MAIN("f32 20000");
    RETURN(make(argument(0)));
    double work = work_of_module(fixture_module);
    fixture_module->entry = NULL; /* for the next */
    return work;
}

static void expect_refused(double before, double after, double ratio)
{
    struct error *error = work_bound_check(before, after, ratio);
    cr_assert_not_null(error, "%g to %g", before, after);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INTERNAL);
    error_free(error);
}

Test(work_bound, a_sum_in_a_kernel_for_every_element_is_noticed)
{
    double before = work_of(sum_twice), after = work_of(fused_sum_twice);
    cr_expect_geq(after, 20000. * 20000);
    expect_refused(before, after, WORK_BOUND_RATIO);
}

static struct value *iterations(struct value *limit, struct value *operand,
                                struct value *step(struct value *))
{
    struct builder outer = fixture;
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    struct value *initial[] = {zero, operand};
    const struct type *types[] = {zero->type, operand->type};
    struct op *loop = ir_op(fixture_module, OP_while, 2, initial, 2, types, 2);
    for (int r = 0; r < 2; r++)
        loop->regions[r] = ir_block(fixture_module, fixture.block->func, loop, 2, types);
    ir_append(fixture.block, loop);
    fixture.block = loop->regions[0];
    struct value *less = build_compare(&fixture, COMPARE_LT, argument(0), limit);
    build_return(&fixture, 1, &less);
    fixture.block = loop->regions[1];
    struct value *one = build_scalar(&fixture, DTYPE_S32, 1);
    struct value *next[] = {build_binary(&fixture, OP_add, argument(0), one), step(argument(1))};
    build_return(&fixture, 2, next);
    fixture = outer;
    return &loop->results[1];
}

static struct value *sine(struct value *operand)
{
    return build_unary(&fixture, OP_sine, operand);
}

static struct value *hundred_sines(struct value *operand)
{
    return iterations(build_scalar(&fixture, DTYPE_S32, 100), operand, sine);
}

Test(work_bound, what_moves_into_a_loop_counts_as_often_as_it_runs)
{
    double one = work_of(sine), hundred = work_of(hundred_sines);
    cr_expect_geq(hundred, 100 * one);
    expect_refused(one, hundred, WORK_BOUND_RATIO);
}

Test(work_bound, work_may_grow_by_the_ratio_and_a_little)
{
    cr_expect_null(work_bound_check(1e6, 4e6, 4));
    cr_expect_null(work_bound_check(0, WORK_BOUND_FREE, 4));
    cr_expect_null(work_bound_check(1e6, 1, 4));
    expect_refused(1e6, 4e6 + WORK_BOUND_FREE + 1, 4);
    expect_refused(0, WORK_BOUND_FREE + 1, 4);
}
