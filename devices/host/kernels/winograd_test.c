/* Tests convolutions by Winograd's method (winograd.h, winograd_weights.h) against sums of products
 * in f64 and in f32: errors, infinities and NaN by position, overflow, and equal bits for all
 * numbers of threads. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/winograd.h"
#include "devices/host/kernels/winograd_block.h"
#include "devices/host/kernels/winograd_weights.h"

enum kind { FORWARD, BY_INPUT, BY_WEIGHTS, KINDS };

struct sizes {
    int64_t n, h, w, c, o, low, high; /* padding, of both dimensions */
};

static void fill_dense(int64_t *strides, int64_t columns, int64_t features)
{
    strides[1] = features, strides[0] = features * columns;
}

/* NHWC and HWIO. By input: `c` are the features of the result's gradient, and the kernel is that of
 * a convolution from `o` features to `c`. By weights: the gradient has the size of the result. */
static struct convolution_spec spec_of(const struct sizes *z, enum kind kind)
{
    int64_t in[2] = {z->h, z->w}, out[2];
    struct convolution_spec s = {.lhs = DTYPE_F32,
                                 .rhs = DTYPE_F32,
                                 .out = DTYPE_F32,
                                 .spatial = 2,
                                 .batch = kind == BY_WEIGHTS ? z->c : z->n,
                                 .in_features = kind == BY_WEIGHTS ? z->n : z->c,
                                 .out_features = z->o,
                                 .feature_groups = 1,
                                 .batch_groups = 1,
                                 .out_feature_stride = 1};
    for (int i = 0; i < 2; i++) {
        out[i] = in[i] + z->low + z->high - 2;
        s.in[i] = in[i], s.kernel[i] = kind == BY_WEIGHTS ? out[i] : 3;
        s.out_size[i] = kind == BY_WEIGHTS ? 3 : out[i];
        s.stride[i] = s.lhs_dilation[i] = s.rhs_dilation[i] = 1;
        s.pad_low[i] = z->low, s.pad_high[i] = z->high, s.reverse[i] = kind == BY_INPUT;
    }
    int64_t image = z->h * z->w * z->c;
    fill_dense(s.lhs_stride, z->w, z->c);
    s.lhs_batch_stride = kind == BY_WEIGHTS ? 1 : image;
    s.lhs_feature_stride = kind == BY_WEIGHTS ? image : 1;
    fill_dense(s.rhs_stride, s.kernel[1], kind == BY_WEIGHTS ? z->o : z->c * z->o);
    s.rhs_in_stride = kind == BY_WEIGHTS ? out[0] * out[1] * z->o : kind == BY_INPUT ? 1 : z->o;
    s.rhs_out_stride = kind == BY_INPUT ? z->c : 1;
    fill_dense(s.out_stride, s.out_size[1], kind == BY_WEIGHTS ? z->c * z->o : z->o);
    s.out_batch_stride = kind == BY_WEIGHTS ? z->o : out[0] * out[1] * z->o;
    return s;
}

struct arrays {
    int64_t lhs_count, rhs_count, out_count;
    float *lhs, *rhs, *out; /* owned */
};

static float *filled(int64_t count, float (*number)(void))
{
    float *values;
    cr_assert_null(alloc_zeroed((size_t)count * sizeof *values, &values));
    for (int64_t i = 0; i < count; i++)
        values[i] = number();
    return values;
}

static struct arrays arrays_of(const struct convolution_spec *s, float (*lhs)(void),
                               float (*rhs)(void))
{
    struct arrays a = {.lhs_count = s->batch * s->in_features * s->in[0] * s->in[1],
                       .rhs_count = s->in_features * s->out_features * s->kernel[0] * s->kernel[1],
                       .out_count = s->batch * s->out_features * s->out_size[0] * s->out_size[1]};
    a.lhs = filled(a.lhs_count, lhs), a.rhs = filled(a.rhs_count, rhs);
    cr_assert_null(alloc_zeroed((size_t)a.out_count * sizeof *a.out, &a.out));
    return a;
}

