/* attention_backward_blocks.c: see attention_backward_blocks.h. Blocks have whole tiles of rows,
 * and sums whole tiles of columns; what is computed beyond the last row or column is not used. */
#include "devices/host/attention/attention_backward_blocks.h"

#include <string.h>

#include "base/pool.h"
#include "devices/host/attention/attention_arrays.h"
#include "devices/host/attention/attention_backward_rows.h"
#include "devices/host/attention/attention_plan.h"
#include "devices/host/scratch.h"
#include "devices/host/tiles/tile_matrix.h"
#include "devices/host/tiles/tile_sizes.h"

enum {
    PART = 128, /* rows of a right side that are multiplied at once: they fit the first cache */
    BLOCK_BYTES = 1 << 19, /* of the scores of a block: a part of a core's own cache */
    MAX_BLOCK_ROWS = 12 * TILE_ROWS,
    MIN_PART_ROWS = 256, /* fewer are not worth a part's own sums */
    PARTS = 32           /* parts of all batches together, if there are fewer batches */
};

enum { TO_VALUES, TO_QUERIES, TO_KEYS }; /* inputs from FIRST_RIGHT on, and results */
enum { QUERIES, KEYS, GIVEN, VALUES, FIRST_RIGHT };

struct task { /* one step */
    const struct attention_backward_call *call;
    const struct attention_backward_spec *spec;
    const struct tile_product *product;
    int64_t block_rows;
    int64_t batches, parts, part_rows;           /* of a batch; rows of all parts but the last */
    int64_t value_width, query_width, key_width; /* of the results, rounded up to whole vectors */
    size_t keys_at, values_at, right_at;         /* packed; in a thread's scratch */
    size_t queries_at, given_at, weights_at, change_at;
    size_t weight_pairs_at, gradient_pairs_at, gradient_rows_at, needed_at, first_rows_at;
    size_t query_sums_at, value_rows_at, key_rows_at, sums_at, bytes;
    size_t part_bytes; /* of the sums of a part */
    int threads;
    bool are_shared;               /* threads share the parts of a batch */
    char *sums;                    /* then: of all parts */
    _Atomic(struct error *) error; /* the first */
};

struct worker { /* the scratch of one thread */
    const struct task *task;
    struct attention_rows rows;   /* of a block */
    void *queries, *given;        /* copies of its rows, if tiles cannot read them where they are */
    void *right;                  /* packed: the right side of to_queries */
    void *value_rows, *key_rows;  /* packed: right sides, of a block */
    float *query_sums;            /* of a block */
    char *sums;                   /* of the first part of a batch, and of one after it */
    float *value_sums, *key_sums; /* of a part: of the first `summed` columns of the scores */
    int64_t summed;
    int64_t packed;     /* the batch that is packed; -1: none */
    int64_t next_batch; /* that may come after it; -1: none */
    bool is_usual;      /* whether what is packed is; with a mask */
};

/* ---- arrays ---------------------------------------------------------------------------------- */
static struct attention_array left_of(const struct worker *w, const struct dot_spec *s, int input,
                                      const struct rows *rows)
{
    const struct attention_array all =
        attention_array_lhs(s, w->task->call->buffers[input], rows->batch);
    return attention_array_from(&all, rows->first);
}

static struct attention_array out_of(const struct task *task, const struct dot_spec *s, int result,
                                     int64_t batch)
{
    const struct attention_backward_spec *spec = task->spec;
    int64_t others = spec->weights_others + spec->gradient_others;
    return attention_array_out(s, task->call->buffers[ATTENTION_BACKWARD_INPUTS + others + result],
                               batch);
}

/* Of a packed right side, whose columns beyond the last are zero. */
static bool is_packed_usual(const struct worker *w, const struct dot_spec *s, const void *packed,
                            int64_t k)
{
    const struct tile_product *product = w->task->product;
    return product->is_usual(packed, tile_product_packed(product, k, s->n));
}

