/* attention_backward_rows.c: see attention_backward_rows.h. */
#include "devices/host/attention/attention_backward_rows.h"

#include <string.h>

#include "devices/host/tiles/tile_sizes.h"

enum { LINE_PAIRS = 16 }; /* pairs of bf16 in a cache line */

static int64_t columns_of(const struct attention_rows *r)
{
    return r->call->spec->scores.n;
}

static bool is_f32(const struct attention_rows *r)
{
    return r->product->depth == 1;
}

/* Pairs between two pairs of rows: an odd number of lines, so that the pairs of a column are in
 * different sets of the first cache. */
static int64_t pair_stride(int64_t n)
{
    return (tile_divide_up(n, LINE_PAIRS) | 1) * LINE_PAIRS;
}

int64_t attention_rows_numbers(const struct tile_product *product, int64_t rows, int64_t n)
{
    return rows * n + product->width;
}

int64_t attention_rows_pairs(int64_t rows, int64_t n)
{
    return (tile_divide_up(rows, 2) * pair_stride(n) + TILE_ROWS) * 2;
}

/* ---- products -------------------------------------------------------------------------------- */
/* The first `columns` of rows[rows, n] of a block. */
static void multiply(const struct attention_rows *r, const struct dot_spec *s, int64_t rows,
                     const void *left, void *right, int64_t columns, float *out)
{
    tile_matrix_multiply(r->product, &(struct tile_matrix){.left = left,
                                                           .left_stride = s->k,
                                                           .left_k_stride = 1,
                                                           .right = right,
                                                           .right_k = s->k,
                                                           .out = out,
                                                           .out_stride = s->n,
                                                           .rows = rows,
                                                           .k = s->k,
                                                           .columns = columns,
                                                           .part = s->k});
}

/* Multiplies the first columns of scores and change; the others of change are zero. */
static void multiply_columns(const struct attention_rows *r, const struct rows *rows,
                             int64_t columns)
{
    const struct attention_backward_spec *spec = r->call->spec;
    const int64_t n = spec->scores.n;
    multiply(r, &spec->scores, rows->count, r->queries, r->keys, columns, r->weights);
    multiply(r, &spec->change, rows->count, r->given, r->values, columns, r->change);
    for (int64_t i = 0; i < rows->count && columns < n; i++)
        memset(r->change + i * n + columns, 0, (size_t)(n - columns) * sizeof(float));
}

/* ---- kernels --------------------------------------------------------------------------------- */
/* An address such that element `index` of an array there is `at`. */
static void *shifted(float *at, int64_t index)
{
    return (void *)((uintptr_t)at - (uintptr_t)index * sizeof *at);
}

/* A kernel with operands in scratch; it writes over the last of them. */
struct kernel {
    kernel_function *function;
    void *const *others;
    int64_t other_count;
    int inside_count;
    int64_t places[2]; /* of the operands in scratch among all */
    float *inside[2];
};

static float *inside_at(const struct kernel *kernel, int64_t place)
{
    for (int i = 0; i < kernel->inside_count; i++)
        if (kernel->places[i] == place)
            return kernel->inside[i];
    return NULL;
}

/* Calls a kernel for the rows in scratch, which are rows of arrays of all. */
static void call_kernel(const struct attention_rows *r, const struct kernel *kernel,
                        const struct rows *rows, int64_t columns)
{
    const struct dot_spec *s = &r->call->spec->scores;
    int64_t first = rows->batch * s->m + rows->first;
    int64_t operands = kernel->other_count + kernel->inside_count, other = 0;
    void *buffers[ATTENTION_MAX_OPERANDS + 5];
    for (int64_t i = 0; i < operands; i++) {
        float *inside = inside_at(kernel, i);
        buffers[i] = inside ? shifted(inside, first * s->n) : kernel->others[other++];
    }
    float *result = kernel->inside[kernel->inside_count - 1];
    buffers[operands] = shifted(result, first * s->n);
    buffers[operands + 1] = r->call->limits;
    buffers[operands + 2] = &columns;
    kernel->function(buffers, first, first + rows->count);
}

static void call_kernels(const struct attention_rows *r, const struct rows *rows, int64_t columns)
{
    const struct attention_backward_call *call = r->call;
    const struct attention_backward_spec *spec = call->spec;
    void *const *others = call->buffers + ATTENTION_BACKWARD_INPUTS;
    const struct kernel weights = {call->weights_kernel,   others,      spec->weights_others, 1,
                                   {spec->scores_operand}, {r->weights}};
    const struct kernel gradient = {call->gradient_kernel,
                                    others + spec->weights_others,
                                    spec->gradient_others,
                                    2,
                                    {spec->weights_operand, spec->change_operand},
                                    {r->weights, r->change}};
    call_kernel(r, &weights, rows, columns);
    call_kernel(r, &gradient, rows, columns);
}

