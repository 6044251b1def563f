#include "compiler/analysis/cost_analysis.h"

#include "compiler/loop_fixture.h"

TestSuite(cost_analysis, .init = fixture_begin, .fini = fixture_end);

Test(cost_analysis, loops_multiply)
{
    MAIN("f32 1000");
    struct cost_analysis once = {0}, often = {0};
    cost_analysis_add(fixture_loop(DTYPE_S32, 0, 1, 1), &once);
    cost_analysis_add(fixture_loop(DTYPE_S32, 0, 10, 1), &often);
    cr_expect(once.flops >= 1000);
    cr_expect_eq(often.flops, 10 * once.flops);
    cr_expect_eq(often.bytes_accessed, 10 * once.bytes_accessed);
}

Test(cost_analysis, products)
{
    MAIN("f32 8 16", "f32 16 32");
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = DIMS(1), .rhs_contracting_dimensions = DIMS(0)}};
    struct op *dot = build_op(&fixture, OP_dot_general, 2,
                              (struct value *[]){argument(0), argument(1)}, 1, &attrs);
    struct cost_analysis analysis = {0};
    cost_analysis_add(dot, &analysis);
    cr_expect_eq(analysis.flops, 2 * 8 * 16 * 32);
    cr_expect_eq(analysis.bytes_accessed, 4 * (8 * 16 + 16 * 32 + 8 * 32));
}

Test(cost_analysis, nothing_is_combined_along_an_empty_dimension)
{
    MAIN("f32 3 0");
    struct value *sum = build_reduce(&fixture, argument(0), build_scalar(&fixture, DTYPE_F32, 0),
                                     OP_add, 1, (int64_t[]){1});
    struct cost_analysis analysis = {0};
    cost_analysis_add(sum->def, &analysis);
    cr_expect_eq(analysis.flops, 0);
}
