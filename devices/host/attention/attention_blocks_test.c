/* Attention steps against simple loops, with a kernel in C: sizes that are no multiples of tiles,
 * layouts, masks, numbers that are not finite, and numbers of threads; of f32 and of bf16. */
#include "devices/host/attention/attention_blocks.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/scratch.h"
#include "devices/host/tiles/tile_product.h"

enum { MAX = 1 << 17 };
#define HIDDEN (-1e9F)

struct sizes {
    int64_t heads, m, n, k, width;
};

static float queries[MAX], keys[MAX], values[MAX], out[MAX], other[MAX];
static uint16_t narrow_queries[MAX], narrow_keys[MAX], narrow_values[MAX];
static enum dtype type; /* of queries, keys, values and weights */
static int32_t seen[1024];
static struct attention_spec spec;
static int64_t kernel_rows, kernel_columns; /* how many rows the kernel computed, and elements */
static struct kernel_limits limits;
static struct program_plan *plan;

/* weights = softmax(row of scores, where columns from seen[row] on are hidden). Buffers: seen,
 * scores, weights, limits, columns. */
static void softmax(void *const *buffers, int64_t begin, int64_t end)
{
    const int32_t *count = buffers[0];
    int64_t n = spec.scores.n, columns = *(const int64_t *)buffers[4];
    for (int64_t row = begin; row < end; row++) {
        const float *in = (const float *)buffers[1] + row * n;
        float weights[1024], most = -INFINITY, sum = 0;
        for (int64_t i = 0; i < columns; i++) {
            weights[i] = i < count[row % spec.mask_rows] ? in[i] : HIDDEN;
            most = weights[i] > most || isnan(weights[i]) ? weights[i] : most;
        }
        for (int64_t i = 0; i < columns; i++)
            sum += weights[i] = expf(weights[i] - most);
        for (int64_t i = 0; i < columns; i++)
            weights[i] /= sum;
        if (type == DTYPE_F32)
            memcpy((float *)buffers[2] + row * n, weights, (size_t)columns * sizeof *weights);
        else
            tile_product()->narrow(weights, columns, (uint16_t *)buffers[2] + row * n);
    }
    kernel_rows += end - begin;
    kernel_columns += columns * (end - begin);
}

/* Heads alternate inside of a position, as in arrays of [positions, heads, elements]; the result is
 * dense. */
static void describe(struct sizes s)
{
    const struct dot_spec shared = {
        .lhs = type, .rhs = type, .out = DTYPE_F32, .outer = 1, .batch = s.heads, .m = s.m};
    spec = (struct attention_spec){
        .scores = shared, .values = shared, .kernel_operands = 1, .scores_operand = 1};
    spec.mask_rows = s.m;
    struct dot_spec *a = &spec.scores, *b = &spec.values;
    a->n = s.n, a->k = s.k, b->n = s.width, b->k = s.n;
    a->lhs_batch_stride = s.k, a->lhs_m_stride = s.heads * s.k, a->lhs_k_stride = 1;
    a->rhs_batch_stride = s.k, a->rhs_n_stride = s.heads * s.k, a->rhs_k_stride = 1;
    a->out_batch_stride = b->lhs_batch_stride = s.m * s.n;
    a->out_m_stride = b->lhs_m_stride = s.n, a->out_n_stride = b->lhs_k_stride = 1;
    b->rhs_batch_stride = s.width, b->rhs_k_stride = s.heads * s.width, b->rhs_n_stride = 1;
    b->out_batch_stride = s.m * s.width, b->out_m_stride = s.width, b->out_n_stride = 1;
}

/* Multiples of 1/128 between -1 and 1, which bf16 has, too. */
static void fill(float *to, int seed)
{
    for (int64_t i = 0; i < MAX; i++)
        to[i] = (float)((i * 7919 + seed * 104729) % 257 - 128) / 128;
}

static void setup(void)
{
    fill(queries, 1), fill(keys, 2), fill(values, 3);
    for (int i = 0; i < 1024; i++)
        seen[i] = INT32_MAX;
    kernel_rows = kernel_columns = 0;
    type = DTYPE_F32;
    cr_assert_null(scratch_plan(&plan));
}

static void teardown(void)
{
    plan->destroy(plan);
    cr_assert_eq(alloc_live(), 0);
}

TestSuite(attention_blocks, .init = setup, .fini = teardown);

static void run(float *to, int threads)
{
    void *buffers[] = {queries, keys, values, seen, to};
    void *narrow[] = {narrow_queries, narrow_keys, narrow_values, seen, to};
    for (int i = 0; type == DTYPE_BF16 && i < 3; i++)
        tile_product()->narrow(buffers[i], MAX, narrow[i]);
    const struct attention_call call = {&spec, softmax, type == DTYPE_F32 ? buffers : narrow,
                                        &limits};
    cr_assert_null(attention_blocks_run(&call, threads));
}

