/* Steps for the gradient of attention against simple loops, with kernels in C: sizes that are no
 * multiples of tiles, layouts, masks, numbers that are not finite, and numbers of threads; of f32
 * and of bf16. */
#include "devices/host/attention/attention_backward_blocks.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/scratch.h"
#include "devices/host/tiles/tile_product.h"

enum { MAX = 1 << 17, ROWS = 1024, SCRATCH = 1 << 23 };
#define HIDDEN (-1e9F)

struct sizes {
    int64_t heads, m, n, k, width;
};

static float queries[MAX], keys[MAX], values[MAX], given[MAX];
static float to_values[MAX], to_queries[MAX], to_keys[MAX], other[3][MAX];
static uint16_t narrow[4][MAX], narrow_results[3][MAX]; /* inputs and results of bf16 */
static bool is_bf16;                                    /* set by describe_bf16() */
static int32_t seen[ROWS];
static struct attention_backward_spec spec;
static int64_t kernel_columns; /* how many elements the weights' kernel computed */
static struct kernel_limits limits;
static struct program_plan *plan;

/* How many columns a kernel computes: as generated ones, rows that do not consist of whole vectors
 * as a whole (codegen/kernels/loop_kernel.c). */
static int64_t computed(const void *columns)
{
    return spec.scores.n % PROGRAM_COLUMN_VECTOR ? spec.scores.n : *(const int64_t *)columns;
}

/* weights = softmax(row of scores, where columns from seen[row] on are hidden). Buffers: seen,
 * scores, weights, limits, columns. */
static void softmax(void *const *buffers, int64_t begin, int64_t end)
{
    const int32_t *count = buffers[0];
    int64_t n = spec.scores.n, columns = computed(buffers[4]);
    for (int64_t row = begin; row < end; row++) {
        const float *in = (const float *)buffers[1] + row * n;
        float *weights = (float *)buffers[2] + row * n, most = -INFINITY, sum = 0;
        for (int64_t i = 0; i < columns; i++) {
            weights[i] = i < count[row % spec.scores.m] ? in[i] : HIDDEN;
            most = weights[i] > most || isnan(weights[i]) ? weights[i] : most;
        }
        for (int64_t i = 0; i < columns; i++)
            sum += weights[i] = expf(weights[i] - most);
        for (int64_t i = 0; i < columns; i++)
            weights[i] /= sum;
    }
    kernel_columns += columns * (end - begin);
}

/* weights * (change - sum(weights * change)), 0 in hidden columns of rows that have others.
 * Buffers: change, weights, gradient, limits, columns. */
static void gradient(void *const *buffers, int64_t begin, int64_t end)
{
    int64_t n = spec.scores.n, columns = computed(buffers[4]);
    for (int64_t row = begin; row < end; row++) {
        const float *change = (const float *)buffers[0] + row * n,
                    *weights = (const float *)buffers[1] + row * n;
        float *to = (float *)buffers[2] + row * n, mean = 0;
        int64_t count = seen[row % spec.scores.m], shown = count > 0 ? count : n;
        for (int64_t i = 0; i < columns; i++)
            mean += weights[i] * change[i];
        for (int64_t i = 0; i < columns; i++)
            to[i] = i < shown ? weights[i] * (change[i] - mean) : 0;
    }
}

/* Heads alternate inside of a position, as in arrays of [positions, heads, elements]. */
static void set_left(struct dot_spec *s, int64_t heads)
{
    s->lhs_batch_stride = s->k, s->lhs_m_stride = heads * s->k, s->lhs_k_stride = 1;
}

static void set_right(struct dot_spec *s, int64_t heads, bool is_transposed)
{
    int64_t width = is_transposed ? s->k : s->n;
    s->rhs_batch_stride = width;
    s->rhs_k_stride = is_transposed ? 1 : heads * width;
    s->rhs_n_stride = is_transposed ? heads * width : 1;
}

static void set_out(struct dot_spec *s, int64_t heads)
{
    s->out_batch_stride = s->n, s->out_m_stride = heads * s->n, s->out_n_stride = 1;
}

