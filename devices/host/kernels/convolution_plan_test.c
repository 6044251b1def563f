/* Tests convolution plans against simple loops: the three forms that frameworks use, in NHWC/HWIO
 * and NCHW/OIHW. All ask for a precision that excludes Winograd's method (winograd_test.c). */
#include <criterion/criterion.h>
#include <math.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/kernels.h"

struct sizes {
    int64_t n, c, o, h, w, kh, kw, stride, low, high, lhs_dilation, rhs_dilation, groups;
    bool reverse;
};

/* NHWC, HWIO, NHWC; or NCHW, OIHW, NCHW; or CHWN, HWIO style for the gradient of the kernel. */
static struct convolution_spec spec_of(const struct sizes *s, int style)
{
    int64_t kernel[2] = {s->kh, s->kw}, in[2] = {s->h, s->w};
    struct convolution_spec c = {.lhs = DTYPE_F32,
                                 .rhs = DTYPE_F32,
                                 .out = DTYPE_F32,
                                 .spatial = 2,
                                 .batch = s->n,
                                 .in_features = s->c,
                                 .out_features = s->o,
                                 .feature_groups = s->groups,
                                 .batch_groups = 1,
                                 .above_default_precision = true};
    for (int i = 0; i < 2; i++) {
        int64_t window = (kernel[i] - 1) * s->rhs_dilation + 1;
        c.in[i] = in[i], c.kernel[i] = kernel[i], c.stride[i] = s->stride;
        c.pad_low[i] = s->low, c.pad_high[i] = s->high, c.reverse[i] = s->reverse;
        c.lhs_dilation[i] = s->lhs_dilation, c.rhs_dilation[i] = s->rhs_dilation;
        c.out_size[i] =
            ((in[i] - 1) * s->lhs_dilation + 1 + s->low + s->high - window) / s->stride + 1;
    }
    int64_t cg = s->c / s->groups, oh = c.out_size[0], ow = c.out_size[1];
    if (style == 0) {
        c.lhs_feature_stride = 1, c.lhs_stride[1] = s->c, c.lhs_stride[0] = s->c * s->w,
        c.lhs_batch_stride = s->c * s->w * s->h;
        c.rhs_out_stride = 1, c.rhs_in_stride = s->o, c.rhs_stride[1] = s->o * cg,
        c.rhs_stride[0] = s->o * cg * s->kw;
        c.out_feature_stride = 1, c.out_stride[1] = s->o, c.out_stride[0] = s->o * ow,
        c.out_batch_stride = s->o * ow * oh;
    } else if (style == 1) {
        c.lhs_stride[1] = 1, c.lhs_stride[0] = s->w, c.lhs_feature_stride = s->w * s->h,
        c.lhs_batch_stride = s->c * s->w * s->h;
        c.rhs_stride[1] = 1, c.rhs_stride[0] = s->kw, c.rhs_in_stride = s->kw * s->kh,
        c.rhs_out_stride = cg * s->kw * s->kh;
        c.out_stride[1] = 1, c.out_stride[0] = ow, c.out_feature_stride = ow * oh,
        c.out_batch_stride = s->o * ow * oh;
    } else { /* batch is the minor dimension of lhs, as in the gradient of a kernel with NHWC */
        c.lhs_batch_stride = 1, c.lhs_stride[1] = s->n, c.lhs_stride[0] = s->n * s->w,
        c.lhs_feature_stride = s->n * s->w * s->h;
        c.rhs_out_stride = 1, c.rhs_stride[1] = s->o, c.rhs_stride[0] = s->o * s->kw,
        c.rhs_in_stride = s->o * s->kw * s->kh;
        c.out_feature_stride = 1, c.out_batch_stride = s->o, c.out_stride[1] = s->o * s->n,
        c.out_stride[0] = s->o * s->n * ow;
    }
    return c;
}

static float *filled(int64_t count, int seed)
{
    float *values = NULL;
    cr_assert_null(alloc_zeroed((size_t)count * 4 + 64, &values));
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)((i * 7 + seed * 5) % 13 - 6);
    return values;
}

