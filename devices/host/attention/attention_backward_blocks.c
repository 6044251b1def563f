/* attention_backward_blocks.c: see attention_backward_blocks.h. Blocks have whole tiles of rows,
 * and sums whole tiles of columns; what is computed beyond the last row or column is not used. */
#include "devices/host/attention/attention_backward_blocks.h"

#include <string.h>

#include "base/pool.h"
#include "devices/host/scratch.h"
#include "devices/host/attention/tile_product.h"

enum {
    LANES = 16, /* of is_usual() */
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
    int64_t parts, part_rows;                    /* of a batch; rows of all parts but the last */
    int64_t value_width, query_width, key_width; /* of the results, rounded up to whole vectors */
    size_t keys_at, values_at, right_at;         /* packed; in a thread's scratch */
    size_t queries_at, given_at, scores_at, change_at, query_sums_at, value_rows_at, key_rows_at;
    size_t value_sums_at, key_sums_at, bytes;
    size_t part_bytes;             /* of the sums of a part */
    char *sums;                    /* of all parts; NULL: there is one part */
    _Atomic(struct error *) error; /* the first */
};

struct worker { /* the scratch of one thread */
    const struct task *task;
    float *keys, *values, *right;              /* packed: of scores, change and to_queries */
    float *queries, *given, *scores, *change;  /* of a block */
    float *query_sums, *value_rows, *key_rows; /* of a block; the latter two packed */
    float *value_sums, *key_sums;              /* of a part */
    int64_t packed;                            /* the batch that is packed; -1: none */
    bool is_usual;                             /* is_usual() of what is packed; with a mask */
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

static int64_t divide_up(int64_t number, int64_t by)
{
    return (number + by - 1) / by;
}

static int64_t round_up(int64_t number, int64_t to)
{
    return divide_up(number, to) * to;
}

/* ---- arrays ---------------------------------------------------------------------------------- */
/* Where batch `batch` of an array begins, in elements. */
static int64_t start_of(const struct dot_spec *s, int64_t batch, int64_t outer_stride,
                        int64_t batch_stride)
{
    return batch / s->batch * outer_stride + batch % s->batch * batch_stride;
}

static const float *left_of(const struct worker *w, const struct dot_spec *s, int input,
                            const struct rows *rows)
{
    return (const float *)w->task->call->buffers[input] +
           start_of(s, rows->batch, s->lhs_outer_stride, s->lhs_batch_stride) +
           rows->first * s->lhs_m_stride;
}

static const float *right_of(const struct worker *w, const struct dot_spec *s, int input,
                             int64_t batch)
{
    return (const float *)w->task->call->buffers[input] +
           start_of(s, batch, s->rhs_outer_stride, s->rhs_batch_stride);
}

static float *out_of(const struct task *task, const struct dot_spec *s, int result, int64_t batch)
{
    const struct attention_backward_spec *spec = task->spec;
    int64_t others = spec->weights_others + spec->gradient_others;
    return (float *)task->call->buffers[ATTENTION_BACKWARD_INPUTS + others + result] +
           start_of(s, batch, s->out_outer_stride, s->out_batch_stride);
}

/* Copies [rows, columns] elements; strides are in elements. */
static void copy(const float *from, int64_t row_stride, int64_t column_stride, int64_t rows,
                 int64_t columns, float *to, int64_t to_row_stride, int64_t to_column_stride)
{
    bool is_dense = column_stride == 1 && to_column_stride == 1;
    for (int64_t r = 0; r < rows; r++, from += row_stride, to += to_row_stride)
        if (is_dense)
            memcpy(to, from, (size_t)columns * sizeof *to);
        else
            for (int64_t c = 0; c < columns; c++)
                to[c * to_column_stride] = from[c * column_stride];
}

/* Updates the largest bits, without the sign, of LANES numbers. */
static void note_largest(uint32_t *largest, const float *numbers)
{
    uint32_t bits[LANES];
    memcpy(bits, numbers, sizeof bits);
    for (int i = 0; i < LANES; i++) {
        uint32_t magnitude = bits[i] & INT32_MAX;
        largest[i] = magnitude > largest[i] ? magnitude : largest[i];
    }
}

/* Whether all elements are below 2^57: sums of ATTENTION_MAX_WIDTH products of two are finite. */
static bool is_usual(const float *numbers, int64_t count)
{
    const uint32_t limit = (UINT32_C(127) + 57) << 23;
    uint32_t largest[LANES] = {0};
    float last[LANES] = {0};
    int64_t whole = count / LANES * LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        note_largest(largest, numbers + i);
    memcpy(last, numbers + whole, (size_t)(count - whole) * sizeof *last);
    note_largest(largest, last);
    for (int i = 0; i < LANES; i++)
        if (largest[i] >= limit)
            return false;
    return true;
}

/* Of a packed right side, whose columns beyond the last are zero. */
static bool is_packed_usual(const struct worker *w, const float *packed, int64_t k, int64_t columns)
{
    return is_usual(packed, tile_product_packed(w->task->product, k, columns));
}

static void pack_right(const struct worker *w, const struct dot_spec *s, int input, int64_t batch,
                       float *to)
{
    tile_product_pack(w->task->product, right_of(w, s, input, batch), s->rhs_k_stride,
                      s->rhs_n_stride, s->k, s->n, to);
}

static void pack(struct worker *w, int64_t batch)
{
    const struct attention_backward_spec *spec = w->task->spec;
    pack_right(w, &spec->scores, KEYS, batch, w->keys);
    pack_right(w, &spec->change, VALUES, batch, w->values);
    pack_right(w, &spec->to_queries, FIRST_RIGHT + TO_QUERIES, batch, w->right);
    w->packed = batch;
    w->is_usual = spec->mask_operand >= 0 &&
                  is_packed_usual(w, w->values, spec->change.k, spec->change.n) &&
                  is_packed_usual(w, w->right, spec->to_queries.k, spec->to_queries.n);
}

/* ---- products -------------------------------------------------------------------------------- */
struct product { /* out[rows, columns] = or += left[rows, k] * right[k, columns] */
    const float *left;
    int64_t left_stride, left_k_stride; /* between rows, and along k */
    float *right;                       /* packed, with `packed_k` >= k rows */
    int64_t packed_k;
    float *out;
    int64_t out_stride;
    int64_t rows, k, columns;
    int64_t part; /* of k, that is multiplied at once */
    bool adds;
};

/* A panel of the right side, from row `first` of k on. */
static void multiply_panel(const struct worker *w, const struct product *p, int64_t column,
                           int64_t first)
{
    const struct tile_product *product = w->task->product;
    int64_t left = smaller(p->columns - column, product->width);
    struct tile tile = {.lhs_stride = p->left_stride,
                        .lhs_k_stride = p->left_k_stride,
                        .rhs = tile_product_at(product, p->right, p->packed_k, first, column),
                        .out_stride = p->out_stride,
                        .k = smaller(p->k - first, p->part),
                        .vectors = (int)divide_up(left, product->lanes),
                        .adds = p->adds || first};
    for (int64_t row = 0; row < p->rows; row += TILE_ROWS) {
        tile.lhs = p->left + row * p->left_stride + first * p->left_k_stride;
        tile.out = p->out + row * p->out_stride + column;
        product->multiply(&tile);
    }
}

/* The last panel comes first, and rows are in order: what a tile writes behind the end of a row is
 * written again by a later one, if there is one part of k. */
static void multiply(const struct worker *w, const struct product *p)
{
    const int64_t width = w->task->product->width;
    for (int64_t column = (p->columns - 1) / width * width; column >= 0; column -= width)
        for (int64_t first = 0; first < p->k; first += p->part)
            multiply_panel(w, p, column, first);
}

/* The first `columns` of rows[rows, n] of a block: the left side, which is copied to `dense`, times
 * a packed right side. */
static void multiply_rows(const struct worker *w, const struct dot_spec *s, int64_t rows,
                          const float *dense, float *right, int64_t columns, float *out)
{
    multiply(w, &(struct product){.left = dense,
                                  .left_stride = s->k,
                                  .left_k_stride = 1,
                                  .right = right,
                                  .packed_k = s->k,
                                  .out = out,
                                  .out_stride = s->n,
                                  .rows = rows,
                                  .k = s->k,
                                  .columns = columns,
                                  .part = s->k});
}

/* Adds the block's part of a product that contracts the rows of an array in scratch, of which
 * `columns` are not zero. */
static void add_product(const struct worker *w, const float *array, float *right,
                        const struct rows *rows, int64_t columns, float *sums, int64_t width)
{
    multiply(w, &(struct product){.left = array,
                                  .left_stride = 1,
                                  .left_k_stride = w->task->spec->scores.n,
                                  .right = right,
                                  .packed_k = rows->count,
                                  .out = sums,
                                  .out_stride = width,
                                  .rows = columns,
                                  .k = rows->count,
                                  .columns = width,
                                  .part = rows->count,
                                  .adds = true});
}

/* to_queries of a block, from the first `columns` of the gradient. */
static void compute_queries(const struct worker *w, const struct rows *rows, int64_t columns)
{
    const struct task *task = w->task;
    const struct dot_spec *s = &task->spec->to_queries;
    float *out = out_of(task, s, TO_QUERIES, rows->batch) + rows->first * s->out_m_stride;
    multiply(w, &(struct product){.left = w->change,
                                  .left_stride = s->k,
                                  .left_k_stride = 1,
                                  .right = w->right,
                                  .packed_k = s->k,
                                  .out = w->query_sums,
                                  .out_stride = task->query_width,
                                  .rows = rows->count,
                                  .k = columns,
                                  .columns = task->query_width,
                                  .part = PART});
    copy(w->query_sums, task->query_width, 1, rows->count, s->n, out, s->out_m_stride,
         s->out_n_stride);
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
static void call_kernel(const struct worker *w, const struct kernel *kernel,
                        const struct rows *rows, int64_t columns)
{
    const struct dot_spec *s = &w->task->spec->scores;
    int64_t first = rows->batch * s->m + rows->first;
    int64_t operands = kernel->other_count + kernel->inside_count, other = 0;
    void *buffers[ATTENTION_MAX_OPERANDS + 5];
    for (int64_t i = 0; i < operands; i++) {
        float *inside = inside_at(kernel, i);
        buffers[i] = inside ? shifted(inside, first * s->n) : kernel->others[other++];
    }
    float *result = kernel->inside[kernel->inside_count - 1];
    buffers[operands] = shifted(result, first * s->n);
    buffers[operands + 1] = w->task->call->limits;
    buffers[operands + 2] = &columns;
    kernel->function(buffers, first, first + rows->count);
}

static void call_kernels(const struct worker *w, const struct rows *rows, int64_t columns)
{
    const struct attention_backward_call *call = w->task->call;
    const struct attention_backward_spec *spec = call->spec;
    void *const *others = call->buffers + ATTENTION_BACKWARD_INPUTS;
    const struct kernel weights = {call->weights_kernel,   others,     spec->weights_others, 1,
                                   {spec->scores_operand}, {w->scores}};
    const struct kernel gradient = {call->gradient_kernel,
                                    others + spec->weights_others,
                                    spec->gradient_others,
                                    2,
                                    {spec->weights_operand, spec->change_operand},
                                    {w->scores, w->change}};
    call_kernel(w, &weights, rows, columns);
    call_kernel(w, &gradient, rows, columns);
}

/* ---- masks ----------------------------------------------------------------------------------- */
/* Whether hidden columns of a block may be left out. */
static bool is_block_usual(const struct worker *w, const struct rows *rows)
{
    const struct attention_backward_spec *spec = w->task->spec;
    return w->is_usual && is_usual(w->given, rows->count * spec->change.k) &&
           is_packed_usual(w, w->value_rows, rows->count, spec->to_values.n) &&
           is_packed_usual(w, w->key_rows, rows->count, spec->to_keys.n);
}

/* The columns up to the last one that a row of the block sees, at least 1. */
static int64_t seen_columns(const struct worker *w, const struct rows *rows)
{
    const struct attention_backward_spec *spec = w->task->spec;
    int64_t first = rows->batch * spec->scores.m + rows->first, most = 1;
    if (spec->mask_operand < 0 || !is_block_usual(w, rows))
        return spec->scores.n;
    const int32_t *seen = w->task->call->buffers[ATTENTION_BACKWARD_INPUTS + spec->mask_operand];
    for (int64_t i = first; i < first + rows->count; i++)
        most = larger(most, seen[i % spec->mask_rows]);
    return smaller(most, spec->scores.n);
}

/* Whether a column of a block is zero, in the weights and in the gradient. */
static bool is_zero(const struct worker *w, int64_t rows, int64_t column)
{
    int64_t n = w->task->spec->scores.n;
    for (int64_t at = column; at < rows * n; at += n)
        if (w->scores[at] != 0 || w->change[at] != 0)
            return false;
    return true;
}

/* ---- blocks and parts ------------------------------------------------------------------------ */
/* Multiplies the first columns of scores and change; the others of change are zero. */
static void multiply_columns(const struct worker *w, const struct rows *rows, int64_t columns)
{
    const struct attention_backward_spec *spec = w->task->spec;
    const int64_t n = spec->scores.n;
    multiply_rows(w, &spec->scores, rows->count, w->queries, w->keys, columns, w->scores);
    multiply_rows(w, &spec->change, rows->count, w->given, w->values, columns, w->change);
    for (int64_t r = 0; r < rows->count && columns < n; r++)
        memset(w->change + r * n + columns, 0, (size_t)(n - columns) * sizeof(float));
}

/* Computes weights and gradient; returns the number of columns before those that are zero in all
 * rows. The kernels also compute hidden columns, up to whole tiles, and one that is looked at. */
static int64_t compute_rows(const struct worker *w, const struct rows *rows)
{
    int64_t all = w->task->spec->scores.n, seen = seen_columns(w, rows);
    int64_t columns = round_up(seen + TILE_ROWS, PROGRAM_COLUMN_STEP);
    if (columns < all) {
        multiply_columns(w, rows, seen);
        call_kernels(w, rows, columns);
        if (is_zero(w, rows->count, columns - 1))
            return seen;
    }
    multiply_columns(w, rows, all);
    call_kernels(w, rows, all);
    return all;
}

static void copy_left(const struct worker *w, const struct dot_spec *s, int input,
                      const struct rows *rows, float *to)
{
    copy(left_of(w, s, input, rows), s->lhs_m_stride, s->lhs_k_stride, rows->count, s->k, to, s->k,
         1);
}

/* The right side of a product that contracts rows, of a block. */
static void pack_rows(const struct worker *w, const struct dot_spec *s, int result,
                      const struct rows *rows, float *to)
{
    const float *right = right_of(w, s, FIRST_RIGHT + result, rows->batch);
    tile_product_pack(w->task->product, right + rows->first * s->rhs_k_stride, s->rhs_k_stride,
                      s->rhs_n_stride, rows->count, s->n, to);
}

static void run_block(const struct worker *w, const struct rows *rows)
{
    const struct task *task = w->task;
    const struct attention_backward_spec *spec = task->spec;
    copy_left(w, &spec->scores, QUERIES, rows, w->queries);
    copy_left(w, &spec->change, GIVEN, rows, w->given);
    pack_rows(w, &spec->to_values, TO_VALUES, rows, w->value_rows);
    pack_rows(w, &spec->to_keys, TO_KEYS, rows, w->key_rows);
    int64_t columns = compute_rows(w, rows);
    compute_queries(w, rows, columns);
    add_product(w, w->scores, w->value_rows, rows, columns, w->value_sums, task->value_width);
    add_product(w, w->change, w->key_rows, rows, columns, w->key_sums, task->key_width);
}

static void copy_sums(const struct task *task, int64_t batch, const float *values,
                      const float *keys)
{
    const struct dot_spec *v = &task->spec->to_values, *k = &task->spec->to_keys;
    copy(values, task->value_width, 1, v->m, v->n, out_of(task, v, TO_VALUES, batch),
         v->out_m_stride, v->out_n_stride);
    copy(keys, task->key_width, 1, k->m, k->n, out_of(task, k, TO_KEYS, batch), k->out_m_stride,
         k->out_n_stride);
}

/* Elements of sums of a part: for each column of the scores, as many as a result is wide. */
static int64_t sums_of(const struct task *task, int64_t width)
{
    return round_up(task->spec->scores.n, TILE_ROWS) * width;
}

static void run_part(struct worker *w, int64_t number)
{
    const struct task *task = w->task;
    int64_t batch = number / task->parts, first = number % task->parts * task->part_rows;
    int64_t end = smaller(first + task->part_rows, task->spec->scores.m);
    if (task->sums) {
        w->value_sums = (float *)(void *)(task->sums + (size_t)number * task->part_bytes);
        w->key_sums = w->value_sums + sums_of(task, task->value_width);
    }
    memset(w->value_sums, 0, (size_t)sums_of(task, task->value_width) * sizeof(float));
    memset(w->key_sums, 0, (size_t)sums_of(task, task->key_width) * sizeof(float));
    if (w->packed != batch)
        pack(w, batch);
    for (; first < end; first += task->block_rows) {
        const struct rows rows = {batch, first, smaller(end - first, task->block_rows)};
        if (atomic_load_explicit(&task->call->limits->stop, memory_order_relaxed))
            return;
        run_block(w, &rows);
    }
    if (!task->sums)
        copy_sums(task, batch, w->value_sums, w->key_sums);
}

static struct worker worker_of(const struct task *task, char *scratch)
{
#define AT(field) (float *)(void *)(scratch + task->field##_at)
    return (struct worker){.task = task,
                           .keys = AT(keys),
                           .values = AT(values),
                           .right = AT(right),
                           .queries = AT(queries),
                           .given = AT(given),
                           .scores = AT(scores),
                           .change = AT(change),
                           .query_sums = AT(query_sums),
                           .value_rows = AT(value_rows),
                           .key_rows = AT(key_rows),
                           .value_sums = AT(value_sums),
                           .key_sums = AT(key_sums),
                           .packed = -1};
#undef AT
}

static void run_parts(void *context, int64_t begin, int64_t end)
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
    for (int64_t i = begin; i < end; i++)
        run_part(&worker, i);
    scratch_return(scratch);
}

/* Adds the sums of the parts of batches [begin, end) to those of their first parts. */
static void add_parts(void *context, int64_t begin, int64_t end)
{
    const struct task *task = context;
    int64_t count = sums_of(task, task->value_width) + sums_of(task, task->key_width);
    for (int64_t batch = begin; batch < end; batch++) {
        char *first = task->sums + (size_t)(batch * task->parts) * task->part_bytes;
        float *to = (float *)(void *)first;
        for (int64_t part = 1; part < task->parts; part++) {
            const float *from = (const float *)(void *)(first + (size_t)part * task->part_bytes);
            for (int64_t i = 0; i < count; i++)
                to[i] += from[i];
        }
        copy_sums(task, batch, to, to + sums_of(task, task->value_width));
    }
}

/* ---- the step -------------------------------------------------------------------------------- */
static size_t reserve(struct task *task, int64_t elements)
{
    size_t at = task->bytes;
    task->bytes += (size_t)round_up(elements * (int64_t)sizeof(float), 64);
    return at;
}

/* Rows of a block: whole tiles, whose scores fit into a part of a core's cache. */
static int64_t rows_of_block(const struct dot_spec *s)
{
    int64_t rows = BLOCK_BYTES / (s->n * (int64_t)sizeof(float));
    rows = smaller(smaller(rows, MAX_BLOCK_ROWS), round_up(s->m, TILE_ROWS));
    return larger(rows / TILE_ROWS, 1) * TILE_ROWS;
}

/* Arrays of rows have space for what a tile reads or writes behind their end. */
static void plan_scratch(struct task *task)
{
    const struct attention_backward_spec *spec = task->spec;
    const struct tile_product *product = task->product;
    const struct dot_spec *s = &spec->scores, *c = &spec->change;
    int64_t rows = task->block_rows;
    task->keys_at = reserve(task, tile_product_packed(product, s->k, s->n));
    task->values_at = reserve(task, tile_product_packed(product, c->k, c->n));
    task->right_at = reserve(task, tile_product_packed(product, s->n, spec->to_queries.n));
    task->queries_at = reserve(task, rows * s->k);
    task->given_at = reserve(task, rows * c->k);
    task->scores_at = reserve(task, rows * s->n + product->width);
    task->change_at = reserve(task, rows * s->n + product->width);
    task->query_sums_at = reserve(task, rows * task->query_width);
    task->value_rows_at = reserve(task, tile_product_packed(product, rows, spec->to_values.n));
    task->key_rows_at = reserve(task, tile_product_packed(product, rows, spec->to_keys.n));
    task->value_sums_at = reserve(task, task->parts > 1 ? 0 : sums_of(task, task->value_width));
    task->key_sums_at = reserve(task, task->parts > 1 ? 0 : sums_of(task, task->key_width));
}

static void plan(struct task *task)
{
    const struct attention_backward_spec *spec = task->spec;
    const struct dot_spec *s = &spec->scores;
    int64_t batches = s->outer * s->batch, lanes = task->product->lanes;
    task->value_width = round_up(spec->to_values.n, lanes);
    task->query_width = round_up(spec->to_queries.n, lanes);
    task->key_width = round_up(spec->to_keys.n, lanes);
    task->block_rows = rows_of_block(s);
    int64_t parts = smaller(divide_up(PARTS, batches), s->m / MIN_PART_ROWS);
    task->part_rows = round_up(divide_up(s->m, larger(parts, 1)), task->block_rows);
    task->parts = divide_up(s->m, task->part_rows);
    task->part_bytes =
        (size_t)(sums_of(task, task->value_width) + sums_of(task, task->key_width)) * sizeof(float);
    plan_scratch(task);
}

static struct error *run_all(struct task *task, int threads)
{
    int64_t batches = task->spec->scores.outer * task->spec->scores.batch;
    if (threads == 1)
        run_parts(task, 0, batches * task->parts);
    else
        pool_parallel(pool_shared(), batches * task->parts, 1, run_parts, task);
    struct error *error = atomic_load(&task->error);
    if (error || !task->sums)
        return error;
    if (threads == 1)
        add_parts(task, 0, batches);
    else
        pool_parallel(pool_shared(), batches, 1, add_parts, task);
    return NULL;
}

struct error *attention_backward_blocks_run(const struct attention_backward_call *call, int threads)
{
    struct task task = {.call = call, .spec = call->spec, .product = tile_product()};
    void *sums = NULL;
    plan(&task);
    if (task.parts > 1) {
        int64_t parts = task.spec->scores.outer * task.spec->scores.batch * task.parts;
        TRY(scratch_acquire((size_t)parts * task.part_bytes, &sums));
        task.sums = sums;
    }
    struct error *error = run_all(&task, threads);
    if (sums)
        scratch_return(sums);
    return error;
}
