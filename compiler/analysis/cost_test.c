#include "compiler/analysis/cost.h"

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
    struct cost_analysis once = {0}, often = {0};
    cost_analyse(loop(0, 1, 1), &once);
    cost_analyse(loop(0, 10, 1), &often);
    cr_expect(once.flops >= 1000);
    cr_expect_eq(often.flops, 10 * once.flops);
    cr_expect_eq(often.bytes_accessed, 10 * once.bytes_accessed);
}

Test(cost, products)
{
    MAIN("f32 8 16", "f32 16 32");
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = DIMS(1), .rhs_contracting_dimensions = DIMS(0)}};
    struct op *dot = build_op(&fixture, OP_dot_general, 2,
                              (struct value *[]){argument(0), argument(1)}, 1, &attrs);
    struct cost_analysis analysis = {0};
    cost_analyse(dot, &analysis);
    cr_expect_eq(analysis.flops, 2 * 8 * 16 * 32);
    cr_expect_eq(analysis.bytes_accessed, 4 * (8 * 16 + 16 * 32 + 8 * 32));
    cr_expect_eq(cost_multiply_adds(dot), 8 * 16 * 32);
}

Test(cost, nothing_is_combined_along_an_empty_dimension)
{
    MAIN("f32 3 0");
    struct value *sum = build_reduce(&fixture, argument(0), build_scalar(&fixture, DTYPE_F32, 0),
                                     OP_add, 1, (int64_t[]){1});
    struct cost_analysis analysis = {0};
    cost_analyse(sum->def, &analysis);
    cr_expect_eq(analysis.flops, 0);
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

/* Padding is no arithmetic: of 3 x 3 places, 7 meet the 3 elements. */
Test(cost, convolutions_count_what_meets)
{
    MAIN("f32 2 3 5", "f32 4 5 3");
    union attrs attrs = {
        .convolution = {.padding = {.rows = 1, .columns = 2, .at = (int64_t[]){1, 1}},
                        .input_batch_dimension = 0,
                        .input_feature_dimension = 2,
                        .input_spatial_dimensions = DIMS(1),
                        .kernel_output_feature_dimension = 0,
                        .kernel_input_feature_dimension = 1,
                        .kernel_spatial_dimensions = DIMS(2),
                        .output_batch_dimension = 0,
                        .output_feature_dimension = 2,
                        .output_spatial_dimensions = DIMS(1),
                        .feature_group_count = 1,
                        .batch_group_count = 1}};
    struct op *convolution = build_op(&fixture, OP_convolution, 2,
                                      (struct value *[]){argument(0), argument(1)}, 1, &attrs);
    cr_expect_eq(cost_multiply_adds(convolution), 2 * 4 * 5 * 7);
}