static bool tap(const struct convolution_spec *s, int i, int64_t out, int64_t k, int64_t *in)
{
    int64_t at = out * s->stride[i] +
                 (s->reverse[i] ? s->kernel[i] - 1 - k : k) * s->rhs_dilation[i] - s->pad_low[i];
    *in = at / s->lhs_dilation[i];
    return at >= 0 && at % s->lhs_dilation[i] == 0 && *in < s->in[i];
}

static double expected(const struct convolution_spec *s, const float *lhs, const float *rhs,
                       int64_t n, int64_t o, int64_t y, int64_t x)
{
    int64_t ins = s->in_features / s->feature_groups,
            group = o / (s->out_features / s->feature_groups), iy, ix;
    double sum = 0;
    for (int64_t ky = 0; ky < s->kernel[0]; ky++)
        for (int64_t kx = 0; kx < s->kernel[1]; kx++)
            if (tap(s, 0, y, ky, &iy) && tap(s, 1, x, kx, &ix))
                for (int64_t c = 0; c < ins; c++)
                    sum += (double)lhs[n * s->lhs_batch_stride +
                                       (group * ins + c) * s->lhs_feature_stride +
                                       iy * s->lhs_stride[0] + ix * s->lhs_stride[1]] *
                           rhs[o * s->rhs_out_stride + c * s->rhs_in_stride +
                               ky * s->rhs_stride[0] + kx * s->rhs_stride[1]];
    return sum;
}

static void prepare_in_parts(const struct plan *plan, void *const *buffers)
{
    int64_t half = plan->prepare_work / 2;
    cr_assert_null(plan->prepare(plan, buffers, half, plan->prepare_work));
    if (half)
        cr_assert_null(plan->prepare(plan, buffers, 0, half));
}

static void run(const struct plan *plan, float *lhs, float *rhs, float *out)
{
    void *scratch, *buffers[PLAN_BUFFERS] = {lhs, rhs, out};
    cr_assert_null(alloc_aligned(plan->scratch_bytes + 64, &scratch));
    cr_assert_null(alloc_aligned(plan->shared_bytes + 64, &buffers[PLAN_SHARED]));
    if (plan->shared_bytes)
        prepare_in_parts(plan, buffers);
    for (int64_t part = 0; part < plan->work; part++)
        cr_assert_null(plan->run(plan, buffers, scratch, part, part + 1));
    alloc_free(buffers[PLAN_SHARED]), alloc_free(scratch);
}

static void check(const struct sizes *shape, int style, int threads)
{
    struct convolution_spec s = spec_of(shape, style);
    struct plan *plan;
    struct error *error = kernels_convolution_plan(&s, threads, &plan);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    float *lhs = filled(shape->n * shape->c * shape->h * shape->w, 1);
    float *rhs = filled(shape->o * shape->c * shape->kh * shape->kw, 2);
    float *out = filled(shape->n * shape->o * s.out_size[0] * s.out_size[1], 3);
    run(plan, lhs, rhs, out);
    for (int64_t n = 0; n < s.batch; n++)
        for (int64_t o = 0; o < s.out_features; o++)
            for (int64_t y = 0; y < s.out_size[0]; y++)
                for (int64_t x = 0; x < s.out_size[1]; x++) {
                    double want = expected(&s, lhs, rhs, n, o, y, x);
                    double got = out[n * s.out_batch_stride + o * s.out_feature_stride +
                                     y * s.out_stride[0] + x * s.out_stride[1]];
                    cr_assert(fabs(got - want) <= 1e-2 + 1e-5 * fabs(want),
                              "style %d, [%ld,%ld,%ld,%ld]: %g, want %g", style, (long)n, (long)o,
                              (long)y, (long)x, got, want);
                }
    plan->destroy(plan);
    alloc_free(lhs), alloc_free(rhs), alloc_free(out);
}

