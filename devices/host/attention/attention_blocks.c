/* attention_blocks.c: see attention_blocks.h. Of each block of rows:
 *
 *   queries [rows, k]      copied, dense
 *   scores  [rows, n]      = queries * packed keys, in f32
 *   weights [rows, n]      the kernel's; of f32 in the place of the scores
 *   sums    [rows, width]  = weights * packed values, in f32, in parts of PART columns; then copied
 *                            to out
 *
 * Where a mask hides the last columns from all rows, they are left out, except one that shows
 * whether hidden weights are zero. If it is not, the block is computed again with all columns.
 *
 * Blocks have whole tiles of rows; what a block computes beyond the last row is not used. */
#include "devices/host/attention/attention_blocks.h"

#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "devices/host/scratch.h"
#include "devices/host/attention/tile_product.h"

enum {
    BLOCK_BYTES = 1 << 18, /* of the scores of a block: a part of a core's own cache */
    MAX_BLOCK_ROWS = 4 * TILE_ROWS,
    PART = 128,           /* columns of the weights that are multiplied at once: with the packed
                           * values of these columns they fit into the first cache */
    CHUNKS_PER_THREAD = 4 /* balances the load between fast and slow threads */
};

struct task { /* one step */
    const struct attention_call *call;
    const struct dot_spec *scores, *values;
    const struct tile_product *product;
    int64_t block_rows, blocks; /* rows of a block; blocks of a batch */
    int64_t width;              /* columns of the values, rounded up to whole vectors */
    /* in scratch */
    size_t keys_at, values_at, queries_at, scores_at, weights_at, sums_at, bytes;
    _Atomic(struct error *) error; /* the first */
};

struct worker { /* the scratch of one thread */
    const struct task *task;
    char *keys, *values, *queries; /* of the product's type */
    float *scores, *sums;
    char *weights;    /* of the product's type */
    int64_t packed;   /* the batch whose keys and values are packed; -1: none */
    int64_t infinite; /* with a mask: all rows of the values from this one on are finite */
};

struct rows { /* of a block, in a batch */
    int64_t batch, first, count;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t round_up(int64_t number, int64_t to)
{
    return (number + to - 1) / to * to;
}

/* ---- one block ------------------------------------------------------------------------------- */
/* Where batch `batch` of an array begins, in elements. */
static int64_t start_of(const struct dot_spec *s, int64_t batch, int64_t outer_stride,
                        int64_t batch_stride)
{
    return batch / s->batch * outer_stride + batch % s->batch * batch_stride;
}

/* Numbers along k, rounded up to whole elements of a packed side. */
static int64_t whole_numbers(const struct tile_product *product, int64_t k)
{
    return round_up(k, product->depth);
}

/* The number of rows of the packed values up to the last one that has an infinity or NaN, rounded
 * up. */
static int64_t infinite_rows(const struct worker *w)
{
    const struct dot_spec *v = w->task->values;
    const struct tile_product *product = w->task->product;
    const int64_t width = product->width;
    for (int64_t end = v->k; end > 0; end = (end - 1) / PART * PART) {
        int64_t first = (end - 1) / PART * PART;
        for (int64_t column = 0; column < v->n; column += width)
            if (!product->is_finite(tile_product_at(product, w->values, v->k, first, column),
                                    whole_numbers(product, end - first) * width))
                return end;
    }
    return 0;
}

/* The address of a number of one of the step's arrays. */
static char *number_at(const struct worker *w, int buffer, int64_t number)
{
    return (char *)w->task->call->buffers[buffer] + number * w->task->product->bytes;
}

static void pack(struct worker *w, int64_t batch)
{
    const struct dot_spec *s = w->task->scores, *v = w->task->values;
    const void *keys =
                   number_at(w, 1, start_of(s, batch, s->rhs_outer_stride, s->rhs_batch_stride)),
               *values =
                   number_at(w, 2, start_of(v, batch, v->rhs_outer_stride, v->rhs_batch_stride));
    const struct tile_product *product = w->task->product;
    tile_product_pack(product, keys, s->rhs_k_stride, s->rhs_n_stride, s->k, s->n, w->keys);
    tile_product_pack(product, values, v->rhs_k_stride, v->rhs_n_stride, v->k, v->n, w->values);
    w->packed = batch;
    w->infinite = w->task->call->spec->mask_operand < 0 ? 0 : infinite_rows(w);
}

/* Copies `count` numbers of `bytes` to adjacent ones; the stride is in numbers. */
static void gather(const char *from, int64_t stride, int64_t count, int bytes, char *to)
{
    if (stride == 1)
        memcpy(to, from, (size_t)(count * bytes));
    else if (bytes == sizeof(float))
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * 4, from + i * stride * 4, 4);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * 2, from + i * stride * 2, 2);
}