/* Packs `k` rows of a right side, from row `first` on. */
static void pack_right(const struct worker *w, const struct dot_spec *s, int input, int64_t batch,
                       int64_t first, int64_t k, void *to)
{
    const struct attention_array all = attention_array_rhs(s, w->task->call->buffers[input], batch),
                                 from = attention_array_from(&all, first);
    tile_product_pack(w->task->product, from.at, from.row_stride, from.column_stride, k, s->n, to);
}

static void pack(struct worker *w, int64_t batch)
{
    const struct attention_backward_spec *spec = w->task->spec;
    pack_right(w, &spec->scores, KEYS, batch, 0, spec->scores.k, w->rows.keys);
    pack_right(w, &spec->change, VALUES, batch, 0, spec->change.k, w->rows.values);
    pack_right(w, &spec->to_queries, FIRST_RIGHT + TO_QUERIES, batch, 0, spec->to_queries.k,
               w->right);
    w->packed = batch;
    w->is_usual = spec->mask_operand >= 0 &&
                  is_packed_usual(w, &spec->change, w->rows.values, spec->change.k) &&
                  is_packed_usual(w, &spec->to_queries, w->right, spec->to_queries.k);
}

/* Elements of sums of a part: for each column of the scores, as many as a result is wide. */
static int64_t sums_of(const struct task *task, int64_t width)
{
    return tile_round_up(task->spec->scores.n, TILE_ROWS) * width;
}

/* ---- products -------------------------------------------------------------------------------- */
/* Adds the block's part of a product that contracts the rows of an array in scratch, of which
 * `columns` are not zero; there are no sums yet of those from w->summed on. `m` has its left
 * side. */
static void add_product(const struct worker *w, struct tile_matrix *m, void *right,
                        const struct rows *rows, int64_t columns, float *sums, int64_t width)
{
    m->right = right;
    m->right_k = m->k = m->part = rows->count;
    m->out = sums;
    m->out_stride = m->columns = width;
    m->rows = columns;
    m->added_rows = w->summed;
    m->ahead = w->rows.ahead;
    tile_matrix_multiply(w->task->product, m);
}

static void compute_queries(const struct worker *w, const struct rows *rows)
{
    const struct task *task = w->task;
    const struct dot_spec *s = &task->spec->to_queries;
    const struct attention_array all = out_of(task, s, TO_QUERIES, rows->batch),
                                 to = attention_array_from(&all, rows->first);
    struct tile_matrix m = {.right = w->right,
                            .right_k = s->k,
                            .out = w->query_sums,
                            .out_stride = task->query_width,
                            .rows = rows->count,
                            .k = s->k,
                            .columns = task->query_width,
                            .part = PART,
                            .ahead = w->rows.ahead};
    attention_rows_gradient(&w->rows, &m);
    tile_matrix_multiply(task->product, &m);
    attention_array_store(task->product, w->query_sums, task->query_width, rows->count, s->n, &to);
}

/* ---- fetching ahead -------------------------------------------------------------------------- */
/* Adds the rows that the next block of the batch reads. */
static void add_next_rows(const struct worker *w, const struct rows *rows,
                          struct attention_ahead *ahead)
{
    const struct task *task = w->task;
    const struct dot_spec *s = &task->spec->scores, *c = &task->spec->change;
    const int64_t first = rows->first + rows->count;
    const struct rows next = {rows->batch, first, tile_least(task->block_rows, s->m - first)};
    if (next.count <= 0)
        return;
    const struct attention_array queries = left_of(w, s, QUERIES, &next),
                                 given = left_of(w, c, GIVEN, &next);
    attention_ahead_add(ahead, &queries, next.count, s->k, 0, 1);
    attention_ahead_add(ahead, &given, next.count, c->k, 0, 1);
}

/* Adds as much of the next batch's keys and values that they are all fetched after the last block;
 * before that one, what the sums are written to. */