static void free_arrays(struct arrays *a)
{
    alloc_free(a->lhs), alloc_free(a->rhs), alloc_free(a->out);
}

static void run(const struct convolution_spec *s, const struct arrays *a, int threads)
{
    void *scratch, *buffers[PLAN_BUFFERS] = {a->lhs, a->rhs, a->out};
    struct plan *plan;
    cr_assert(winograd_applies(s) || winograd_weights_applies(s));
    cr_assert_null(kernels_convolution_plan(s, threads, &plan));
    cr_assert_null(alloc_aligned(plan->scratch_bytes + 64, &scratch));
    cr_assert_null(alloc_aligned(plan->shared_bytes + 64, &buffers[PLAN_SHARED]));
    memset(scratch, 0xff, plan->scratch_bytes);
    for (int64_t i = plan->prepare_work - 1; plan->shared_bytes && i >= 0; i--)
        cr_assert_null(plan->prepare(plan, buffers, i, i + 1));
    for (int64_t i = plan->work - 1; i >= 0; i--)
        cr_assert_null(plan->run(plan, buffers, scratch, i, i + 1));
    alloc_free(scratch), alloc_free(buffers[PLAN_SHARED]);
    plan->destroy(plan);
}

/* The sums of products for an element of the result in f64 and in f32, and of their sizes. */
struct sums {
    double exact, size;
    float direct;
};

static struct sums sums_of(const struct convolution_spec *s, const struct arrays *a, int64_t n,
                           int64_t o, const int64_t *at)
{
    struct sums sums = {0, 0, 0};
    for (int64_t y = 0; y < s->kernel[0]; y++)
        for (int64_t x = 0; x < s->kernel[1]; x++) {
            int64_t iy = at[0] + (s->reverse[0] ? s->kernel[0] - 1 - y : y) - s->pad_low[0],
                    ix = at[1] + (s->reverse[1] ? s->kernel[1] - 1 - x : x) - s->pad_low[1];
            if (iy < 0 || iy >= s->in[0] || ix < 0 || ix >= s->in[1])
                continue;
            for (int64_t c = 0; c < s->in_features; c++) {
                float l = a->lhs[n * s->lhs_batch_stride + c * s->lhs_feature_stride +
                                 iy * s->lhs_stride[0] + ix * s->lhs_stride[1]],
                      r = a->rhs[o * s->rhs_out_stride + c * s->rhs_in_stride +
                                 y * s->rhs_stride[0] + x * s->rhs_stride[1]];
                sums.exact += (double)l * r;
                sums.size += fabs((double)l * r);
                sums.direct += l * r;
            }
        }
    return sums;
}

struct errors { /* beside the sums in f64 */
    double square, direct_square, largest, direct_largest;
};

typedef void visit_function(float out, struct sums sums, struct errors *errors);

static struct errors visit(const struct convolution_spec *s, const struct arrays *a,
                           visit_function *function)
{
    struct errors errors = {0, 0, 0, 0};
    int64_t at[2];
    for (int64_t n = 0; n < s->batch; n++)
        for (at[0] = 0; at[0] < s->out_size[0]; at[0]++)
            for (at[1] = 0; at[1] < s->out_size[1]; at[1]++)
                for (int64_t o = 0; o < s->out_features; o++)
                    function(a->out[n * s->out_batch_stride + at[0] * s->out_stride[0] +
                                    at[1] * s->out_stride[1] + o],
                             sums_of(s, a, n, o, at), &errors);
    return errors;
}

static void add_errors(float out, struct sums sums, struct errors *e)
{
    double error = fabs(out - sums.exact), direct = fabs(sums.direct - sums.exact);
    e->square += error * error, e->direct_square += direct * direct;
    e->largest = fmax(e->largest, error), e->direct_largest = fmax(e->direct_largest, direct);
}