/* An element of the result in double precision. */
static double expected(int64_t head, int64_t row, int64_t column)
{
    const struct dot_spec *a = &spec.scores, *b = &spec.values;
    double most = -INFINITY, sum = 0, total = 0, *scores = NULL;
    cr_assert_null(alloc_zeroed((size_t)a->n * sizeof *scores, &scores));
    for (int64_t i = 0; i < a->n; i++) {
        for (int64_t k = 0; k < a->k; k++)
            scores[i] +=
                (double)queries[head * a->lhs_batch_stride + row * a->lhs_m_stride + k] *
                (double)
                    keys[head * a->rhs_batch_stride + i * a->rhs_n_stride + k * a->rhs_k_stride];
        scores[i] = i < seen[row] ? scores[i] : (double)HIDDEN;
        most = fmax(scores[i], most);
    }
    for (int64_t i = 0; i < a->n; i++)
        sum += exp(scores[i] - most);
    for (int64_t i = 0; i < a->n; i++)
        total +=
            exp(scores[i] - most) / sum *
            (double)
                values[head * b->rhs_batch_stride + i * b->rhs_k_stride + column * b->rhs_n_stride];
    alloc_free(scores);
    return total;
}

/* The result of a row; all rows if it is negative. */
static void check(const float *result, int64_t only)
{
    const struct dot_spec *b = &spec.values;
    /* weights are below 1, and of bf16 rounded by up to 1/256 */
    const double tolerance = type == DTYPE_F32 ? 2e-5 : 1. / 256;
    for (int64_t head = 0; head < b->batch; head++)
        for (int64_t row = only < 0 ? 0 : only; row < (only < 0 ? b->m : only + 1); row++)
            for (int64_t column = 0; column < b->n; column += 5)
                cr_assert_float_eq(result[(head * b->m + row) * b->n + column],
                                   expected(head, row, column), tolerance,
                                   "head %d, row %d, column %d", (int)head, (int)row, (int)column);
}

static void try_sizes(void)
{
    static const struct sizes all[] = {{2, 48, 128, 64, 64},
                                       {3, 1, 1, 1, 1},
                                       {1, 7, 65, 5, 3},
                                       {2, 25, 63, 16, 100},
                                       {1, 100, 257, 80, 33}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        describe(all[i]);
        run(out, 1);
        check(out, -1);
    }
}

Test(attention_blocks, sizes_that_tiles_do_not_divide)
{
    try_sizes();
    type = DTYPE_BF16;
    try_sizes();
}

static void causal(int64_t m)
{
    for (int64_t i = 0; i < m; i++)
        seen[i] = (int32_t)i + 1;
}

static void try_causal(void)
{
    kernel_rows = kernel_columns = 0;
    describe((struct sizes){2, 200, 256, 16, 16});
    causal(200);
    run(out, 1);
    check(out, -1);
    cr_expect_eq(kernel_rows, 400);
    cr_expect_lt(kernel_columns, 400 * 200);
    describe((struct sizes){1, 200, 199, 16, 16}); /* not in steps of vectors */
    run(out, 1);
    check(out, -1);
}

Test(attention_blocks, columns_that_a_mask_hides_are_left_out)
{
    try_causal();
    type = DTYPE_BF16;
    try_causal();
}

/* Also when only the values are shared. */
Test(attention_blocks, batches_that_share_keys_or_values)
{
    for (int i = 0; i < 3; i++) {
        describe((struct sizes){4, 90, 64, 16, 16});
        spec.scores.rhs_batch_stride = i == 1 ? 16 : 0;
        spec.values.rhs_batch_stride = i == 2 ? 16 : 0;
        run(out, 1);
        check(out, -1);
    }
}

Test(attention_blocks, counts_out_of_range_are_the_nearest_ones)
{
    describe((struct sizes){1, 48, 256, 8, 8});
    for (int i = 0; i < 48; i++)
        seen[i] = i < 24 ? INT32_MIN : INT32_MAX;
    run(out, 1);
    check(out, -1);
}

/* Of a block whose last rows see all columns, the first tiles leave out what they do not see. */
Test(attention_blocks, tiles_of_a_block_see_different_columns)
{
    for (int i = 0; i < 2; i++) {
        type = i ? DTYPE_BF16 : DTYPE_F32;
        describe((struct sizes){2, 22, 200, 16, 16});
        for (int row = 0; row < 22; row++)
            seen[row] = row < TILE_ROWS ? 3 : row < 2 * TILE_ROWS ? 150 : INT32_MAX;
        run(out, 1);
        check(out, -1);
        seen[7] = 0; /* it needs the columns that others of its tile do not */
        run(out, 1);
        check(out, -1);
    }
}

/* Hidden columns have the weight 1/n in a row without others. */
Test(attention_blocks, rows_that_are_hidden_as_a_whole)
{
    for (int i = 0; i < 2; i++) {
        type = i ? DTYPE_BF16 : DTYPE_F32;
        describe((struct sizes){1, 60, 256, 16, 16});
        causal(60);
        seen[30] = 0;
        run(out, 1);
        check(out, -1);
    }
}