static void copy_queries(const struct worker *w, const struct rows *rows)
{
    const struct dot_spec *s = w->task->scores;
    int bytes = w->task->product->bytes;
    int64_t first = start_of(s, rows->batch, s->lhs_outer_stride, s->lhs_batch_stride) +
                    rows->first * s->lhs_m_stride;
    for (int64_t r = 0; r < rows->count; r++)
        gather(number_at(w, 0, first + r * s->lhs_m_stride), s->lhs_k_stride, s->k, bytes,
               w->queries + r * s->k * bytes);
}

/* Stores `count` adjacent sums; the stride is in numbers. */
static void store_f32(const float *from, int64_t count, float *to, int64_t stride)
{
    if (stride == 1)
        memcpy(to, from, (size_t)count * sizeof *to);
    else
        for (int64_t i = 0; i < count; i++)
            to[i * stride] = from[i];
}

static void store_bf16(const struct tile_product *product, const float *from, int64_t count,
                       uint16_t *to, int64_t stride)
{
    if (stride == 1)
        product->narrow(from, count, to);
    else
        for (int64_t i = 0; i < count; i++)
            product->narrow(from + i, 1, to + i * stride);
}

static void copy_sums(const struct worker *w, const struct rows *rows)
{
    const struct dot_spec *v = w->task->values;
    void *out = w->task->call->buffers[3 + w->task->call->spec->kernel_operands];
    int64_t at = start_of(v, rows->batch, v->out_outer_stride, v->out_batch_stride) +
                 rows->first * v->out_m_stride;
    const float *from = w->sums;
    for (int64_t r = 0; r < rows->count; r++, at += v->out_m_stride, from += w->task->width)
        if (v->out == DTYPE_F32)
            store_f32(from, v->n, (float *)out + at, v->out_n_stride);
        else
            store_bf16(w->task->product, from, v->n, (uint16_t *)out + at, v->out_n_stride);
}

/* The last panel comes first, and rows are in order: what a tile writes behind the end of a row is
 * written again by a later one. */
static void multiply_keys(const struct worker *w, int64_t rows, int64_t columns)
{
    const struct dot_spec *s = w->task->scores;
    const struct tile_product *product = w->task->product;
    int64_t last = (columns - 1) / product->width * product->width;
    for (int64_t column = last; column >= 0; column -= product->width)
        for (int64_t row = 0; row < rows; row += TILE_ROWS) {
            struct tile tile = {.lhs = w->queries + row * s->k * product->bytes,
                                .rhs = tile_product_at(product, w->keys, s->k, 0, column),
                                .out = w->scores + row * s->n + column,
                                .lhs_stride = s->k,
                                .lhs_k_stride = 1,
                                .out_stride = s->n,
                                .k = s->k};
            int64_t left = smaller(columns - column, product->width);
            tile.vectors = (int)((left + product->lanes - 1) / product->lanes);
            product->multiply(&tile);
        }
}