static void add_batch(const struct worker *w, const struct rows *rows,
                      struct attention_ahead *ahead)
{
    const struct task *task = w->task;
    const struct attention_backward_spec *spec = task->spec;
    const struct dot_spec *s = &spec->scores, *c = &spec->change, *v = &spec->to_values,
                          *k = &spec->to_keys;
    const int64_t block = rows->first / task->block_rows,
                  blocks = tile_divide_up(s->m, task->block_rows);
    if (block == blocks - 1 && !task->are_shared) {
        const struct attention_array to_values = out_of(task, v, TO_VALUES, rows->batch),
                                     to_keys = out_of(task, k, TO_KEYS, rows->batch);
        attention_ahead_add(ahead, &to_values, v->m, v->n, 0, 1);
        attention_ahead_add(ahead, &to_keys, k->m, k->n, 0, 1);
    }
    if (w->next_batch >= 0) {
        void *const *buffers = task->call->buffers;
        const struct attention_array keys = attention_array_rhs(s, buffers[KEYS], w->next_batch),
                                     values =
                                         attention_array_rhs(c, buffers[VALUES], w->next_batch);
        attention_ahead_add(ahead, &keys, s->k, s->n, block, blocks);
        attention_ahead_add(ahead, &values, c->k, c->n, block, blocks);
    }
}

/* Has what comes from memory after the scores of a block, and what the block is written to, fetched
 * during its products. */
static void fetch_during(struct worker *w, const struct rows *rows, struct attention_ahead *ahead)
{
    const struct task *task = w->task;
    const struct dot_spec *s = &task->spec->scores, *q = &task->spec->to_queries;
    const struct attention_array all = out_of(task, q, TO_QUERIES, rows->batch),
                                 to = attention_array_from(&all, rows->first);
    const int64_t tiles = tile_divide_up(rows->count, TILE_ROWS) *
                          tile_divide_up(s->n, task->product->width),
                  steps = tile_divide_up(s->k, task->product->depth * TILE_FETCH_STEPS);
    attention_ahead_add(ahead, &to, rows->count, q->n, 0, 1);
    add_next_rows(w, rows, ahead);
    add_batch(w, rows, ahead);
    w->rows.ahead = attention_ahead_begin(ahead, tiles * steps);
}

/* ---- blocks and parts ------------------------------------------------------------------------ */
/* Whether the right side of to_values has the numbers of the left side of change. */
static bool is_given_packed(const struct task *task)
{
    const struct dot_spec *left = &task->spec->change, *right = &task->spec->to_values;
    void *const *buffers = task->call->buffers;
    return buffers[GIVEN] == buffers[FIRST_RIGHT + TO_VALUES] && left->k == right->n &&
           left->lhs_m_stride == right->rhs_k_stride && left->lhs_k_stride == right->rhs_n_stride &&
           left->lhs_batch_stride == right->rhs_batch_stride &&
           left->lhs_outer_stride == right->rhs_outer_stride;
}

/* Whether hidden columns of a block may be left out. */
static bool is_block_usual(const struct worker *w, const struct rows *rows)
{
    const struct attention_backward_spec *spec = w->task->spec;
    return w->is_usual &&
           (is_given_packed(w->task) || attention_array_is_usual(w->task->product, &w->rows.given,
                                                                 rows->count, spec->change.k)) &&
           is_packed_usual(w, &spec->to_values, w->value_rows, rows->count) &&
           is_packed_usual(w, &spec->to_keys, w->key_rows, rows->count);
}

