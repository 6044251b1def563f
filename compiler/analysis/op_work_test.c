#include "compiler/analysis/op_work.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(op_work, .init = fixture_begin, .fini = fixture_end);

Test(op_work, products)
{
    MAIN("f32 8 16", "f32 16 32");
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = DIMS(1), .rhs_contracting_dimensions = DIMS(0)}};
    struct op *dot = build_op(&fixture, OP_dot_general, 2,
                              (struct value *[]){argument(0), argument(1)}, 1, &attrs);
    cr_expect_eq(op_work_multiply_adds(dot), 8 * 16 * 32);
}

/* Of 3 x 3 pairs of positions, 7 read one of the 3 elements, the others padding. */
Test(op_work, convolutions_do_not_count_padding)
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
    cr_expect_eq(op_work_multiply_adds(convolution), 2 * 4 * 5 * 7);
}
