/* convolution_product.c: see convolution_product.h. */
#include "devices/host/kernels/convolution_product.h"

/* Whether a result of one pixel sums over all pixels of the input, each in its place. */
static bool has_one_window(const struct convolution_spec *s)
{
    bool answer = s->feature_groups == 1 && s->batch_groups == 1;
    for (int i = 0; i < s->spatial && answer; i++)
        answer = s->out_size[i] == 1 && s->kernel[i] == s->in[i] && s->pad_low[i] == 0 &&
                 s->pad_high[i] == 0 && s->lhs_dilation[i] == 1 && s->rhs_dilation[i] == 1 &&
                 !s->reverse[i];
    return answer;
}

/* The distance of pixels if images, rows and pixels follow one another at that distance; else 0. */
static int64_t pixel_stride(const struct convolution_spec *s, const int64_t *strides,
                            int64_t image_stride)
{
    int64_t stride = 0, expected = 0;
    for (int i = s->spatial - 1; i >= -1; i--) {
        int64_t size = i < 0 ? s->in_features : s->in[i], at = i < 0 ? image_stride : strides[i];
        if (size == 1)
            continue;
        if (at <= 0)
            return 0;
        if (!stride)
            stride = expected = at;
        if (at != expected)
            return 0;
        expected *= size;
    }
    return stride ? stride : 1;
}

static int64_t pixels(const struct convolution_spec *s)
{
    int64_t count = s->in_features;
    for (int i = 0; i < s->spatial; i++)
        count *= s->in[i];
    return count;
}

bool convolution_product_of(const struct convolution_spec *s, struct dot_spec *out)
{
    int64_t lhs = pixel_stride(s, s->lhs_stride, s->lhs_feature_stride),
            rhs = pixel_stride(s, s->rhs_stride, s->rhs_in_stride);
    if (s->lhs != DTYPE_F32 || s->rhs != DTYPE_F32 || s->out != DTYPE_F32 || !has_one_window(s) ||
        !lhs || !rhs)
        return false;
    *out = (struct dot_spec){.lhs = s->lhs,
                             .rhs = s->rhs,
                             .out = s->out,
                             .batch = 1,
                             .m = s->batch,
                             .n = s->out_features,
                             .k = pixels(s),
                             .lhs_m_stride = s->lhs_batch_stride,
                             .lhs_k_stride = lhs,
                             .rhs_k_stride = rhs,
                             .rhs_n_stride = s->rhs_out_stride,
                             .out_m_stride = s->out_batch_stride,
                             .out_n_stride = s->out_feature_stride,
                             .outer = 1};
    return true;
}