/* ---- numbers --------------------------------------------------------------------------------- */
static uint64_t state = 1;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static float symmetric(void)
{
    return (float)(2 * uniform() - 1);
}
static float positive(void)
{
    return symmetric() > 0 ? (float)uniform() : 0;
}
static float of_image(void)
{
    return (float)(255 * uniform());
}
static float with_offset(void)
{
    return 1000 + symmetric();
}
static float of_any_size(void)
{
    return symmetric() * (float)exp(8 * (uniform() - 0.5));
}
static float integer(void)
{
    return (float)(int)(13 * uniform()) - 6;
}

/* Sizes that do and do not fill tiles, blocks of tiles, vectors and panels. */
static const struct sizes all_sizes[] = {{3, 12, 12, 32, 32, 1, 1}, {1, 13, 9, 48, 70, 1, 1},
                                         {2, 9, 14, 37, 33, 0, 0},  {1, 14, 11, 130, 97, 2, 0},
                                         {2, 8, 10, 70, 160, 2, 2}, {1, 7, 24, 64, 50, 0, 3}};
enum { SIZES = sizeof all_sizes / sizeof *all_sizes };

#define SKIP_WITHOUT_KERNELS                                                                       \
    if (!winograd_blocks())                                                                        \
    cr_skip_test("Winograd's method needs AVX2")

/* ---- tests ----------------------------------------------------------------------------------- */
/* The mean of some cases; a single element may be lucky in f32. */
Test(winograd, errors_are_as_small_as_those_of_sums_in_f32)
{
    float (*const numbers[])(void) = {symmetric, positive, of_image, with_offset, of_any_size};
    SKIP_WITHOUT_KERNELS;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int number = 0; number < 5; number++) {
            struct errors all = {0, 0, 0, 0};
            for (int i = 0; i < SIZES; i++) {
                struct convolution_spec s = spec_of(&all_sizes[i], kind);
                struct arrays a = arrays_of(&s, numbers[number], symmetric);
                run(&s, &a, 1);
                struct errors e = visit(&s, &a, add_errors);
                cr_expect(e.square <= 1.5 * e.direct_square, "kind %d, numbers %d, sizes %d: %g",
                          kind, number, i, sqrt(e.square / e.direct_square));
                all.square += e.square, all.direct_square += e.direct_square;
                all.largest = fmax(all.largest, e.largest);
                all.direct_largest = fmax(all.direct_largest, e.direct_largest);
                free_arrays(&a);
            }
            cr_expect(all.square <= 1.25 * all.direct_square && all.largest <= all.direct_largest,
                      "kind %d, numbers %d: %g and %g times", kind, number,
                      sqrt(all.square / all.direct_square), all.largest / all.direct_largest);
        }
}

static void expect_equal(float out, struct sums sums, struct errors *errors)
{
    (void)errors;
    cr_expect_eq(out, (float)sums.exact);
}

Test(winograd, sums_of_integers_are_exact)
{
    SKIP_WITHOUT_KERNELS;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SIZES; i++) {
            struct convolution_spec s = spec_of(&all_sizes[i], kind);
            struct arrays a = arrays_of(&s, integer, integer);
            run(&s, &a, 3);
            visit(&s, &a, expect_equal);
            free_arrays(&a);
        }
}

static void expect_same_class(float out, struct sums sums, struct errors *errors)
{
    errors->square += !isfinite(out);
    cr_expect_eq(!!isnan(out), !!isnan(sums.direct));
    cr_expect_eq(isinf(out) ? signbit(out) ? -1 : 1 : 0,
                 isinf(sums.direct) ? signbit(sums.direct) ? -1 : 1 : 0);
    if (isfinite(sums.direct))
        cr_expect_leq(fabs(out - sums.exact), 1e-6 * sums.size);
}

/* Replaces some elements of an operand. */
static void spoil(float *values, int64_t count, float number, int64_t step)
{
    for (int64_t i = step / 3; i < count; i += step)
        values[i] = number;
}