/* ---- masks ----------------------------------------------------------------------------------- */
/* The columns up to the last one that a row of the block sees, at least 1. */
static int64_t seen_columns(const struct attention_rows *r, const struct rows *rows, bool is_usual)
{
    const struct attention_backward_spec *spec = r->call->spec;
    int64_t first = rows->batch * spec->scores.m + rows->first, most = 1;
    if (spec->mask_operand < 0 || !is_usual)
        return spec->scores.n;
    const int32_t *seen = r->call->buffers[ATTENTION_BACKWARD_INPUTS + spec->mask_operand];
    for (int64_t i = first; i < first + rows->count; i++)
        most = tile_most(most, seen[i % spec->mask_rows]);
    return tile_least(most, spec->scores.n);
}

/* Whether a column of a block is zero, in the weights and in the gradient. */
static bool is_zero(const struct attention_rows *r, int64_t rows, int64_t column)
{
    int64_t n = r->call->spec->scores.n;
    for (int64_t at = column; at < rows * n; at += n)
        if (r->weights[at] != 0 || r->change[at] != 0)
            return false;
    return true;
}

/* Computes weights and gradient in f32. The kernels also compute hidden columns, up to whole tiles,
 * and one that is looked at. */
static int64_t compute(const struct attention_rows *r, const struct rows *rows, bool is_usual)
{
    int64_t all = columns_of(r), seen = seen_columns(r, rows, is_usual);
    int64_t columns = tile_round_up(seen + TILE_ROWS, PROGRAM_COLUMN_VECTOR);
    if (columns < all) {
        multiply_columns(r, rows, seen);
        call_kernels(r, rows, columns);
        if (is_zero(r, rows->count, columns - 1))
            return seen;
    }
    multiply_columns(r, rows, all);
    call_kernels(r, rows, all);
    return all;
}

/* ---- what products read ---------------------------------------------------------------------- */
/* Rounds the first columns of rows[rows, n] to pairs of rows; the last of an odd number is its own
 * partner, which is not read. */
static void round_pairs(const struct attention_rows *r, const float *from, int64_t rows,
                        int64_t columns, uint16_t *to)
{
    const int64_t n = columns_of(r), stride = pair_stride(n) * 2;
    for (int64_t i = 0; i < rows; i += 2)
        r->product->narrow_pairs(from + i * n, from + (i + 1 < rows ? i + 1 : i) * n, columns,
                                 to + i / 2 * stride);
}

/* Also rounds the zeros behind the columns, which the last tile of a transposed array reads. */
static void round_rows(const struct attention_rows *r, int64_t rows, int64_t columns)
{
    const int64_t n = columns_of(r), count = tile_least(columns + TILE_ROWS, n);
    round_pairs(r, r->weights, rows, count, r->weight_pairs);
    round_pairs(r, r->change, rows, count, r->gradient_pairs);
    for (int64_t i = 0; i < rows; i++)
        r->product->narrow(r->change + i * n, count, r->gradient_rows + i * n);
}

int64_t attention_rows_compute(const struct attention_rows *r, const struct rows *rows,
                               bool is_usual)
{
    int64_t columns = compute(r, rows, is_usual);
    if (!is_f32(r))
        round_rows(r, rows->count, columns);
    return columns;
}

static void set_transposed(const struct attention_rows *r, const float *array,
                           const uint16_t *pairs, struct tile_matrix *out)
{
    out->left = is_f32(r) ? (const void *)array : pairs;
    out->left_stride = r->product->depth;
    out->left_k_stride = is_f32(r) ? columns_of(r) : pair_stride(columns_of(r));
}

void attention_rows_weights_left(const struct attention_rows *r, struct tile_matrix *out)
{
    set_transposed(r, r->weights, r->weight_pairs, out);
}

void attention_rows_gradient_left(const struct attention_rows *r, struct tile_matrix *out)
{
    set_transposed(r, r->change, r->gradient_pairs, out);
}

void attention_rows_gradient(const struct attention_rows *r, struct tile_matrix *out)
{
    out->left = is_f32(r) ? (const void *)r->change : r->gradient_rows;
    out->left_stride = columns_of(r);
    out->left_k_stride = 1;
}