static void check_styles(const struct sizes *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int style = 0; style < (shapes[i].groups > 1 ? 2 : 3); style++)
            check(&shapes[i], style, 1), check(&shapes[i], style, 4);
}

Test(convolution_plan, forward)
{ /*                              n  c  o  h   w   kh kw s low high ld rd g reverse */
    static const struct sizes all[] = {{2, 3, 8, 9, 11, 3, 3, 1, 1, 1, 1, 1, 1, 0},
                                       {1, 16, 32, 8, 8, 1, 1, 1, 0, 0, 1, 1, 1, 0},
                                       {3, 4, 6, 10, 7, 3, 2, 2, 0, 1, 1, 1, 1, 0},
                                       {2, 4, 4, 9, 9, 3, 3, 1, 2, 2, 1, 2, 1, 0},
                                       {2, 6, 6, 8, 8, 3, 3, 1, 1, 1, 1, 1, 6, 0},
                                       {2, 8, 4, 8, 8, 3, 3, 1, 1, 1, 1, 1, 2, 0},
                                       {1, 2, 3, 7, 7, 3, 3, 2, 1, 1, 1, 1, 1, 1},
                                       {8, 16, 16, 16, 16, 3, 3, 1, 1, 1, 1, 1, 1, 0}};
    check_styles(all, sizeof all / sizeof *all);
}

Test(convolution_plan, gradient_by_the_input)
{
    static const struct sizes all[] = {{2, 8, 3, 5, 6, 3, 3, 1, 1, 1, 2, 1, 1, 0},
                                       {2, 4, 5, 4, 4, 2, 2, 1, 1, 2, 3, 1, 1, 1},
                                       {1, 8, 8, 7, 7, 3, 3, 1, 2, 1, 2, 1, 1, 1}};
    check_styles(all, sizeof all / sizeof *all);
}

Test(convolution_plan, gradient_by_the_kernel)
{
    static const struct sizes all[] = {{3, 4, 8, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 0},
                                       {16, 3, 32, 8, 8, 8, 8, 1, 0, 0, 1, 1, 1, 0},
                                       {5, 2, 7, 8, 3, 8, 3, 1, 0, 0, 1, 1, 1, 0},
                                       {16, 3, 16, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 0},
                                       {32, 2, 48, 8, 8, 4, 4, 1, 1, 0, 1, 2, 1, 0},
                                       {3, 8, 16, 12, 12, 6, 6, 1, 1, 0, 1, 2, 1, 0},
                                       {3, 8, 16, 8, 8, 4, 4, 1, 0, -1, 1, 2, 1, 0},
                                       {16, 8, 32, 8, 8, 4, 4, 1, 0, -1, 1, 2, 1, 0},
                                       {32, 3, 16, 9, 9, 3, 3, 1, 0, -2, 1, 3, 1, 0},
                                       {5, 2, 40, 8, 8, 8, 8, 1, 1, 1, 1, 1, 1, 0}};
    check_styles(all, sizeof all / sizeof *all);
}

Test(convolution_plan, small_result_that_is_no_gradient)
{ /* reversed; the end of the input is not read */
    static const struct sizes all[] = {{3, 4, 8, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1},
                                       {2, 3, 4, 14, 14, 9, 9, 3, 0, 0, 1, 1, 1, 0}};
    check_styles(all, sizeof all / sizeof *all);
}

/* Large enough for several parts with 4 threads, of which the last is smaller: 2 + 2 + 1 images, or
 * 16 + 16 + 8 output features. */
