/* Tests which of oneDNN's kernels convolutions get; their results, convolution_plan_test.c does. */
#include <criterion/criterion.h>

#include "base/cpu.h"
#include "devices/host/kernels/convolution_form.h"

enum { SIZE = 12, WINDOW = 3 };

/* A convolution of f32 over two dimensions, channels first, padded to the size of its input. */
static struct convolution_spec channels_first(int64_t ins, int64_t outs)
{
    struct convolution_spec s = {.lhs = DTYPE_F32,
                                 .rhs = DTYPE_F32,
                                 .out = DTYPE_F32,
                                 .spatial = 2,
                                 .batch = 2,
                                 .in_features = ins,
                                 .out_features = outs,
                                 .feature_groups = 1,
                                 .batch_groups = 1,
                                 .lhs_batch_stride = ins * SIZE * SIZE,
                                 .lhs_feature_stride = SIZE * SIZE,
                                 .rhs_in_stride = WINDOW * WINDOW,
                                 .rhs_out_stride = ins * WINDOW * WINDOW};
    for (int i = 0, step = 1, window = 1; i < 2; i++, step = SIZE, window = WINDOW) {
        s.in[1 - i] = SIZE, s.kernel[1 - i] = WINDOW, s.out_size[1 - i] = SIZE;
        s.stride[i] = s.lhs_dilation[i] = s.rhs_dilation[i] = 1;
        s.pad_low[i] = s.pad_high[i] = 1;
        s.lhs_stride[1 - i] = s.out_stride[1 - i] = step, s.rhs_stride[1 - i] = window;
    }
    s.out_feature_stride = SIZE * SIZE, s.out_batch_stride = outs * SIZE * SIZE;
    return s;
}

/* The gradient of the input of such a convolution with a stride of 2. */
static struct convolution_spec gradient(int64_t ins, int64_t outs)
{
    struct convolution_spec s = channels_first(ins, outs);
    s.out_feature_stride = s.out_batch_stride = 1;
    for (int i = 0; i < 2; i++) {
        s.lhs_dilation[i] = 2;
        s.out_size[i] = 2 * SIZE - 1;
        s.out_stride[1 - i] = i ? s.out_size[1] : 1;
        s.out_feature_stride *= s.out_size[i];
    }
    s.out_batch_stride = outs * s.out_feature_stride;
    return s;
}

/* The primitive for the whole batch; owned. */
static struct onednn_primitive primitive_of(const struct convolution_spec *spec)
{
    struct convolution_form form;
    struct onednn_primitive primitive;
    cr_assert(convolution_form_of(spec, &form));
    cr_assert_null(convolution_form_create(&form, convolution_form_axis(&form), &primitive));
    return primitive;
}

static void check_unfolded(const struct convolution_spec *spec, bool wanted)
{
    struct onednn_primitive primitive = primitive_of(spec);
    cr_expect_eq(onednn_is_unfolded(primitive.description), wanted);
    onednn_primitive_free(&primitive);
}

Test(convolution_form, channels_first_are_reordered_for_a_kernel_of_convolutions)
{
    struct convolution_spec many = channels_first(16, 32), one = channels_first(3, 16);
    if (!cpu_features()->avx2)
        cr_skip_test("oneDNN has no kernels for convolutions of f32 without AVX2");
    check_unfolded(&many, false);
    check_unfolded(&one, false);
}

Test(convolution_form, a_gradient_of_one_feature_keeps_its_layout)
{
    struct convolution_spec narrow = gradient(16, 1);
    struct onednn_primitive primitive = primitive_of(&narrow);
    cr_expect_not(primitive.arguments[0].differs);
    cr_expect_not(primitive.arguments[2].differs);
    cr_expect_not(onednn_is_reference(primitive.description));
    onednn_primitive_free(&primitive);
}
