/* attention_blocks.c: see attention_blocks.h. Of each block of rows:
 *
 *   queries [rows, k]      read where they are, or from a dense copy
 *   scores  [rows, n]      = queries * packed keys, in f32
 *   weights [rows, n]      the kernel's; of f32 in the place of the scores
 *   sums    [rows, width]  = weights * packed values, in f32, in parts of PART columns; written to
 *                            out, or to scratch and then copied there
 *
 * Each tile of rows leaves out the last columns, which a mask hides from all of its rows. The
 * weights of the first of these show whether hidden weights are zero: if they are not, the block is
 * computed again with all columns.
 *
 * Blocks have whole tiles of rows; what a block computes beyond the last row is not used. While a
 * block is computed, what the next ones read and what it writes comes from memory. */
#include "devices/host/attention/attention_blocks.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "devices/host/attention/attention_arrays.h"
#include "devices/host/attention/attention_plan.h"
#include "devices/host/scratch.h"
#include "devices/host/tiles/tile_matrix.h"
#include "devices/host/tiles/tile_sizes.h"

enum {
    BLOCK_BYTES = 1 << 18, /* of the scores of a block: a part of a core's own cache */
    MAX_BLOCK_ROWS = 2 * TILE_ROWS,
    PART = 256,           /* columns of the weights that are multiplied at once */
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
    char *weights;                           /* of the product's type */
    const void *packed_keys, *packed_values; /* where those that are packed are; NULL: none */
    int64_t end;      /* the batch behind the last one that has blocks of this worker */
    int64_t infinite; /* with a mask: all rows of the values from this one on are finite */
    int64_t seen[MAX_BLOCK_ROWS / TILE_ROWS]; /* columns that the rows of a tile need */
};

struct block {
    int64_t batch, first, count; /* its rows */
    /* where its queries are read and its sums are written */
    const void *queries;
    int64_t query_stride;
    float *sums;
    int64_t sum_stride;
};

/* ---- operands and the result ----------------------------------------------------------------- */
static struct attention_array queries_of(const struct task *task, int64_t batch, int64_t first)
{
    const struct attention_array all =
        attention_array_lhs(task->scores, task->call->buffers[0], batch);
    return attention_array_from(&all, first);
}

static struct attention_array keys_of(const struct task *task, int64_t batch)
{
    return attention_array_rhs(task->scores, task->call->buffers[1], batch);
}

static struct attention_array values_of(const struct task *task, int64_t batch)
{
    return attention_array_rhs(task->values, task->call->buffers[2], batch);
}

static struct attention_array result_of(const struct task *task, int64_t batch, int64_t first)
{
    void *out = task->call->buffers[3 + task->call->spec->kernel_operands];
    const struct attention_array all = attention_array_out(task->values, out, batch);
    return attention_array_from(&all, first);
}

static struct block block_of(const struct task *task, int64_t batch, int64_t number)
{
    const int64_t rows = task->block_rows, first = number * rows;
    return (struct block){
        .batch = batch, .first = first, .count = tile_least(task->scores->m - first, rows)};
}

/* Fetches what is read after a block, and what it writes: its place in the result, the queries of
 * the next block of the batch, and as much of the next batch's keys and values that they are all
 * fetched after the last block. */
static void fetch_next(const struct worker *w, int64_t batch, int64_t number)
{
    const struct task *task = w->task;
    const struct dot_spec *s = task->scores, *v = task->values;
    const struct block block = block_of(task, batch, number),
                       next = block_of(task, batch, number + 1);
    const struct attention_array result = result_of(task, batch, block.first);
    attention_array_fetch(&result, block.count, v->n, 0, 1);
    if (next.count > 0) {
        const struct attention_array queries = queries_of(task, batch, next.first);
        attention_array_fetch(&queries, next.count, s->k, 0, 1);
    }
    if (batch + 1 < w->end) {
        const struct attention_array keys = keys_of(task, batch + 1),
                                     values = values_of(task, batch + 1);
        attention_array_fetch(&keys, s->k, s->n, number, task->blocks);
        attention_array_fetch(&values, v->k, v->n, number, task->blocks);
    }
}

