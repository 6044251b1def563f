#include "compiler/passes/fusion/cost.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(cost, .init = fixture_begin, .fini = fixture_end);

/* for (i = start; i < limit; i += step) x = -x; */
static struct op *loop(double start, double limit, double step)
{
    struct builder outer = fixture;
    struct value *begin = build_scalar(&fixture, DTYPE_S32, start);
    const struct type *types[] = {begin->type, argument(0)->type};
    struct op *op =
        ir_op(fixture_module, OP_while, 2, (struct value *[]){begin, argument(0)}, 2, types, 2);
    for (int r = 0; r < 2; r++)
        op->regions[r] = ir_block(fixture_module, fixture.block->func, op, 2, types);
    ir_append(fixture.block, op);
    fixture.block = op->regions[0];
    struct value *less =
        build_compare(&fixture, COMPARE_LT, argument(0), build_scalar(&fixture, DTYPE_S32, limit));
    build_return(&fixture, 1, &less);
    fixture.block = op->regions[1];
    struct value *by = build_scalar(&fixture, DTYPE_S32, step);
    struct value *next[] = {build_binary(&fixture, OP_add, argument(0), by),
                            build_unary(&fixture, OP_negate, argument(1))};
    build_return(&fixture, 2, next);
    fixture = outer;
    return op;
}

Test(cost, trip_counts)
{
    MAIN("f32 1000");
    cr_expect_eq(cost_trip_count(loop(0, 10, 1)), 10);
    cr_expect_eq(cost_trip_count(loop(3, 10, 2)), 4);
    cr_expect_eq(cost_trip_count(loop(10, 10, 1)), 0);
    cr_expect_eq(cost_trip_count(loop(0, 10, 0)), -1);
}

Test(cost, loops_multiply)
{
    MAIN("f32 1000");
    double one = cost_of_op(loop(0, 1, 1)), ten = cost_of_op(loop(0, 10, 1));
    cr_expect(one >= 1000);
    cr_expect(ten > 9.9 * one && ten < 10.1 * one);
    cr_expect_eq(cost_flops(loop(0, 10, 1)), 10 * cost_flops(loop(0, 1, 1)));
}

Test(cost, products)
{
    MAIN("f32 8 16", "f32 16 32");
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = DIMS(1), .rhs_contracting_dimensions = DIMS(0)}};
    struct op *dot = build_op(&fixture, OP_dot_general, 2,
                              (struct value *[]){argument(0), argument(1)}, 1, &attrs);
    cr_expect_eq(cost_flops(dot), 2 * 8 * 16 * 32);
    cr_expect_eq(cost_multiply_adds(dot), 8 * 16 * 32);
}

/* A loop over a stack of arrays reads one of them a turn. */
Test(cost, slices_read_what_they_give)
{
    MAIN("f32 1000 64", "s32");
    struct value *zero = build_scalar(&fixture, DTYPE_S32, 0);
    union attrs attrs = {.dynamic_slice = {.slice_sizes = DIMS(1, 64)}};
    struct value *operands[] = {argument(0), argument(1), zero};
    struct op *slice = build_op(&fixture, OP_dynamic_slice, 3, operands, 1, &attrs);
    RETURN(build_unary(&fixture, OP_negate, &slice->results[0]));
    static const struct target target = {.name = "test", .cores = 2, .alignment = 64};
    cr_assert_null(fusion_run(fixture_module, &target));
    const struct op *fusion = fixture.block->last->operands[0]->def;
    cr_assert_eq(fusion->code, OP_fusion);
    cr_expect_lt(cost_of_op(fusion), 200);
}