/* A product of rows, which are [m, n] for each head. */
static struct dot_spec writes_rows(struct sizes s, int64_t k)
{
    struct dot_spec made = {DTYPE_F32, DTYPE_F32, DTYPE_F32, .outer = 1, .batch = s.heads};
    made.m = s.m, made.n = s.n, made.k = k;
    made.out_batch_stride = s.m * s.n, made.out_m_stride = s.n, made.out_n_stride = 1;
    set_left(&made, s.heads);
    set_right(&made, s.heads, true);
    return made;
}

static struct dot_spec reads_rows(struct sizes s, bool are_columns, int64_t n)
{
    struct dot_spec made = {DTYPE_F32, DTYPE_F32, DTYPE_F32, .outer = 1, .batch = s.heads};
    made.m = are_columns ? s.n : s.m, made.k = are_columns ? s.m : s.n, made.n = n;
    made.lhs_batch_stride = s.m * s.n;
    made.lhs_m_stride = are_columns ? 1 : s.n, made.lhs_k_stride = are_columns ? s.n : 1;
    set_right(&made, s.heads, false);
    set_out(&made, s.heads);
    return made;
}

static void describe(struct sizes s)
{
    spec = (struct attention_backward_spec){.scores = writes_rows(s, s.k),
                                            .change = writes_rows(s, s.width),
                                            .to_values = reads_rows(s, true, s.width),
                                            .to_queries = reads_rows(s, false, s.k),
                                            .to_keys = reads_rows(s, true, s.k),
                                            .weights_others = 1,
                                            .scores_operand = 1,
                                            .weights_operand = 1,
                                            .mask_rows = s.m};
}

/* Operands of bf16, and results of `out`. */
static void describe_bf16(struct sizes s, enum dtype out)
{
    describe(s);
    struct dot_spec *products[] = {&spec.scores, &spec.change, &spec.to_values, &spec.to_queries,
                                   &spec.to_keys};
    for (int i = 0; i < 5; i++)
        products[i]->lhs = products[i]->rhs = DTYPE_BF16;
    for (int i = 2; i < 5; i++)
        products[i]->out = out;
    is_bf16 = true;
}

static void fill(float *to, int seed)
{
    for (int64_t i = 0; i < MAX; i++)
        to[i] = (float)((i * 7919 + seed * 104729) % 2003 - 1001) / 1000;
}

static void setup(void)
{
    fill(queries, 1), fill(keys, 2), fill(values, 3), fill(given, 4);
    for (int i = 0; i < ROWS; i++)
        seen[i] = INT32_MAX;
    kernel_columns = 0;
    is_bf16 = false;
    cr_assert_null(scratch_plan(&plan));
}

static void teardown(void)
{
    plan->destroy(plan);
    cr_assert_eq(alloc_live(), 0);
}

TestSuite(attention_backward_blocks, .init = setup, .fini = teardown);

/* NaNs where the step's scratch memory will be: blocks that are free, which others replace. */
static void spoil_scratch(void)
{
    void *scratch[4];
    for (int i = 0; i < 4; i++) {
        cr_assert_null(scratch_acquire(SCRATCH, &scratch[i]));
        memset(scratch[i], 0xff, SCRATCH);
    }
    for (int i = 0; i < 4; i++)
        scratch_return(scratch[i]);
}

static void call(void *const *inputs, void *const *results, int threads)
{
    void *buffers[] = {inputs[0], inputs[1], inputs[2],  inputs[3],  inputs[2], inputs[1],
                       inputs[0], seen,      results[0], results[1], results[2]};
    const struct attention_backward_call made = {&spec, softmax, gradient, buffers, &limits};
    spoil_scratch();
    cr_assert_null(attention_backward_blocks_run(&made, threads));
}

static void widen(const uint16_t *from, float *to)
{
    for (int64_t i = 0; i < MAX; i++) {
        uint32_t bits = (uint32_t)from[i] << 16;
        memcpy(&to[i], &bits, sizeof bits);
    }
}