static void multiply_values(const struct worker *w, int64_t rows, int64_t columns)
{
    const struct dot_spec *v = w->task->values;
    const struct tile_product *product = w->task->product;
    for (int64_t column = 0; column < v->n; column += product->width)
        for (int64_t part = 0; part < columns; part += PART)
            for (int64_t row = 0; row < rows; row += TILE_ROWS) {
                struct tile tile = {.lhs = w->weights + (row * v->k + part) * product->bytes,
                                    .rhs = tile_product_at(product, w->values, v->k, part, column),
                                    .out = w->sums + row * w->task->width + column,
                                    .lhs_stride = v->k,
                                    .lhs_k_stride = 1,
                                    .out_stride = w->task->width,
                                    .k = smaller(columns - part, PART),
                                    .adds = part > 0};
                int64_t left = smaller(w->task->width - column, product->width);
                tile.vectors = (int)(left / product->lanes);
                product->multiply(&tile);
            }
}

/* An address such that element `index` of an array of numbers of `bytes` there is `at`. */
static void *shifted(void *at, int64_t index, size_t bytes)
{
    return (void *)((uintptr_t)at - (uintptr_t)index * bytes);
}

/* Calls the kernel for the rows in scratch, which are rows of an array of all. */
static void call_kernel(const struct worker *w, const struct rows *rows, int64_t columns)
{
    const struct attention_call *call = w->task->call;
    const struct attention_spec *spec = call->spec;
    int64_t first = rows->batch * spec->scores.m + rows->first, start = first * spec->scores.n;
    void *buffers[ATTENTION_MAX_OPERANDS + 4];
    int count = 0;
    for (int i = 0; i <= spec->kernel_operands; i++) {
        if (i == spec->scores_operand)
            buffers[count++] = shifted(w->scores, start, sizeof *w->scores);
        if (i < spec->kernel_operands)
            buffers[count++] = call->buffers[3 + i];
    }
    buffers[count++] = shifted(w->weights, start, (size_t)w->task->product->bytes);
    buffers[count++] = call->limits;
    buffers[count] = &columns;
    call->kernel(buffers, first, first + rows->count);
}

/* The columns up to the last one that a row of the block sees, or that has values which are not
 * finite. */
static int64_t seen_columns(const struct worker *w, const struct rows *rows)
{
    const struct attention_spec *spec = w->task->call->spec;
    int64_t first = rows->batch * spec->scores.m + rows->first, most = larger(w->infinite, 1);
    if (spec->mask_operand < 0)
        return spec->scores.n;
    const int32_t *seen = w->task->call->buffers[3 + spec->mask_operand];
    for (int64_t i = first; i < first + rows->count; i++)
        most = larger(most, seen[i % spec->mask_rows]);
    return smaller(most, spec->scores.n);
}

/* Whether a column's weights are zero in all rows: of either sign. */
static bool is_zero(const struct worker *w, int64_t rows, int64_t column)
{
    const int64_t n = w->task->scores->n;
    const bool is_f32 = w->task->product->bytes == sizeof(float);
    uint32_t any = 0;
    for (int64_t at = column; at < rows * n; at += n)
        any |= is_f32 ? ((const uint32_t *)(const void *)w->weights)[at] << 1
                      : (uint32_t)((const uint16_t *)(const void *)w->weights)[at] << 17;
    return !any;
}

/* Computes the weights; returns the number of columns before those that are zero in all rows. */
static int64_t compute_weights(const struct worker *w, const struct rows *rows)
{
    int64_t all = w->task->scores->n, seen = seen_columns(w, rows);
    int64_t columns = smaller(round_up(seen + 1, PROGRAM_COLUMN_STEP), all);
    if (columns < all) {
        multiply_keys(w, rows->count, seen); /* the others are hidden from the kernel, too */
        call_kernel(w, rows, columns);
        if (is_zero(w, rows->count, columns - 1))
            return seen;
    }
    multiply_keys(w, rows->count, all);
    call_kernel(w, rows, all);
    return all;
}

