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
/* What is needed of the first `columns` of rows[rows, n] of a block. */
static void multiply(const struct attention_rows *r, const struct dot_spec *s, int64_t rows,
                     const struct attention_array *left, void *right, int64_t columns, float *out)
{
    tile_matrix_multiply(r->product, &(struct tile_matrix){.left = left->at,
                                                           .left_stride = left->row_stride,
                                                           .left_k_stride = 1,
                                                           .right = right,
                                                           .right_k = s->k,
                                                           .out = out,
                                                           .out_stride = s->n,
                                                           .rows = rows,
                                                           .k = s->k,
                                                           .columns = columns,
                                                           .tile_columns = r->needed,
                                                           .ahead = r->ahead,
                                                           .part = s->k});
}

/* The columns of a tile that are computed by the kernels: those that it needs, TILE_ROWS that are
 * looked at or read as zeros, and the rest of the last vector; whole rows, if these do not consist
 * of such vectors. */
static int64_t computed_columns(const struct attention_rows *r, int64_t needed)
{
    const int64_t n = columns_of(r);
    if (n % PROGRAM_COLUMN_VECTOR)
        return n;
    return tile_least(tile_round_up(needed + TILE_ROWS, PROGRAM_COLUMN_VECTOR), n);
}

/* Multiplies what is needed of scores and change; what else of change the kernels read is zero. */
static void multiply_needed(const struct attention_rows *r, const struct rows *rows)
{
    const struct attention_backward_spec *spec = r->call->spec;
    const int64_t n = spec->scores.n, most = r->needed[(rows->count - 1) / TILE_ROWS];
    multiply(r, &spec->scores, rows->count, &r->queries, r->keys, most, r->weights);
    multiply(r, &spec->change, rows->count, &r->given, r->values, most, r->change);
    for (int64_t i = 0; i < rows->count; i++) {
        int64_t needed = r->needed[i / TILE_ROWS], zeros = computed_columns(r, needed) - needed;
        memset(r->change + i * n + needed, 0, (size_t)zeros * sizeof(float));
    }
}

/* ---- kernels --------------------------------------------------------------------------------- */
/* An address such that element `index` of an array there is `at`. */
static void *shifted(float *at, int64_t index)
{
    return (void *)((uintptr_t)at - (uintptr_t)index * sizeof *at);
}

/* Rows [begin, end) of a block, of which the first columns are computed. */
struct tile_rows {
    int64_t begin, end, columns;
};

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

/* Calls a kernel for rows in scratch, which are rows of arrays of all. */
static void call_kernel(const struct attention_rows *r, const struct kernel *kernel,
                        const struct rows *rows, const struct tile_rows *tile)
{
    const struct dot_spec *s = &r->call->spec->scores;
    int64_t first = rows->batch * s->m + rows->first, columns = tile->columns;
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
    kernel->function(buffers, first + tile->begin, first + tile->end);
}

static void call_kernels(const struct attention_rows *r, const struct rows *rows,
                         const struct tile_rows *tile)
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
    call_kernel(r, &weights, rows, tile);
    call_kernel(r, &gradient, rows, tile);
}

/* ---- masks ----------------------------------------------------------------------------------- */
/* Sets that a tile of rows, after those before it, needs `columns`. */
static void need(const struct attention_rows *r, int64_t tile, int64_t columns)
{
    const int64_t before = tile > 0 ? r->needed[tile - 1] : 0;
    r->needed[tile] = columns = tile_most(columns, before);
    for (int64_t i = tile_divide_up(before, TILE_ROWS); i * TILE_ROWS < columns; i++)
        r->first_rows[i] = tile * TILE_ROWS;
}

static void need_all(const struct attention_rows *r, const struct rows *rows)
{
    for (int64_t row = 0; row < rows->count; row += TILE_ROWS)
        need(r, row / TILE_ROWS, columns_of(r));
}