/* Rounds the inputs, too, of which the results are checked. */
static void run_bf16(float *const *results, int threads)
{
    float *inputs[] = {queries, keys, given, values};
    const bool is_narrow = spec.to_values.out == DTYPE_BF16;
    for (int i = 0; i < 4; i++) {
        tile_product()->narrow(inputs[i], MAX, narrow[i]);
        widen(narrow[i], inputs[i]);
    }
    call((void *[]){narrow[0], narrow[1], narrow[2], narrow[3]},
         is_narrow ? (void *[]){narrow_results[0], narrow_results[1], narrow_results[2]}
                   : (void *[]){results[0], results[1], results[2]},
         threads);
    for (int i = 0; i < 3 && is_narrow; i++)
        widen(narrow_results[i], results[i]);
}

static void run_to(float *a, float *b, float *c, int threads)
{
    if (is_bf16)
        run_bf16((float *[]){a, b, c}, threads);
    else
        call((void *[]){queries, keys, given, values}, (void *[]){a, b, c}, threads);
}

static void run(int threads)
{
    run_to(to_values, to_queries, to_keys, threads);
}

/* ---- what is expected ------------------------------------------------------------------------ */

/* sum over i of a[i * a_stride] * b[i * b_stride] */
static double dot(const float *a, int64_t a_stride, const float *b, int64_t b_stride, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (double)a[i * a_stride] * (double)b[i * b_stride];
    return sum;
}

static void exact_row(int64_t head, int64_t row, double *weights, double *to)
{
    int64_t n = spec.scores.n, k = spec.scores.k, width = spec.change.k, heads = spec.scores.batch;
    double most = -INFINITY, sum = 0, mean = 0;
    for (int64_t i = 0; i < n; i++) {
        weights[i] =
            dot(queries + (row * heads + head) * k, 1, keys + (i * heads + head) * k, 1, k);
        weights[i] = i < seen[row] ? weights[i] : (double)HIDDEN;
        most = fmax(most, weights[i]);
    }
    for (int64_t i = 0; i < n; i++)
        sum += weights[i] = exp(weights[i] - most);
    for (int64_t i = 0; i < n; i++) {
        weights[i] /= sum;
        to[i] = dot(given + (row * heads + head) * width, 1, values + (i * heads + head) * width, 1,
                    width);
        mean += weights[i] * to[i];
    }
    for (int64_t i = 0; i < n; i++)
        to[i] = weights[i] * (to[i] - mean);
}

/* sum over i of rows[i * stride] * right[i, head, column], for arrays [positions, heads, width] */
static double contract(const double *rows, int64_t stride, int64_t count, const float *right,
                       int64_t head, int64_t width, int64_t column)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += rows[i * stride] * (double)right[(i * spec.scores.batch + head) * width + column];
    return sum;
}

static void expect(const float *result, int64_t position, int64_t head, int64_t width,
                   int64_t column, double expected, const char *what)
{
    float got = result[(position * spec.scores.batch + head) * width + column];
    /* weights and gradients of bf16 are rounded by up to 1/512, and results, too */
    double limit = is_bf16 ? 0.03 + fabs(expected) / 128 : 1e-4;
    cr_assert_float_eq(got, expected, limit, "%s: head %d, position %d, column %d: %g, not %g",
                       what, (int)head, (int)position, (int)column, got, expected);
}

static void check_head(int64_t head, const double *weights, const double *rows)
{
    int64_t m = spec.scores.m, n = spec.scores.n, k = spec.scores.k, width = spec.change.k;
    for (int64_t j = 0; j < n; j++)
        for (int64_t c = 0; c < width; c += 3)
            expect(to_values, j, head, width, c, contract(weights + j, n, m, given, head, width, c),
                   "to_values");
    for (int64_t j = 0; j < n; j++)
        for (int64_t c = 0; c < k; c += 3)
            expect(to_keys, j, head, k, c, contract(rows + j, n, m, queries, head, k, c),
                   "to_keys");
    for (int64_t i = 0; i < m; i++)
        for (int64_t c = 0; c < k; c += 3)
            expect(to_queries, i, head, k, c, contract(rows + i * n, 1, n, keys, head, k, c),
                   "to_queries");
}

