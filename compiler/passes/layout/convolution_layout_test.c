/* Tests which operands of convolutions that become generated code are transposed. */
#include "compiler/passes/layout/convolution_layout.h"

#include "compiler/passes/layout/layout.h"
#include "compiler/passes/passes_fixture.h"
#include "compiler/target_fixture.h"

TestSuite(convolution_layout, .init = fixture_begin, .fini = fixture_end);

static bool supports_none(const struct convolution_spec *spec)
{
    (void)spec;
    return false;
}

static bool supports_features_last(const struct convolution_spec *spec)
{
    return spec->lhs_feature_stride == 1 && spec->lhs_stride[1] == spec->in_features &&
           spec->lhs_batch_stride == spec->in_features * spec->in[0] * spec->in[1];
}

static struct error *for_loops(struct module *module, const struct target *target)
{
    struct target none = target_fixture();
    (void)target;
    none.supports_convolution = supports_none;
    return layout_run(module, &none);
}

static struct error *for_features_last(struct module *module, const struct target *target)
{
    struct target last = target_fixture();
    (void)target;
    last.supports_convolution = supports_features_last;
    return layout_run(module, &last);
}

/* A convolution with windows of 3 x 3 of arguments of the dimensions N, C, H, W and O, I, H, W;
 * the result has its features last, or in the second place. */
static struct value *convolution(bool last)
{
    static int64_t ones[] = {1, 1}, spatial[] = {2, 3}, others[] = {1, 2}, padding[] = {1, 1, 1, 1};
    const struct dims all_one = {2, ones}, behind = {2, spatial}, between = {2, others};
    union attrs attrs = {.convolution = {.window_strides = all_one,
                                         .padding = {2, 2, padding},
                                         .lhs_dilation = all_one,
                                         .rhs_dilation = all_one,
                                         .input_feature_dimension = 1,
                                         .input_spatial_dimensions = behind,
                                         .kernel_input_feature_dimension = 1,
                                         .kernel_spatial_dimensions = behind,
                                         .output_feature_dimension = last ? 3 : 1,
                                         .output_spatial_dimensions = last ? between : behind,
                                         .feature_group_count = 1,
                                         .batch_group_count = 1}};
    struct value *operands[] = {argument(0), argument(1)};
    return &build_op(&fixture, OP_convolution, 2, operands, 1, &attrs)->results[0];
}

static const struct op *found(void)
{
    for (const struct op *op = fixture.block->first; op; op = op->next)
        if (op->code == OP_convolution)
            return op;
    return NULL;
}

static bool is_transposed(int which)
{
    return found()->operands[which]->def && found()->operands[which]->def->code == OP_transpose;
}

Test(convolution_layout, output_features_in_lanes_are_adjacent_in_the_kernel)
{
    MAIN("s32 2 3 40 41", "s32 7 3 3 3");
    RETURN(convolution(true));
    fixture_run(for_loops);
    const struct attrs_convolution *at = &found()->attrs.convolution;
    cr_expect(!is_transposed(0) && is_transposed(1));
    cr_expect_eq(at->kernel_output_feature_dimension, 3);
    cr_expect_eq(at->kernel_input_feature_dimension, 0);
    cr_expect_eq(at->kernel_spatial_dimensions.at[0], 1);
    cr_expect_eq(found()->operands[1]->type->shape.dims[3], 7);
}

Test(convolution_layout, operands_with_adjacent_lanes_stay)
{
    MAIN("s32 2 3 40 41", "s32 7 3 3 3");
    RETURN(convolution(false));
    fixture_run(for_loops);
    cr_expect(!is_transposed(0) && !is_transposed(1));
}

Test(convolution_layout, small_convolutions_stay)
{
    MAIN("s32 2 3 14 5", "s32 7 3 3 3");
    RETURN(convolution(true));
    fixture_run(for_loops);
    cr_expect(!is_transposed(0) && !is_transposed(1));
}

Test(convolution_layout, a_library_gets_features_last_if_it_wants_them)
{
    MAIN("f32 2 3 40 41", "f32 7 3 3 3");
    RETURN(convolution(false));
    fixture_run(for_features_last);
    const struct attrs_convolution *at = &found()->attrs.convolution;
    cr_expect(is_transposed(0) && !is_transposed(1));
    cr_expect_eq(at->input_feature_dimension, 3);
    cr_expect_eq(at->input_batch_dimension, 0);
    cr_expect_eq(at->input_spatial_dimensions.at[1], 2);
    cr_expect_eq(found()->operands[0]->type->shape.dims[3], 3);
}
