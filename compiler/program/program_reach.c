/* program_reach.c: see program_reach.h. */
#include "compiler/program/program_reach.h"

/* Sizes, strides, padding and dilation are within +-2^40, so that their products fit in 128 bits
 * and the libraries' own arithmetic on them does not overflow. */
#define NUMBER_LIMIT (INT64_C(1) << 40)

static bool in_range(const int64_t *numbers, int count, int64_t low)
{
    for (int i = 0; i < count; i++)
        if (numbers[i] < low || numbers[i] > NUMBER_LIMIT)
            return false;
    return true;
}

static bool is_numeric(enum dtype dtype)
{
    return dtype > DTYPE_INVALID && dtype < DTYPE_COUNT && dtype_bytes(dtype) > 0;
}

struct reach { /* the range of an array with arbitrary strides; offsets in elements */
    int64_t low, high;
    bool empty, overflow;
};

static void reach_dim(struct reach *reach, int64_t count, int64_t stride)
{
    int64_t far;
    reach->empty |= count <= 0;
    if (count <= 1)
        return;
    int64_t *end = stride < 0 ? &reach->low : &reach->high;
    reach->overflow |=
        __builtin_mul_overflow(count - 1, stride, &far) || __builtin_add_overflow(*end, far, end);
}

static bool reach_fits(const struct reach *reach, enum dtype dtype, const struct slice *slice)
{
    if (reach->empty)
        return true;
    return !reach->overflow && reach->low >= 0 &&
           (uint64_t)reach->high < slice->size / (uint64_t)dtype_bytes(dtype);
}

/* Each element of a result has a distinct address, so there are at most as many as the slice
 * holds. */
static bool product_fits(const int64_t *dims, int count, enum dtype dtype,
                         const struct slice *slice)
{
    uint64_t elements = 1;
    bool overflow = false;
    for (int i = 0; i < count; i++) {
        if (!dims[i])
            return true;
        overflow |= __builtin_mul_overflow(elements, (uint64_t)dims[i], &elements);
    }
    return !overflow && elements <= slice->size / (uint64_t)dtype_bytes(dtype);
}

/* Whether a copy of an operand, of which strides of 0 repeat elements, has a size. */
static bool copy_fits(const int64_t *dims, int count)
{
    const struct slice all = {.size = NUMBER_LIMIT};
    return product_fits(dims, count, DTYPE_C128, &all);
}

bool program_reach_dot(const struct dot_spec *s, const struct slice slices[3])
{
    const int64_t dims[3][4] = {{s->outer, s->batch, s->m, s->k},
                                {s->outer, s->batch, s->k, s->n},
                                {s->outer, s->batch, s->m, s->n}};
    const int64_t strides[3][4] = {
        {s->lhs_outer_stride, s->lhs_batch_stride, s->lhs_m_stride, s->lhs_k_stride},
        {s->rhs_outer_stride, s->rhs_batch_stride, s->rhs_k_stride, s->rhs_n_stride},
        {s->out_outer_stride, s->out_batch_stride, s->out_m_stride, s->out_n_stride}};
    const enum dtype dtypes[3] = {s->lhs, s->rhs, s->out};
    for (int i = 0; i < 3; i++) {
        struct reach reach = {0};
        if (!is_numeric(dtypes[i]) || !in_range(dims[i], 4, 0))
            return false;
        for (int d = 0; d < 4; d++)
            reach_dim(&reach, dims[i][d], strides[i][d]);
        if (!reach_fits(&reach, dtypes[i], &slices[i]) || !copy_fits(dims[i], 4))
            return false;
    }
    return product_fits(dims[2], 4, s->out, &slices[2]);
}

struct image { /* one of a convolution's arrays */
    int64_t outer, outer_stride, features, feature_stride;
    const int64_t *sizes, *strides;
    enum dtype dtype;
};

static bool image_fits(const struct image *image, int spatial, const struct slice *slice)
{
    struct reach reach = {0};
    if (!is_numeric(image->dtype) || !in_range(image->sizes, spatial, 0) ||
        !in_range(&image->outer, 1, 0) || !in_range(&image->features, 1, 0))
        return false;
    reach_dim(&reach, image->outer, image->outer_stride);
    reach_dim(&reach, image->features, image->feature_stride);
    for (int i = 0; i < spatial; i++)
        reach_dim(&reach, image->sizes[i], image->strides[i]);
    return reach_fits(&reach, image->dtype, slice);
}

static bool groups_fit(const struct convolution_spec *s)
{
    return s->feature_groups >= 1 && s->batch_groups >= 1 && s->in_features >= 0 && s->batch >= 0 &&
           s->in_features % s->feature_groups == 0 && s->batch % s->batch_groups == 0 &&
           s->out_features % s->feature_groups == 0 && s->out_features % s->batch_groups == 0;
}

static bool window_fits(const struct convolution_spec *s)
{
    int n = s->spatial;
    return in_range(s->stride, n, 1) && in_range(s->lhs_dilation, n, 1) &&
           in_range(s->rhs_dilation, n, 1) && in_range(s->pad_low, n, -NUMBER_LIMIT) &&
           in_range(s->pad_high, n, -NUMBER_LIMIT);
}

bool program_reach_convolution(const struct convolution_spec *s, const struct slice slices[3])
{
    if (s->spatial < 1 || s->spatial > CONVOLUTION_MAX_SPATIAL || !groups_fit(s) || !window_fits(s))
        return false;
    const struct image images[3] = {
        {s->batch, s->lhs_batch_stride, s->in_features, s->lhs_feature_stride, s->in, s->lhs_stride,
         s->lhs},
        {s->in_features / s->feature_groups, s->rhs_in_stride, s->out_features, s->rhs_out_stride,
         s->kernel, s->rhs_stride, s->rhs},
        {s->batch / s->batch_groups, s->out_batch_stride, s->out_features, s->out_feature_stride,
         s->out_size, s->out_stride, s->out}};
    for (int i = 0; i < 3; i++)
        if (!image_fits(&images[i], s->spatial, &slices[i]))
            return false;
    int64_t out[2 + CONVOLUTION_MAX_SPATIAL] = {images[2].outer, s->out_features};
    for (int i = 0; i < s->spatial; i++)
        out[2 + i] = s->out_size[i];
    return product_fits(out, 2 + s->spatial, s->out, &slices[2]);
}
