#include "compiler/analysis/library_spec.h"

#include "compiler/passes/passes_fixture.h"

TestSuite(library_spec, .init = fixture_begin, .fini = fixture_end);

static struct op *dot(struct dims lhs_contracting, struct dims rhs_contracting)
{
    union attrs attrs = {.dot = {.lhs_contracting_dimensions = lhs_contracting,
                                 .rhs_contracting_dimensions = rhs_contracting}};
    return build_op(&fixture, OP_dot_general, 2, (struct value *[]){argument(0), argument(1)}, 1,
                    &attrs);
}

Test(library_spec, a_product_has_the_strides_of_its_arrays)
{
    struct dot_spec s;
    MAIN("f32 5 3", "f32 5 7");
    cr_assert(library_spec_dot(dot(DIMS(0), DIMS(0)), &s));
    cr_expect(s.batch == 1 && s.m == 3 && s.n == 7 && s.k == 5 && s.outer == 1);
    cr_expect(s.lhs_m_stride == 1 && s.lhs_k_stride == 3);
    cr_expect(s.rhs_k_stride == 7 && s.rhs_n_stride == 1);
    cr_expect(s.out_m_stride == 7 && s.out_n_stride == 1);
    cr_expect_not(s.rhs_constant);
}

Test(library_spec, a_transpose_changes_the_strides_of_the_result)
{
    struct dot_spec s;
    MAIN("f32 3 5", "f32 5 7");
    struct op *product = dot(DIMS(1), DIMS(0));
    struct value *t = build_transpose(&fixture, &product->results[0], (int64_t[]){1, 0});
    cr_assert(library_spec_dot_transposed(product, t->def, &s));
    cr_expect(s.m == 3 && s.n == 7 && s.out_m_stride == 1 && s.out_n_stride == 3);
}

/* Three row dimensions that cannot be merged; a specification has at most two. */
Test(library_spec, a_product_with_too_many_dimensions_has_none)
{
    struct dot_spec s;
    MAIN("f32 2 5 2 5 2", "f32 5 5 7");
    cr_expect_not(library_spec_dot(dot(DIMS(1, 3), DIMS(0, 1)), &s));
}

/* Attributes of a convolution over one dimension whose window is dilated: operands are
 * [batch, position, feature] and [feature, feature, position]. Valid in the block of its use. */
#define CONVOLUTION(low, high, dilation)                                                           \
    &(union attrs)                                                                                 \
    {                                                                                              \
        .convolution = {.padding = {.rows = 1, .columns = 2, .at = (int64_t[]){low, high}},        \
                        .rhs_dilation = DIMS(dilation),                                            \
                        .input_batch_dimension = 0,                                                \
                        .input_feature_dimension = 2,                                              \
                        .input_spatial_dimensions = DIMS(1),                                       \
                        .kernel_output_feature_dimension = 0,                                      \
                        .kernel_input_feature_dimension = 1,                                       \
                        .kernel_spatial_dimensions = DIMS(2),                                      \
                        .output_batch_dimension = 0,                                               \
                        .output_feature_dimension = 2,                                             \
                        .output_spatial_dimensions = DIMS(1),                                      \
                        .feature_group_count = 1,                                                  \
                        .batch_group_count = 1}                                                    \
    }

static int64_t spec_of(const union attrs *attrs, struct convolution_spec *out)
{
    struct value *operands[] = {argument(0), argument(1)};
    return library_spec_convolution(build_op(&fixture, OP_convolution, 2, operands, 1, attrs), out);
}

Test(library_spec, negative_padding_is_a_smaller_input)
{
    struct convolution_spec s;
    MAIN("f32 1 9 2", "f32 4 2 3");
    cr_expect_eq(spec_of(CONVOLUTION(-2, -1, 1), &s), 2 * 2, "two elements of two features");
    cr_expect(s.in[0] == 6 && s.pad_low[0] == 0 && s.pad_high[0] == 0);
    cr_expect(s.kernel[0] == 3 && s.out_size[0] == 4);
}

Test(library_spec, precision_of_convolutions)
{
    struct convolution_spec s;
    union attrs attrs = *CONVOLUTION(0, 0, 1);
    MAIN("f32 1 9 2", "f32 4 2 3");
    spec_of(&attrs, &s);
    cr_expect_not(s.above_default_precision);
    attrs.convolution.precision_config.rhs = PRECISION_HIGH;
    spec_of(&attrs, &s);
    cr_expect(s.above_default_precision);
}

/* The gradient by the kernel of a convolution with stride 2 from 8 positions to 4. */
Test(library_spec, the_rest_of_a_stride_stays)
{
    struct convolution_spec s;
    MAIN("f32 1 8 2", "f32 4 2 4");
    cr_expect_eq(spec_of(CONVOLUTION(0, -1, 2), &s), 0);
    cr_expect(s.in[0] == 8 && s.pad_high[0] == -1 && s.out_size[0] == 1);
}

Test(library_spec, more_than_a_rest_is_removed)
{
    struct convolution_spec s;
    MAIN("f32 1 9 2", "f32 4 2 4");
    cr_expect_eq(spec_of(CONVOLUTION(0, -2, 2), &s), 0);
    cr_expect(s.in[0] == 7 && s.pad_high[0] == 0 && s.out_size[0] == 1);
}