static void run_block(struct worker *w, const struct rows *rows)
{
    const struct task *task = w->task;
    const struct attention_backward_spec *spec = task->spec;
    const struct attention_array queries = left_of(w, &spec->scores, QUERIES, rows),
                                 given = left_of(w, &spec->change, GIVEN, rows);
    struct tile_matrix weights = {0}, gradient = {0};
    struct attention_ahead ahead = {.count = 0};
    fetch_during(w, rows, &ahead);
    w->rows.queries = attention_array_load(&queries, rows->count, spec->scores.k, w->queries);
    w->rows.given = attention_array_load(&given, rows->count, spec->change.k, w->given);
    pack_right(w, &spec->to_values, FIRST_RIGHT + TO_VALUES, rows->batch, rows->first, rows->count,
               w->value_rows);
    pack_right(w, &spec->to_keys, FIRST_RIGHT + TO_KEYS, rows->batch, rows->first, rows->count,
               w->key_rows);
    int64_t columns = attention_rows_compute(&w->rows, rows, is_block_usual(w, rows));
    compute_queries(w, rows);
    attention_rows_weights_left(&w->rows, &weights);
    attention_rows_gradient_left(&w->rows, &gradient);
    add_product(w, &weights, w->value_rows, rows, columns, w->value_sums, task->value_width);
    add_product(w, &gradient, w->key_rows, rows, columns, w->key_sums, task->key_width);
    w->summed = tile_most(w->summed, tile_round_up(columns, TILE_ROWS));
}

/* Adds numbers to others: whole vectors. */
static void add(const float *from, int64_t count, float *to)
{
    typedef float four __attribute__((vector_size(16)));
    for (int64_t i = 0; i < count; i += 4) {
        four sum, added;
        memcpy(&sum, to + i, sizeof sum);
        memcpy(&added, from + i, sizeof added);
        sum += added;
        memcpy(to + i, &sum, sizeof sum);
    }
}

/* Sets the sums of columns that no block of the part needed. */
static void clear_sums(const struct worker *w, float *sums, int64_t width)
{
    const int64_t all = sums_of(w->task, width), summed = w->summed * width;
    if (summed < all)
        memset(sums + summed, 0, (size_t)(all - summed) * sizeof *sums);
}

static void store_sums(const struct task *task, int64_t batch, const float *values,
                       const float *keys)
{
    const struct dot_spec *v = &task->spec->to_values, *k = &task->spec->to_keys;
    const struct attention_array to_values = out_of(task, v, TO_VALUES, batch),
                                 to_keys = out_of(task, k, TO_KEYS, batch);
    attention_array_store(task->product, values, task->value_width, v->m, v->n, &to_values);
    attention_array_store(task->product, keys, task->key_width, k->m, k->n, &to_keys);
}

/* Computes the sums of part `part` of a batch; false if the step is stopped. */
static bool run_part(struct worker *w, int64_t batch, int64_t part, char *sums)
{
    const struct task *task = w->task;
    int64_t first = part * task->part_rows,
            end = tile_least(first + task->part_rows, task->spec->scores.m);
    w->value_sums = (float *)(void *)sums;
    w->key_sums = w->value_sums + sums_of(task, task->value_width);
    w->summed = 0;
    if (w->packed != batch)
        pack(w, batch);
    for (; first < end; first += task->block_rows) {
        const struct rows rows = {batch, first, tile_least(end - first, task->block_rows)};
        if (atomic_load_explicit(&task->call->limits->stop, memory_order_relaxed))
            return false;
        run_block(w, &rows);
    }
    clear_sums(w, w->value_sums, task->value_width);
    clear_sums(w, w->key_sums, task->key_width);
    return true;
}

/* Computes part `number` of all batches, whose sums others add. */
static void run_shared_part(struct worker *w, int64_t number)
{
    const struct task *task = w->task;
    run_part(w, number / task->parts, number % task->parts,
             task->sums + (size_t)number * task->part_bytes);
}

/* Computes the parts of a batch, and adds their sums while they are in the cache. */
static void run_batch(struct worker *w, int64_t batch)
{
    const struct task *task = w->task;
    const int64_t numbers = (int64_t)(task->part_bytes / sizeof(float));
    float *values = (float *)(void *)w->sums, *keys = values + sums_of(task, task->value_width);
    for (int64_t part = 0; part < task->parts; part++) {
        if (!run_part(w, batch, part, w->sums + (part > 0 ? task->part_bytes : 0)))
            return;
        if (part > 0)
            add(w->value_sums, numbers, values);
    }
    store_sums(task, batch, values, keys);
}

