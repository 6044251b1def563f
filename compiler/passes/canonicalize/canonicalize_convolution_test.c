/* Tests which convolutions are rewritten with swapped input and kernel. */
#include "compiler/passes/canonicalize/canonicalize.h"
#include "compiler/passes/passes_fixture.h"

TestSuite(canonicalize_convolution, .init = fixture_begin, .fini = fixture_end);

/* Canonicalizes [b, 0, f] x [0, i, o] -> [b, 0, f] with a dilated input and returns the
 * convolution. */
static const struct op *convolve(const char *window, int64_t padding)
{
    MAIN("f32 2 8 3", window);
    int64_t pair[2] = {padding, padding};
    union attrs attrs = {.convolution = {.window_strides = DIMS(1),
                                         .padding = {1, 2, pair},
                                         .lhs_dilation = DIMS(2),
                                         .rhs_dilation = DIMS(1),
                                         .input_feature_dimension = 2,
                                         .input_spatial_dimensions = DIMS(1),
                                         .kernel_input_feature_dimension = 1,
                                         .kernel_output_feature_dimension = 2,
                                         .kernel_spatial_dimensions = DIMS(0),
                                         .output_feature_dimension = 2,
                                         .output_spatial_dimensions = DIMS(1),
                                         .feature_group_count = 1,
                                         .batch_group_count = 1}};
    struct value *operands[] = {argument(0), argument(1)};
    RETURN(&build_op(&fixture, OP_convolution, 2, operands, 1, &attrs)->results[0]);
    fixture_run(canonicalize_run);
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_convolution)
            return op;
    return NULL;
}

Test(canonicalize_convolution, window_larger_than_the_result)
{
    const struct op *op = convolve("f32 20 3 5", 4); /* of 15 + 8 positions */
    cr_assert(op && op->operands[0] == argument(1) && op->operands[1] == argument(0));
    const struct attrs_convolution *at = &op->attrs.convolution;
    cr_expect(at->rhs_dilation.at[0] == 2 && at->lhs_dilation.at[0] == 1);
    cr_expect(at->padding.at[0] == -1 && at->padding.at[1] == -1);
    cr_expect(at->input_batch_dimension == 2 && at->output_batch_dimension == 2);
    cr_expect_eq(fixture.block->last->operands[0]->def->code, OP_reverse);
    cr_expect_eq(op->results[0].type->shape.dims[1], 4);
}

Test(canonicalize_convolution, small_window_is_left)
{
    const struct op *op = convolve("f32 4 3 5", 2);
    cr_assert(op && op->operands[0] == argument(0));
    cr_expect_eq(op->attrs.convolution.lhs_dilation.at[0], 2);
}
