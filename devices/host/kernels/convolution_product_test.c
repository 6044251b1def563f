/* Tests which convolutions are taken for products, and the product. convolution_plan_test.c
 * compares the results with loops. */
#include <criterion/criterion.h>

#include "devices/host/kernels/convolution_product.h"

enum { IMAGES = 3, ROWS = 4, COLUMNS = 5, INS = 6, OUTS = 7 };

/* The gradient of a kernel of one element, with features last. */
static struct convolution_spec gradient(void)
{
    return (struct convolution_spec){.lhs = DTYPE_F32,
                                     .rhs = DTYPE_F32,
                                     .out = DTYPE_F32,
                                     .spatial = 2,
                                     .batch = INS,
                                     .in_features = IMAGES,
                                     .out_features = OUTS,
                                     .feature_groups = 1,
                                     .batch_groups = 1,
                                     .in = {ROWS, COLUMNS},
                                     .kernel = {ROWS, COLUMNS},
                                     .out_size = {1, 1},
                                     .stride = {1, 1},
                                     .lhs_dilation = {1, 1},
                                     .rhs_dilation = {1, 1},
                                     .lhs_batch_stride = 1,
                                     .lhs_feature_stride = ROWS * COLUMNS * INS,
                                     .lhs_stride = {COLUMNS * INS, INS},
                                     .rhs_in_stride = ROWS * COLUMNS * OUTS,
                                     .rhs_out_stride = 1,
                                     .rhs_stride = {COLUMNS * OUTS, OUTS},
                                     .out_batch_stride = OUTS,
                                     .out_feature_stride = 1,
                                     .out_stride = {INS * OUTS, INS * OUTS}};
}

static void expect_none(const struct convolution_spec *s)
{
    struct dot_spec product;
    cr_assert_not(convolution_product_of(s, &product));
}

Test(convolution_product, gradient_of_a_kernel_of_one_element)
{
    struct convolution_spec s = gradient();
    struct dot_spec product;
    cr_assert(convolution_product_of(&s, &product));
    cr_assert(product.batch == 1 && product.m == INS && product.n == OUTS &&
              product.k == IMAGES * ROWS * COLUMNS);
    cr_assert(product.lhs_m_stride == 1 && product.lhs_k_stride == INS);
    cr_assert(product.rhs_k_stride == OUTS && product.rhs_n_stride == 1);
    cr_assert(product.out_m_stride == OUTS && product.out_n_stride == 1);
}

/* Strides of dimensions of one element mean nothing. */
Test(convolution_product, strides_of_one_element_are_ignored)
{
    struct convolution_spec s = gradient();
    struct dot_spec product;
    s.in[1] = s.kernel[1] = 1, s.in_features = 1;
    s.lhs_stride[1] = 1000, s.rhs_stride[1] = 1001, s.lhs_feature_stride = 1002;
    s.lhs_stride[0] = INS, s.rhs_stride[0] = OUTS;
    cr_assert(convolution_product_of(&s, &product));
    cr_assert(product.k == ROWS && product.lhs_k_stride == INS && product.rhs_k_stride == OUTS);
}

Test(convolution_product, others_are_none)
{
    struct convolution_spec s;
    s = gradient(), s.out_size[1] = 2, s.pad_high[1] = 1, expect_none(&s);
    s = gradient(), s.pad_low[0] = 1, s.pad_high[0] = -1, expect_none(&s);
    s = gradient(), s.reverse[0] = true, expect_none(&s);
    s = gradient(), s.rhs_dilation[0] = 2, expect_none(&s);
    s = gradient(), s.lhs_dilation[1] = 2, expect_none(&s);
    s = gradient(), s.feature_groups = 3, expect_none(&s);
    s = gradient(), s.kernel[1] = COLUMNS - 1, expect_none(&s);
    s = gradient(), s.lhs = s.rhs = DTYPE_BF16, expect_none(&s);
    s = gradient(), s.lhs_feature_stride = 1, s.lhs_batch_stride = IMAGES, expect_none(&s);
    s = gradient(), s.rhs_stride[0] += OUTS, expect_none(&s);
}