Test(winograd, numbers_that_are_not_finite_stay_in_their_windows)
{
    static const float numbers[] = {NAN, INFINITY, -INFINITY};
    SKIP_WITHOUT_KERNELS;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SIZES; i++)
            for (int operand = 0; operand < 2; operand++) {
                struct convolution_spec s = spec_of(&all_sizes[i], kind);
                struct arrays a = arrays_of(&s, symmetric, symmetric);
                int64_t count = operand ? a.rhs_count : a.lhs_count;
                spoil(operand ? a.rhs : a.lhs, count, numbers[i % 3], count / 2 - 5);
                run(&s, &a, 2);
                cr_expect(visit(&s, &a, expect_same_class).square > 0);
                free_arrays(&a);
            }
}

/* Transforms of numbers close to FLT_MAX overflow, also where windows have only one of them, or
 * weights that are small. */
Test(winograd, overflow_of_transforms_has_no_effect)
{
    SKIP_WITHOUT_KERNELS;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SIZES; i++)
            for (int operand = 0; operand < 2; operand++) {
                struct convolution_spec s = spec_of(&all_sizes[i], kind);
                struct arrays a = arrays_of(&s, symmetric, symmetric);
                float *large = operand ? a.rhs : a.lhs, *small = operand ? a.lhs : a.rhs;
                int64_t count = operand ? a.rhs_count : a.lhs_count,
                        others = operand ? a.lhs_count : a.rhs_count;
                for (int64_t k = 0; k < others; k++)
                    small[k] *= 1e-36f;
                spoil(large, count, FLT_MAX, 2);
                run(&s, &a, 2);
                cr_expect_eq(visit(&s, &a, expect_same_class).square, 0);
                free_arrays(&a);
            }
}

/* Also where some tiles and sums are computed again. */
Test(winograd, bits_do_not_depend_on_threads)
{
    SKIP_WITHOUT_KERNELS;
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SIZES; i++)
            for (int spoiled = 0; spoiled < 2; spoiled++) {
                struct convolution_spec s = spec_of(&all_sizes[i], kind);
                struct arrays a = arrays_of(&s, symmetric, symmetric);
                if (spoiled)
                    spoil(a.lhs, a.lhs_count, 3e38f, a.lhs_count / 3);
                size_t bytes = (size_t)a.out_count * sizeof *a.out;
                float *first;
                run(&s, &a, 1);
                cr_assert_null(alloc_zeroed(bytes, &first));
                memcpy(first, a.out, bytes);
                for (int threads = 2; threads <= 32; threads += 3) {
                    memset(a.out, 0xff, bytes);
                    run(&s, &a, threads);
                    cr_expect(!memcmp(first, a.out, bytes), "kind %d, sizes %d, %d threads", kind,
                              i, threads);
                }
                alloc_free(first);
                free_arrays(&a);
            }
}

static bool applies(const struct convolution_spec *s)
{
    return winograd_applies(s) || winograd_weights_applies(s);
}

Test(winograd, other_convolutions_are_left_to_others)
{
    enum { OTHERS = 8 };
    SKIP_WITHOUT_KERNELS;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        struct sizes few = {1, 3, 3, 512, 512, 0, 0}; /* one position: most of a tile is unused */
        struct convolution_spec s = spec_of(&all_sizes[0], kind), others[OTHERS];
        for (int i = 0; i < OTHERS; i++)
            others[i] = s;
        others[0].above_default_precision = true;
        others[1].stride[1] = others[2].rhs_dilation[0] = others[3].lhs_dilation[0] = 2;
        others[4].out_feature_stride = others[5].feature_groups = 2;
        others[6].lhs = DTYPE_BF16;
        others[7] = spec_of(&few, kind);
        cr_expect(applies(&s));
        cr_expect_eq(winograd_weights_applies(&s), kind == BY_WEIGHTS);
        for (int i = 0; i < OTHERS; i++)
            cr_expect_not(applies(&others[i]), "kind %d, other %d", kind, i);
    }
}