/* 0 * NaN is NaN: hidden values count where they are not finite. */
static void try_hidden_values(void)
{
    describe((struct sizes){2, 60, 256, 16, 16});
    causal(60);
    values[spec.values.rhs_k_stride * 250 + 3] = NAN;      /* of the first head */
    values[spec.values.rhs_k_stride * 70 + 16] = INFINITY; /* of the second */
    run(out, 1);
    for (int64_t row = 0; row < 60; row++) {
        cr_assert(isnan(out[row * 16 + 3]) && !isnan(out[row * 16 + 2]));
        cr_assert(isnan(out[(60 + row) * 16]) && !isnan(out[(60 + row) * 16 + 1]));
    }
}

Test(attention_blocks, hidden_values_that_are_not_finite)
{
    try_hidden_values();
    type = DTYPE_BF16;
    try_hidden_values();
}

Test(attention_blocks, not_a_number_stays_in_its_row)
{
    describe((struct sizes){1, 60, 256, 16, 16});
    causal(60);
    queries[spec.scores.lhs_m_stride * 20] = NAN;
    keys[spec.scores.rhs_n_stride * 59] = NAN; /* only the last row sees it */
    run(out, 1);
    for (int64_t column = 0; column < 16; column++)
        cr_assert(isnan(out[20 * 16 + column]) && isnan(out[59 * 16 + column]));
    check(out, 19);
    check(out, 21);
    check(out, 58);
}

static void try_threads(void)
{
    describe((struct sizes){3, 150, 192, 32, 48});
    causal(150);
    run(out, 1);
    for (int threads = 2; threads < 8; threads++) {
        memset(other, -1, sizeof other);
        run(other, threads);
        cr_assert_arr_eq(out, other, sizeof *out * 3 * 150 * 48);
    }
}

Test(attention_blocks, any_number_of_threads_gives_the_same_bits)
{
    try_threads();
    type = DTYPE_BF16;
    try_threads();
}

/* Numbers of bf16 in arrays with odd strides, and with pairs along neither side. */
Test(attention_blocks, layouts_of_bf16)
{
    static const struct {
        int64_t keys, values;
    } strides[] = {{1, 1}, {2, 1}, {1, 2}, {3, 2}};
    type = DTYPE_BF16;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        describe((struct sizes){1, 50, 67, 9, 21});
        spec.scores.rhs_k_stride = strides[i].keys;
        spec.scores.rhs_n_stride = 9 * strides[i].keys;
        spec.values.rhs_n_stride = strides[i].values;
        spec.values.rhs_k_stride = 21 * strides[i].values;
        run(out, 1);
        check(out, -1);
    }
}

/* The result is rounded to nearest, ties to even; its rows are not adjacent. */
Test(attention_blocks, results_of_bf16)
{
    static uint16_t rounded[MAX], narrow[MAX];
    type = DTYPE_BF16;
    for (int64_t stride = 1; stride < 3; stride++) {
        describe((struct sizes){2, 25, 64, 16, 35});
        run(out, 1);
        tile_product()->narrow(out, MAX, rounded);
        spec.values.out = DTYPE_BF16;
        spec.values.out_n_stride *= stride;
        spec.values.out_m_stride *= stride;
        spec.values.out_batch_stride *= stride;
        run((float *)(void *)narrow, 1);
        for (int64_t i = 0; i < 2 * 25 * 35; i++)
            cr_assert_eq(narrow[i * stride], rounded[i]);
    }
}

/* Whole tiles of rows are written where they are, without what is between them. */
Test(attention_blocks, results_whose_rows_are_apart)
{
    enum { WIDTH = 64, STRIDE = 80 };
    for (int64_t m = 24; m < 32; m++) {
        describe((struct sizes){2, m, 64, 16, WIDTH});
        run(out, 1);
        check(out, -1);
        spec.values.out_m_stride = STRIDE;
        spec.values.out_batch_stride = m * STRIDE;
        memset(other, 0, sizeof other);
        run(other, 1);
        for (int64_t i = 0; i < 2 * m * STRIDE; i++)
            cr_assert_eq(other[i], i % STRIDE < WIDTH ? out[i / STRIDE * WIDTH + i % STRIDE] : 0);
        cr_assert_eq(other[2 * m * STRIDE], 0);
    }
}

Test(attention_blocks, a_step_that_is_stopped_computes_nothing)
{
    struct kernel_limits stopped = {.stop = 1};
    void *buffers[] = {queries, keys, values, seen, out};
    describe((struct sizes){1, 60, 256, 16, 16});
    const struct attention_call call = {&spec, softmax, buffers, &stopped};
    cr_assert_null(attention_blocks_run(&call, 1));
    cr_expect_eq(kernel_rows, 0);
}