static struct worker worker_of(const struct task *task, char *scratch)
{
#define AT(field) (void *)(scratch + task->field##_at)
    return (struct worker){.task = task,
                           .rows = {.call = task->call,
                                    .product = task->product,
                                    .keys = AT(keys),
                                    .values = AT(values),
                                    .weights = AT(weights),
                                    .change = AT(change),
                                    .weight_pairs = AT(weight_pairs),
                                    .gradient_pairs = AT(gradient_pairs),
                                    .gradient_rows = AT(gradient_rows),
                                    .needed = AT(needed),
                                    .first_rows = AT(first_rows)},
                           .queries = AT(queries),
                           .given = AT(given),
                           .right = AT(right),
                           .value_rows = AT(value_rows),
                           .key_rows = AT(key_rows),
                           .query_sums = AT(query_sums),
                           .sums = AT(sums),
                           .packed = -1};
#undef AT
}

/* The batch of what a thread probably runs after `number`, as the threads alternate; -1: none, or
 * the same one. */
static int64_t batch_after(const struct task *task, int64_t number)
{
    const int64_t parts = task->are_shared ? task->parts : 1, batch = number / parts,
                  next = (number + task->threads) / parts;
    return next > batch && next < task->batches ? next : -1;
}

/* Of batches [begin, end), or of parts, where threads share them. */
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
    for (int64_t i = begin; i < end; i++) {
        worker.next_batch = batch_after(task, i);
        if (task->are_shared)
            run_shared_part(&worker, i);
        else
            run_batch(&worker, i);
    }
    scratch_return(scratch);
}

/* Adds the rows of the sums of a batch's parts to those of the first, and stores them. */
static void add_rows(const struct task *task, const struct dot_spec *s, float *sums, int64_t width,
                     const struct attention_array *to)
{
    const size_t part_numbers = task->part_bytes / sizeof *sums;
    for (int64_t row = 0; row < s->m; row++, sums += width) {
        const struct attention_array stored = attention_array_from(to, row);
        for (int64_t part = 1; part < task->parts; part++)
            add(sums + (size_t)part * part_numbers, width, sums);
        attention_array_store(task->product, sums, width, 1, s->n, &stored);
    }
}

static void add_parts(void *context, int64_t begin, int64_t end)
{
    const struct task *task = context;
    const struct dot_spec *v = &task->spec->to_values, *k = &task->spec->to_keys;
    for (int64_t batch = begin; batch < end; batch++) {
        char *first = task->sums + (size_t)(batch * task->parts) * task->part_bytes;
        float *values = (float *)(void *)first;
        const struct attention_array to_values = out_of(task, v, TO_VALUES, batch),
                                     to_keys = out_of(task, k, TO_KEYS, batch);
        add_rows(task, v, values, task->value_width, &to_values);
        add_rows(task, k, values + sums_of(task, task->value_width), task->key_width, &to_keys);
    }
}

/* ---- the step -------------------------------------------------------------------------------- */
static size_t reserve(struct task *task, int64_t count, int size)
{
    return attention_plan_reserve(&task->bytes, count, size);
}

static void plan_rounded(struct task *task)
{
    const int64_t n = task->spec->scores.n, pairs = attention_rows_pairs(task->block_rows, n);
    const int bytes = task->product->bytes;
    if (task->product->depth == 1)
        return; /* products read what the kernels write */
    task->weight_pairs_at = reserve(task, pairs, bytes);
    task->gradient_pairs_at = reserve(task, pairs, bytes);
    task->gradient_rows_at =
        reserve(task, attention_rows_numbers(task->product, task->block_rows, n), bytes);
}