static void check(void)
{
    int64_t m = spec.scores.m, n = spec.scores.n;
    double *weights, *rows;
    cr_assert_null(alloc_array((size_t)(m * n), sizeof *weights, &weights));
    cr_assert_null(alloc_array((size_t)(m * n), sizeof *rows, &rows));
    for (int64_t head = 0; head < spec.scores.batch; head++) {
        for (int64_t i = 0; i < m; i++)
            exact_row(head, i, weights + i * n, rows + i * n);
        check_head(head, weights, rows);
    }
    alloc_free(weights), alloc_free(rows);
}

/* ---- tests ----------------------------------------------------------------------------------- */
Test(attention_backward_blocks, sizes_that_tiles_do_not_divide)
{
    static const struct sizes all[] = {{2, 48, 128, 64, 64},  {3, 1, 1, 1, 1},
                                       {1, 7, 65, 5, 3},      {2, 25, 63, 16, 100},
                                       {1, 100, 257, 80, 33}, {1, 29, 30, 300, 200}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        describe(all[i]);
        run(1);
        check();
    }
}

Test(attention_backward_blocks, sizes_of_bf16_that_tiles_do_not_divide)
{
    static const struct sizes all[] = {{2, 48, 128, 64, 64},  {3, 1, 1, 1, 1},
                                       {1, 7, 65, 5, 3},      {2, 25, 63, 16, 100},
                                       {1, 100, 257, 80, 33}, {1, 29, 30, 300, 200}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        describe_bf16(all[i], i % 2 ? DTYPE_BF16 : DTYPE_F32);
        run(1);
        check();
    }
}

Test(attention_backward_blocks, rows_in_parts)
{
    describe((struct sizes){1, 700, 40, 8, 16});
    run(1);
    check();
    describe_bf16((struct sizes){1, 701, 40, 8, 16}, DTYPE_BF16);
    run(1);
    check();
}

static void causal(int64_t m)
{
    for (int64_t i = 0; i < m; i++)
        seen[i] = (int32_t)i + 1;
}

Test(attention_backward_blocks, columns_that_a_mask_hides_are_left_out)
{
    describe((struct sizes){2, 300, 320, 16, 8});
    causal(300);
    run(1);
    check();
    cr_expect_lt(kernel_columns, 600 * 210);
    describe((struct sizes){1, 200, 199, 16, 16}); /* not in steps of vectors */
    run(1);
    check();
}

Test(attention_backward_blocks, columns_of_bf16_that_a_mask_hides_are_left_out)
{
    describe_bf16((struct sizes){2, 301, 320, 16, 8}, DTYPE_BF16);
    causal(301);
    run(1);
    check();
    cr_expect_lt(kernel_columns, 602 * 210);
    describe_bf16((struct sizes){1, 199, 201, 15, 16}, DTYPE_F32);
    run(1);
    check();
}

Test(attention_backward_blocks, masks_whose_rows_are_in_any_order)
{
    for (int i = 0; i < 4; i++) {
        const struct sizes s = {2, 130 + i, 200, 16, 20};
        if (i >= 2)
            describe_bf16(s, DTYPE_F32);
        else
            describe(s);
        for (int64_t row = 0; row < s.m; row++)
            seen[row] = (int32_t)(i % 2 ? s.m - row : row * 7919 % s.n + 1);
        run(1);
        check();
    }
}

Test(attention_backward_blocks, without_a_mask_all_columns_are_computed)
{
    describe((struct sizes){1, 100, 320, 16, 8});
    causal(100);
    spec.mask_operand = -1, spec.mask_rows = 0;
    run(1);
    check();
    cr_expect_eq(kernel_columns, 100 * 320);
}

Test(attention_backward_blocks, counts_out_of_range_are_the_nearest_ones)
{
    describe((struct sizes){1, 144, 256, 8, 8});
    for (int i = 0; i < 144; i++)
        seen[i] = i < 72 ? INT32_MIN : INT32_MAX;
    run(1);
    check();
}