/* ---- one block ------------------------------------------------------------------------------- */
/* Numbers along k, rounded up to whole elements of a packed side. */
static int64_t whole_numbers(const struct tile_product *product, int64_t k)
{
    return tile_round_up(k, product->depth);
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

static void pack_side(const struct worker *w, const struct dot_spec *s,
                      const struct attention_array *from, char *to)
{
    tile_product_pack(w->task->product, from->at, from->row_stride, from->column_stride, s->k, s->n,
                      to);
}

/* Several batches may have the same keys and values. */
static void pack(struct worker *w, int64_t batch)
{
    const struct attention_array keys = keys_of(w->task, batch), values = values_of(w->task, batch);
    if (keys.at == w->packed_keys && values.at == w->packed_values)
        return;
    if (!w->packed_keys) { /* not fetched with blocks before */
        attention_array_fetch(&keys, w->task->scores->k, w->task->scores->n, 0, 1);
        attention_array_fetch(&values, w->task->values->k, w->task->values->n, 0, 1);
    }
    pack_side(w, w->task->scores, &keys, w->keys);
    pack_side(w, w->task->values, &values, w->values);
    w->packed_keys = keys.at, w->packed_values = values.at;
    w->infinite = w->task->call->spec->mask_operand < 0 ? 0 : infinite_rows(w);
}

/* Sets where the queries are read. */
static void place_queries(const struct worker *w, struct block *block)
{
    const struct attention_array all = queries_of(w->task, block->batch, block->first),
                                 placed = attention_array_load(&all, block->count,
                                                               w->task->scores->k, w->queries);
    block->queries = placed.at, block->query_stride = placed.row_stride;
}

/* Sets where the sums are written: those of whole tiles of rows of whole vectors to the result. */
static void place_sums(const struct worker *w, struct block *block)
{
    const struct task *task = w->task;
    const struct attention_array to = result_of(task, block->batch, block->first);
    if (to.dtype == DTYPE_F32 && to.column_stride == 1 && task->width == task->values->n &&
        block->count % TILE_ROWS == 0)
        block->sums = to.at, block->sum_stride = to.row_stride;
    else
        block->sums = w->sums, block->sum_stride = task->width;
}

static void copy_sums(const struct worker *w, const struct block *block)
{
    const struct attention_array to = result_of(w->task, block->batch, block->first);
    if (block->sums == w->sums)
        attention_array_store(w->task->product, w->sums, w->task->width, block->count,
                              w->task->values->n, &to);
}

/* `seen`: NULL, or the columns that each tile of rows needs. */
static void multiply_keys(const struct worker *w, const struct block *block, int64_t columns,
                          const int64_t *seen)
{
    const struct dot_spec *s = w->task->scores;
    tile_matrix_multiply(w->task->product, &(struct tile_matrix){.left = block->queries,
                                                                 .left_stride = block->query_stride,
                                                                 .left_k_stride = 1,
                                                                 .right = w->keys,
                                                                 .right_k = s->k,
                                                                 .out = w->scores,
                                                                 .out_stride = s->n,
                                                                 .rows = block->count,
                                                                 .k = s->k,
                                                                 .columns = columns,
                                                                 .tile_columns = seen,
                                                                 .part = s->k});
}

static void multiply_values(const struct worker *w, const struct block *block, int64_t columns,
                            const int64_t *seen)
{
    const struct dot_spec *v = w->task->values;
    tile_matrix_multiply(w->task->product, &(struct tile_matrix){.left = w->weights,
                                                                 .left_stride = v->k,
                                                                 .left_k_stride = 1,
                                                                 .right = w->values,
                                                                 .right_k = v->k,
                                                                 .out = block->sums,
                                                                 .out_stride = block->sum_stride,
                                                                 .rows = block->count,
                                                                 .k = columns,
                                                                 .tile_k = seen,
                                                                 .columns = w->task->width,
                                                                 .part = PART});
}

/* An address such that element `index` of an array of numbers of `bytes` there is `at`. */
static void *shifted(void *at, int64_t index, size_t bytes)
{
    return (void *)((uintptr_t)at - (uintptr_t)index * bytes);
}

/* Calls the kernel for rows [begin, end) of a block in scratch, as rows of an array of all. */
static void call_kernel(const struct worker *w, const struct block *block, int64_t begin,
                        int64_t end, int64_t columns)
{
    const struct attention_call *call = w->task->call;
    const struct attention_spec *spec = call->spec;
    int64_t first = block->batch * spec->scores.m + block->first, start = first * spec->scores.n;
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
    call->kernel(buffers, first + begin, first + end);
}

/* Finds, for each tile of rows, the columns up to the last one that one of them sees, or that has
 * values which are not finite; returns the most of a tile. Needs a mask. */
static int64_t find_seen(struct worker *w, const struct block *block)
{
    const struct attention_spec *spec = w->task->call->spec;
    const int32_t *seen = w->task->call->buffers[3 + spec->mask_operand];
    int64_t first = block->batch * spec->scores.m + block->first, most = 1;
    for (int64_t tile = 0; tile < block->count; tile += TILE_ROWS) {
        int64_t columns = tile_most(w->infinite, 1),
                end = tile_least(tile + TILE_ROWS, block->count);
        for (int64_t row = tile; row < end; row++)
            columns = tile_most(columns, seen[(first + row) % spec->mask_rows]);
        w->seen[tile / TILE_ROWS] = columns = tile_least(columns, spec->scores.n);
        most = tile_most(most, columns);
    }
    return most;
}

/* Whether a column's weights are zero in rows [begin, end): of either sign. */
static bool is_zero(const struct worker *w, int64_t begin, int64_t end, int64_t column)
{
    const int64_t n = w->task->scores->n;
    const bool is_f32 = w->task->product->bytes == sizeof(float);
    uint32_t any = 0;
    for (int64_t at = begin * n + column; at < end * n; at += n)
        any |= is_f32 ? ((const uint32_t *)(const void *)w->weights)[at] << 1
                      : (uint32_t)((const uint16_t *)(const void *)w->weights)[at] << 17;
    return !any;
}

/* Whether the weights of the columns that no row of a tile sees are zero. All that are hidden from
 * a row are equal. */
static bool hidden_are_zero(const struct worker *w, int64_t rows)
{
    for (int64_t tile = 0; tile < rows; tile += TILE_ROWS) {
        int64_t column = w->seen[tile / TILE_ROWS];
        if (column < w->task->scores->n &&
            !is_zero(w, tile, tile_least(tile + TILE_ROWS, rows), column))
            return false;
    }
    return true;
}

/* Computes the weights and their product with the values. */
static void multiply_all(const struct worker *w, const struct block *block)
{
    int64_t all = w->task->scores->n;
    multiply_keys(w, block, all, NULL);
    call_kernel(w, block, 0, block->count, all);
    multiply_values(w, block, all, NULL);
}

/* Calls the kernel for the columns that each tile of rows needs and, if there are others, one of
 * them at least. */
static void call_kernel_seen(const struct worker *w, const struct block *block)
{
    for (int64_t tile = 0; tile < block->count; tile += TILE_ROWS) {
        int64_t columns = tile_round_up(w->seen[tile / TILE_ROWS] + 1, PROGRAM_COLUMN_STEP);
        call_kernel(w, block, tile, tile_least(tile + TILE_ROWS, block->count),
                    tile_least(columns, w->task->scores->n));
    }
}

/* The same without the columns that no row of a tile sees; false, and the sums are not computed, if
 * the weights of these are not zero, or there is no mask. */
static bool multiply_seen(struct worker *w, const struct block *block)
{
    if (w->task->call->spec->mask_operand < 0)
        return false;
    int64_t seen = find_seen(w, block);
    multiply_keys(w, block, seen, w->seen); /* the others are hidden from the kernel, too */
    call_kernel_seen(w, block);
    if (!hidden_are_zero(w, block->count))
        return false;
    multiply_values(w, block, seen, w->seen);
    return true;
}

static void run_block(struct worker *w, int64_t batch, int64_t number)
{
    struct block block = block_of(w->task, batch, number);
    pack(w, batch);
    fetch_next(w, batch, number);
    place_queries(w, &block);
    place_sums(w, &block);
    if (!multiply_seen(w, &block))
        multiply_all(w, &block);
    copy_sums(w, &block);
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
                           .sums = (float *)(void *)(scratch + task->sums_at)};
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
    worker.end = tile_divide_up(end, task->blocks);
    for (int64_t i = begin;
         i < end && !atomic_load_explicit(&task->call->limits->stop, memory_order_relaxed); i++)
        run_block(&worker, i / task->blocks, i % task->blocks);
    scratch_return(scratch);
}

static size_t reserve(struct task *task, int64_t count, int size)
{
    return attention_plan_reserve(&task->bytes, count, size);
}

static void plan(struct task *task)
{
    const struct dot_spec *s = task->scores, *v = task->values;
    const struct tile_product *product = task->product;
    const int f32 = sizeof(float), bytes = product->bytes;
    int64_t rows = task->block_rows = attention_plan_rows(s, BLOCK_BYTES, MAX_BLOCK_ROWS);
    task->blocks = (s->m + rows - 1) / rows;
    task->width = tile_round_up(v->n, product->lanes);
    task->keys_at = reserve(task, tile_product_packed(product, s->k, s->n), bytes);
    task->values_at = reserve(task, tile_product_packed(product, v->k, v->n), bytes);
    task->queries_at = reserve(task, rows * s->k, bytes);
    task->scores_at = reserve(task, rows * s->n + product->width, f32);
    task->weights_at = bytes == f32 ? task->scores_at : reserve(task, rows * s->n, bytes);
    task->sums_at = reserve(task, rows * task->width, f32);
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