static void plan_scratch(struct task *task)
{
    const struct attention_backward_spec *spec = task->spec;
    const struct tile_product *product = task->product;
    const struct dot_spec *s = &spec->scores, *c = &spec->change;
    const int64_t rows = task->block_rows, numbers = attention_rows_numbers(product, rows, s->n);
    const int f32 = sizeof(float), bytes = product->bytes;
    task->keys_at = reserve(task, tile_product_packed(product, s->k, s->n), bytes);
    task->values_at = reserve(task, tile_product_packed(product, c->k, c->n), bytes);
    task->right_at = reserve(task, tile_product_packed(product, s->n, spec->to_queries.n), bytes);
    task->queries_at = reserve(task, rows * s->k, bytes);
    task->given_at = reserve(task, rows * c->k, bytes);
    task->weights_at = reserve(task, numbers, f32);
    task->change_at = reserve(task, numbers, f32);
    plan_rounded(task);
    task->needed_at = reserve(task, tile_divide_up(rows, TILE_ROWS), sizeof(int64_t));
    task->first_rows_at = reserve(task, tile_divide_up(s->n, TILE_ROWS), sizeof(int64_t));
    task->query_sums_at = reserve(task, rows * task->query_width, f32);
    task->value_rows_at =
        reserve(task, tile_product_packed(product, rows, spec->to_values.n), bytes);
    task->key_rows_at = reserve(task, tile_product_packed(product, rows, spec->to_keys.n), bytes);
    if (task->are_shared)
        return; /* sums of parts are in memory of their own */
    const int64_t sums = (int64_t)task->part_bytes * (task->parts > 1 ? 2 : 1);
    task->sums_at = reserve(task, sums, 1);
}

/* Threads share parts where they would compute more of them one after the other if each computed
 * whole batches. */
static bool are_parts_shared(const struct task *task)
{
    return tile_divide_up(task->batches * task->parts, task->threads) <
           tile_divide_up(task->batches, task->threads) * task->parts;
}

static void plan(struct task *task)
{
    const struct attention_backward_spec *spec = task->spec;
    const struct dot_spec *s = &spec->scores;
    const int64_t lanes = task->product->lanes;
    task->batches = s->outer * s->batch;
    task->value_width = tile_round_up(spec->to_values.n, lanes);
    task->query_width = tile_round_up(spec->to_queries.n, lanes);
    task->key_width = tile_round_up(spec->to_keys.n, lanes);
    task->block_rows = attention_plan_rows(s, BLOCK_BYTES, MAX_BLOCK_ROWS);
    int64_t parts = tile_least(tile_divide_up(PARTS, task->batches), s->m / MIN_PART_ROWS);
    task->part_rows = tile_round_up(tile_divide_up(s->m, tile_most(parts, 1)), task->block_rows);
    task->parts = tile_divide_up(s->m, task->part_rows);
    task->are_shared = are_parts_shared(task);
    task->part_bytes =
        (size_t)(sums_of(task, task->value_width) + sums_of(task, task->key_width)) * sizeof(float);
    plan_scratch(task);
}

static void divide(struct task *task, int64_t count,
                   void (*run)(void *task, int64_t begin, int64_t end))
{
    if (task->threads == 1)
        run(task, 0, count);
    else
        pool_parallel(pool_shared(), count, 1, run, task);
}

static struct error *run_shared(struct task *task)
{
    const int64_t parts = task->batches * task->parts;
    void *sums;
    TRY(scratch_acquire((size_t)parts * task->part_bytes, &sums));
    task->sums = sums;
    divide(task, parts, run_range);
    if (!atomic_load(&task->error))
        divide(task, task->batches, add_parts);
    scratch_return(sums);
    return atomic_load(&task->error);
}

struct error *attention_backward_blocks_run(const struct attention_backward_call *call, int threads)
{
    const bool is_f32 = call->spec->scores.lhs == DTYPE_F32;
    struct task task = {.call = call,
                        .spec = call->spec,
                        .product = is_f32 ? tile_product() : tile_product_bf16(),
                        .threads = threads};
    plan(&task);
    if (task.are_shared)
        return run_shared(&task);
    divide(&task, task.batches, run_range);
    return atomic_load(&task.error);
}