Test(convolution_plan, parts_share_an_operand)
{
    static const struct sizes all[] = {{5, 16, 16, 16, 16, 3, 3, 1, 1, 1, 1, 1, 1, 0},
                                       {5, 16, 16, 16, 16, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                       {5, 16, 16, 8, 8, 3, 3, 1, 1, 2, 2, 1, 1, 0},
                                       {16, 4, 40, 16, 16, 16, 16, 1, 1, 1, 1, 1, 1, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct convolution_spec s = spec_of(&all[i], 0);
        struct plan *plan;
        cr_assert_null(kernels_convolution_plan(&s, 4, &plan));
        cr_expect_eq(plan->work, 3);
        plan->destroy(plan);
    }
    check_styles(all, sizeof all / sizeof *all);
}

/* Images that do not occupy all threads are cut into rows. `work`: parts for 4 threads. */
Test(convolution_plan, few_images_are_cut_into_rows)
{
    static const struct { /*     n  c   o   h   w   kh kw s low high ld rd g reverse */
        struct sizes sizes;
        int64_t work;
    } all[] = {{{1, 32, 32, 24, 24, 3, 3, 1, 1, 1, 1, 1, 1, 0}, 4},
               {{1, 32, 64, 23, 25, 3, 3, 2, 1, 1, 1, 1, 1, 0}, 4},
               {{3, 32, 40, 13, 26, 3, 3, 1, 1, 1, 1, 1, 1, 0}, 12},
               {{2, 128, 128, 7, 28, 1, 1, 1, 0, 0, 1, 1, 1, 0}, 4},
               {{6, 64, 64, 10, 10, 3, 3, 1, 1, 1, 1, 1, 1, 1}, 12},
               {{1, 48, 33, 19, 31, 5, 3, 2, 2, 3, 1, 2, 1, 0}, 4},
               {{1, 64, 32, 12, 14, 5, 5, 1, 4, 0, 1, 1, 1, 0}, 3},
               {{1, 64, 64, 24, 24, 3, 3, 1, 1, 1, 1, 1, 4, 0}, 4},
               {{4, 32, 32, 24, 24, 3, 3, 1, 1, 1, 1, 1, 1, 0}, 4}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct convolution_spec s = spec_of(&all[i].sizes, 0);
        struct plan *plan;
        cr_assert_null(kernels_convolution_plan(&s, 4, &plan));
        cr_expect_eq(plan->work, all[i].work, "%zu: %ld", i, (long)plan->work);
        plan->destroy(plan);
        for (int threads = 1; threads < 8; threads += 2)
            check(&all[i].sizes, 0, threads);
        check(&all[i].sizes, 1, 4);
    }
}

/* Every number of few output features; input features that do and do not fill vectors, rows that do
 * and do not fill blocks, positions that meet no element; more parts than one;
 * many phases. */
Test(convolution_plan, few_output_features)
{ /*                              n  c   o  h   w   kh kw s low high ld rd g reverse */
    static const struct sizes all[] = {{2, 8, 1, 9, 11, 4, 4, 1, 2, 2, 2, 1, 1, 0},
                                       {3, 33, 2, 6, 9, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                       {1, 16, 3, 7, 23, 5, 5, 1, 2, 1, 3, 1, 1, 1},
                                       {2, 5, 4, 5, 6, 2, 2, 1, 4, 9, 3, 1, 1, 0},
                                       {1, 40, 5, 8, 19, 3, 3, 2, 1, 1, 1, 1, 1, 0},
                                       {2, 4, 6, 8, 9, 3, 3, 3, 2, 2, 2, 1, 1, 0},
                                       {2, 12, 7, 7, 13, 3, 3, 1, 3, 3, 2, 3, 1, 0},
                                       {2, 24, 8, 5, 31, 3, 3, 1, 2, 2, 3, 2, 1, 1},
                                       {2, 19, 1, 4, 40, 3, 7, 1, 3, 3, 1, 1, 1, 0},
                                       {1, 8, 3, 6, 7, 5, 3, 4, 2, 3, 6, 4, 1, 1},
                                       {64, 32, 3, 8, 16, 3, 3, 1, 1, 1, 1, 1, 1, 0},
                                       {1, 6, 2, 3, 4, 45, 41, 1, 39, 44, 40, 1, 1, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check(&all[i], 0, 1), check(&all[i], 0, 4);
    struct convolution_spec s = spec_of(&all[10], 0);
    struct plan *plan;
    cr_assert_null(kernels_convolution_plan(&s, 4, &plan));
    cr_expect_eq(plan->work, 4);
    plan->destroy(plan);
}

/* A vector that the input features do not fill has zeros of the input and of the kernel. */
Test(convolution_plan, infinities_stay_where_they_are)
{
    struct sizes sizes = {1, 5, 2, 1, 3, 1, 1, 1, 0, 0, 1, 1, 1, 0};
    struct convolution_spec s = spec_of(&sizes, 0);
    float lhs[15] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, rhs[10], out[6];
    struct plan *plan;
    for (int i = 0; i < 5; i++) {
        lhs[i] = lhs[10 + i] = INFINITY;
        rhs[2 * i] = 1, rhs[2 * i + 1] = i ? 0 : INFINITY;
    }
    cr_assert_null(kernels_convolution_plan(&s, 1, &plan));
    run(plan, lhs, rhs, out);
    cr_expect(out[0] == INFINITY && isnan(out[1]) && out[2] == 5 && out[3] == INFINITY);
    plan->destroy(plan);
}

/* A window of 3 on an input dilated by 2 is a gradient if the padding is below 3, and below 4 at
 * the high end. Specifications have no negative padding. */
static bool supports_padding(int64_t low, int64_t high)
{
    struct sizes sizes = {1, 2, 4, 5, 5, 3, 3, 1, low, high, 2, 1, 1, 0};
    struct convolution_spec s = spec_of(&sizes, 0);
    struct plan *plan;
    bool supported = kernels_convolution_supported(&s, 1);
    struct error *error = kernels_convolution_plan(&s, 1, &plan);
    cr_assert_eq(supported, error == NULL);
    error_free(error);
    if (plan)
        plan->destroy(plan);
    return supported;
}

Test(convolution_plan, padding_beyond_a_gradient_is_not_supported)
{
    cr_expect(supports_padding(2, 3) && supports_padding(0, 0));
    cr_expect(!supports_padding(3, 0) && !supports_padding(0, 4));
}

static void expect_supported(enum dtype dtype, enum dtype out, bool expected)
{
    static const struct sizes all[] = {{2, 16, 32, 9, 11, 3, 3, 1, 1, 1, 1, 1, 1, 0},
                                       {2, 16, 32, 5, 6, 3, 3, 1, 1, 1, 2, 1, 1, 0},
                                       {3, 16, 32, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct convolution_spec s = spec_of(&all[i], 0);
        s.lhs = s.rhs = dtype, s.out = out;
        bool supported = kernels_convolution_supported(&s, 3);
        cr_assert_eq(supported, expected, "%s, form %zu", dtype_name(dtype), i);
        struct plan *plan = NULL;
        struct error *error = supported ? kernels_convolution_plan(&s, 3, &plan) : NULL;
        cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
        if (plan)
            plan->destroy(plan);
    }
}

Test(convolution_plan, support_follows_the_processor)
{
    expect_supported(DTYPE_F32, DTYPE_F32, true);
    expect_supported(DTYPE_BF16, DTYPE_BF16, cpu_features()->avx512_bf16);
    expect_supported(DTYPE_F16, DTYPE_F16, cpu_features()->avx512_fp16);
}

/* A plan with reference loops can be created but is reported as unsupported, since generated code
 * is better. oneDNN has optimized kernels for groups of s8 only with AVX-512, and they are exact
 * only with VNNI. */
Test(convolution_plan, reference_loops_are_not_support)
{
    struct sizes sizes = {2, 7, 14, 12, 12, 3, 3, 1, 1, 1, 1, 1, 7, 0};
    struct convolution_spec s = spec_of(&sizes, 0);
    s.lhs = s.rhs = DTYPE_S8, s.out = DTYPE_S32;
    struct plan *plan;
    cr_assert_null(kernels_convolution_plan(&s, 1, &plan));
    plan->destroy(plan);
    cr_assert_eq(kernels_convolution_supported(&s, 1), cpu_features()->avx512_vnni);
}