/* Hidden columns have the weight 1/n in a row without others. */
Test(attention_backward_blocks, rows_that_are_hidden_as_a_whole)
{
    describe((struct sizes){1, 60, 256, 16, 16});
    causal(60);
    seen[30] = 0;
    run(1);
    check();
    for (int i = 0; i < 60; i++)
        seen[i] = i == 30 ? 0 : 200; /* of which the last vector of columns is computed */
    run(1);
    check();
}

/* 0 * NaN is NaN: hidden columns count where they are not finite. */
Test(attention_backward_blocks, hidden_numbers_that_are_not_finite)
{
    describe((struct sizes){1, 60, 256, 16, 16});
    causal(60);
    keys[250 * 16 + 3] = NAN;
    run(1);
    for (int64_t row = 0; row < 60; row++)
        cr_assert(isnan(to_queries[row * 16 + 3]) && !isnan(to_queries[row * 16 + 2]));
}

Test(attention_backward_blocks, given_numbers_that_are_not_finite)
{
    describe((struct sizes){1, 60, 256, 16, 16});
    causal(60);
    given[10 * 16 + 5] = INFINITY;
    run(1);
    for (int64_t column = 0; column < 256; column++)
        cr_assert(!isfinite(to_values[column * 16 + 5]) && isfinite(to_values[column * 16 + 4]));
}

/* The products of large hidden numbers may be infinite. */
Test(attention_backward_blocks, hidden_numbers_whose_product_is_infinite)
{
    describe((struct sizes){1, 60, 256, 16, 16});
    causal(60);
    for (int64_t i = 0; i < 16; i++)
        values[200 * 16 + i] = given[20 * 16 + i] = 1e30F;
    run(1);
    for (int64_t column = 0; column < 16; column++)
        cr_assert(isnan(to_queries[20 * 16 + column]) && !isnan(to_queries[19 * 16 + column]));
}

/* Also in the lower half of a pair. */
Test(attention_backward_blocks, hidden_numbers_of_bf16_that_are_not_finite)
{
    for (int64_t column = 0; column < 2; column++) {
        fill(keys, 2), fill(values, 3);
        describe_bf16((struct sizes){1, 60, 256, 16, 16}, DTYPE_BF16);
        causal(60);
        keys[250 * 16 + column] = NAN;
        values[250 * 16 + column] = INFINITY;
        run(1);
        for (int64_t row = 0; row < 60; row++)
            cr_assert(isnan(to_queries[row * 16 + column]));
    }
}

Test(attention_backward_blocks, any_number_of_threads_gives_the_same_bits)
{
    static const struct sizes all[] = {
        {3, 150, 192, 32, 48}, {1, 900, 128, 16, 16}, {2, 600, 64, 16, 16}};
    for (size_t i = 0; i < 2 * sizeof all / sizeof *all; i++) {
        const struct sizes s = all[i / 2];
        describe(s);
        if (i % 2)
            describe_bf16(s, DTYPE_F32);
        causal(s.m);
        run(1);
        for (int threads = 2; threads < 6; threads++) {
            memset(other, -1, sizeof other);
            run_to(other[0], other[1], other[2], threads);
            cr_assert_arr_eq(to_values, other[0],
                             sizeof(float) * (size_t)(s.heads * s.n * s.width));
            cr_assert_arr_eq(to_queries, other[1], sizeof(float) * (size_t)(s.heads * s.m * s.k));
            cr_assert_arr_eq(to_keys, other[2], sizeof(float) * (size_t)(s.heads * s.n * s.k));
        }
    }
}

Test(attention_backward_blocks, a_step_that_is_stopped_computes_nothing)
{
    struct kernel_limits stopped = {.stop = 1};
    void *buffers[] = {queries, keys, given,     values,     given,  keys,
                       queries, seen, to_values, to_queries, to_keys};
    describe((struct sizes){1, 60, 256, 16, 16});
    const struct attention_backward_call call = {&spec, softmax, gradient, buffers, &stopped};
    cr_assert_null(attention_backward_blocks_run(&call, 1));
    cr_expect_eq(kernel_columns, 0);
}