static void run_block(struct worker *w, int64_t batch, int64_t block)
{
    const struct task *task = w->task;
    int64_t first = block * task->block_rows;
    const struct rows rows = {batch, first, smaller(task->scores->m - first, task->block_rows)};
    if (w->packed != batch)
        pack(w, batch);
    copy_queries(w, &rows);
    multiply_values(w, rows.count, compute_weights(w, &rows));
    copy_sums(w, &rows);
}

/* ---- all blocks ------------------------------------------------------------------------------ */
static struct worker worker_of(const struct task *task, char *scratch)
{
    return (struct worker){.task = task,
                           .keys = scratch + task->keys_at,
                           .values = scratch + task->values_at,
                           .queries = scratch + task->queries_at,
                           .scores = (float *)(void *)(scratch + task->scores_at),
                           .weights = scratch + task->weights_at,
                           .sums = (float *)(void *)(scratch + task->sums_at),
                           .packed = -1};
}

static void run_range(void *context, int64_t begin, int64_t end)
{
    struct task *task = context;
    void *scratch;
    struct error *error = scratch_acquire(task->bytes, &scratch), *none = NULL;
    if (error) {
        if (!atomic_compare_exchange_strong(&task->error, &none, error))
            error_free(error);
        return;
    }
    struct worker worker = worker_of(task, scratch);
    for (int64_t i = begin;
         i < end && !atomic_load_explicit(&task->call->limits->stop, memory_order_relaxed); i++)
        run_block(&worker, i / task->blocks, i % task->blocks);
    scratch_return(scratch);
}

static size_t reserve(struct task *task, int64_t elements, int bytes)
{
    size_t at = task->bytes;
    task->bytes += (size_t)round_up(elements * bytes, 64);
    return at;
}

/* Rows of a block: whole tiles, whose scores fit into a part of a core's cache. */
static int64_t rows_of_block(const struct dot_spec *s)
{
    int64_t rows = BLOCK_BYTES / (s->n * (int64_t)sizeof(float));
    rows = smaller(smaller(rows, MAX_BLOCK_ROWS), round_up(s->m, TILE_ROWS));
    return rows < TILE_ROWS ? TILE_ROWS : rows / TILE_ROWS * TILE_ROWS;
}

static void plan(struct task *task)
{
    const struct dot_spec *s = task->scores, *v = task->values;
    const struct tile_product *product = task->product;
    const int f32 = sizeof(float), bytes = product->bytes;
    int64_t rows = task->block_rows = rows_of_block(s);
    task->blocks = (s->m + rows - 1) / rows;
    task->width = round_up(v->n, product->lanes);
    task->keys_at = reserve(task, tile_product_packed(product, s->k, s->n), bytes);
    task->values_at = reserve(task, tile_product_packed(product, v->k, v->n), bytes);
    task->queries_at = reserve(task, rows * s->k, bytes);
    task->scores_at = reserve(task, rows * s->n + product->width, f32);
    task->weights_at = bytes == f32 ? task->scores_at : reserve(task, rows * s->n, bytes);
    task->sums_at = reserve(task, rows * task->width, f32);
}

static void plan_destroy(struct program_plan *base)
{
    alloc_free(base);
    scratch_release();
}

struct error *attention_blocks_plan(struct program_plan **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->destroy = plan_destroy;
    scratch_retain();
    return NULL;
}

struct error *attention_blocks_run(const struct attention_call *call, int threads)
{
    struct task task = {.call = call,
                        .scores = &call->spec->scores,
                        .values = &call->spec->values,
                        .product = call->spec->scores.lhs == DTYPE_F32 ? tile_product()
                                                                       : tile_product_bf16()};
    plan(&task);
    int64_t count = task.scores->outer * task.scores->batch * task.blocks;
    int64_t chunks = (int64_t)threads * CHUNKS_PER_THREAD, grain = (count + chunks - 1) / chunks;
    if (threads == 1 || grain >= count)
        run_range(&task, 0, count);
    else
        pool_parallel(pool_shared(), count, grain, run_range, &task);
    return atomic_load(&task.error);
}