/* Needs the columns up to the last one that a row of the tile sees, at least 1. */
static void need_seen(const struct attention_rows *r, const struct rows *rows)
{
    const struct attention_backward_spec *spec = r->call->spec;
    const int32_t *seen = r->call->buffers[ATTENTION_BACKWARD_INPUTS + spec->mask_operand];
    int64_t first = rows->batch * spec->scores.m + rows->first, most = 1;
    for (int64_t i = 0; i < rows->count; i++) {
        most = tile_most(most, seen[(first + i) % spec->mask_rows]);
        if (i % TILE_ROWS == TILE_ROWS - 1 || i == rows->count - 1)
            need(r, i / TILE_ROWS, tile_least(most, spec->scores.n));
    }
}

/* Whether a column of a tile is zero, in the weights and in the gradient. */
static bool is_zero(const struct attention_rows *r, const struct tile_rows *tile, int64_t column)
{
    const int64_t n = columns_of(r);
    for (int64_t at = tile->begin * n + column; at < tile->end * n; at += n)
        if (r->weights[at] != 0 || r->change[at] != 0)
            return false;
    return true;
}

/* Computes what is needed in f32; false if columns that are not computed are not zero. */
static bool compute_needed(const struct attention_rows *r, const struct rows *rows)
{
    multiply_needed(r, rows);
    for (int64_t row = 0; row < rows->count; row += TILE_ROWS) {
        const int64_t needed = r->needed[row / TILE_ROWS];
        const struct tile_rows tile = {row, tile_least(row + TILE_ROWS, rows->count),
                                       computed_columns(r, needed)};
        call_kernels(r, rows, &tile);
        if (needed < columns_of(r) && !is_zero(r, &tile, tile.columns - 1))
            return false;
    }
    return true;
}

static void compute(const struct attention_rows *r, const struct rows *rows, bool is_usual)
{
    if (is_usual && r->call->spec->mask_operand >= 0) {
        need_seen(r, rows);
        if (compute_needed(r, rows))
            return;
    }
    need_all(r, rows);
    compute_needed(r, rows);
}

/* ---- what products read ---------------------------------------------------------------------- */
/* Rounds the first columns of rows [begin, end) to pairs of rows; the last of an odd number is its
 * own partner, which is not read. */
static void round_pairs(const struct attention_rows *r, const float *from,
                        const struct tile_rows *tile, uint16_t *to)
{
    const int64_t n = columns_of(r), stride = pair_stride(n) * 2;
    for (int64_t i = tile->begin; i < tile->end; i += 2)
        r->product->narrow_pairs(from + i * n, from + (i + 1 < tile->end ? i + 1 : i) * n,
                                 tile->columns, to + i / 2 * stride);
}

/* Also rounds the zeros behind the columns, which the last tile of a transposed array reads. */
static void round_rows(const struct attention_rows *r, int64_t rows)
{
    const int64_t n = columns_of(r);
    for (int64_t row = 0; row < rows; row += TILE_ROWS) {
        const int64_t columns = tile_least(r->needed[row / TILE_ROWS] + TILE_ROWS, n);
        const struct tile_rows tile = {row, tile_least(row + TILE_ROWS, rows), columns};
        round_pairs(r, r->weights, &tile, r->weight_pairs);
        round_pairs(r, r->change, &tile, r->gradient_pairs);
        for (int64_t i = tile.begin; i < tile.end; i++)
            r->product->narrow(r->change + i * n, columns, r->gradient_rows + i * n);
    }
}

int64_t attention_rows_compute(const struct attention_rows *r, const struct rows *rows,
                               bool is_usual)
{
    compute(r, rows, is_usual);
    if (!is_f32(r))
        round_rows(r, rows->count);
    return r->needed[(rows->count - 1) / TILE_ROWS];
}

static void set_transposed(const struct attention_rows *r, const float *array,
                           const uint16_t *pairs, struct tile_matrix *out)
{
    out->left = is_f32(r) ? (const void *)array : pairs;
    out->left_stride = r->product->depth;
    out->left_k_stride = is_f32(r) ? columns_of(r) : pair_stride(columns_of(r));
    out->tile_first = r->first_rows;
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
    out->tile_k = r->needed;
}
