/* thin_step.c: see thin_step.h. A task is some columns of a batch (thin_part.h). Of a right side
 * whose columns are adjacent in memory, it decodes and multiplies THIN_DEPTH rows at a time; of one
 * whose terms are, THIN_TERMS terms of FEW_COLUMNS columns. Its sums are f32. */
#include "devices/host/thin/thin_step.h"

#include <string.h>

#include "base/pool.h"
#include "devices/host/thin/thin_number.h"
#include "devices/host/thin/thin_part.h"

enum {
    IN_PLACE_DEPTH = 8, /* rows that are read in place: a cache has few ways */
    LEAST_COLUMNS = 64, /* adjacent numbers that memory delivers quickly */
    TASKS = 16,         /* of a batch, if its columns allow it */
    FEW_COLUMNS = 8,
    CHUNKS_PER_THREAD = 4,
    CHUNK_BYTES = 64 << 10, /* of a right side, for which a thread pays */
    LINE = 64
};

/* Has the caches fetch numbers that are decoded later, if there are any. */
static void fetch(const char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(at + i);
}

/* Right sides that need no decoding are multiplied where they are. */
static bool is_in_place(const struct thin_part *p)
{
    return p->task->dot.rhs == DTYPE_F32 && !thin_part_has_parameters(p);
}

/* ---- adjacent columns ------------------------------------------------------------------------ */
static void fetch_rows(const struct thin_part *p, int64_t k, int64_t count)
{
    const struct dot_spec *s = &p->task->dot;
    for (int64_t i = 0; i < thin_least(count, s->k - k); i++)
        fetch(thin_part_right(p, k + i, p->column), p->columns * dtype_bytes(s->rhs));
}

/* Decodes rows [k, k + count) of the half at hand. */
static void decode_rows(struct thin_part *p, int64_t k, int64_t count, int64_t group)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t width = thin_padded(p->columns), end = k + count;
    for (int64_t first = k, rows; first < end; first += rows) {
        rows = thin_least(end, (first / group + 1) * group) - first;
        if (thin_part_has_parameters(p) && first / group != p->group[p->half]) {
            p->group[p->half] = first / group;
            thin_part_load_parameters(
                p, &(struct thin_place){.k = first, .n = p->column, .count = p->columns});
        }
        thin_part_decode(p, &(struct thin_run){.from = thin_part_right(p, first, p->column),
                                               .to = p->right + (first - k) * width,
                                               .count = p->columns,
                                               .rows = rows,
                                               .from_row = s->rhs_k_stride * dtype_bytes(s->rhs),
                                               .to_row = width,
                                               .group = 1});
    }
}

/* Adds the products of rows of the half at hand. */
static void add_rows(struct thin_part *p, int64_t k, int64_t count, int64_t group)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t width = thin_padded(p->columns), terms = thin_part_terms(p);
    const bool in_place = is_in_place(p) && width == p->columns;
    if (k % terms == 0)
        thin_part_load_left(p, k, thin_least(terms, s->k - k));
    if (!in_place)
        decode_rows(p, k, count, group);
    const struct thin_block block = {
        .left = thin_part_left(p) + k % terms,
        .left_row = THIN_LEFT_ROW,
        .right =
            in_place ? (const float *)(const void *)thin_part_right(p, k, p->column) : p->right,
        .right_row = in_place ? s->rhs_k_stride : width,
        .out = thin_part_sums(p),
        .out_row = width,
        .rows = s->m,
        .columns = width,
        .k = count};
    p->task->set->by_rows(&block);
}

static void multiply_rows(struct thin_part *p)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t group = thin_part_group(p->task, s->k),
                  depth = is_in_place(p) ? IN_PLACE_DEPTH : THIN_DEPTH;
    for (int64_t k = 0; k < s->k; k += depth) {
        const int64_t count = thin_least(depth, s->k - k);
        if (!is_in_place(p))
            fetch_rows(p, k + count, depth);
        for (p->half = 0; p->half < p->task->halves; p->half++)
            add_rows(p, k, count, group);
    }
}

/* ---- adjacent terms -------------------------------------------------------------------------- */
/* Along k, parameters have groups of whole vectors, or each number has its own. */
static int64_t terms_of_group(const struct thin_part *p)
{
    const int64_t terms = thin_part_terms(p), group = thin_part_group(p->task, terms);
    return group % THIN_LANES == 0 && terms % group == 0 ? group : 1;
}

/* Decodes terms [k, k + count) of columns from the c-th of the part on, THIN_TERMS apart. */
static void decode_columns(struct thin_part *p, int64_t k, int64_t count, int64_t c,
                           int64_t columns)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t group = terms_of_group(p);
    for (int64_t i = 0; i < columns; i++) {
        const int64_t column = p->column + c + i;
        if (p->half == 0 && column + FEW_COLUMNS < s->n)
            fetch(thin_part_right(p, k, column + FEW_COLUMNS), count * dtype_bytes(s->rhs));
        if (thin_part_has_parameters(p))
            thin_part_load_parameters(p, &(struct thin_place){k, column, count, true, group});
        thin_part_decode(p, &(struct thin_run){.from = thin_part_right(p, k, column),
                                               .to = p->right + i * THIN_TERMS,
                                               .count = count,
                                               .rows = 1,
                                               .group = group});
    }
}

/* Adds the products of terms [k, k + count) of a few columns of the half at hand. */
static void add_columns(struct thin_part *p, int64_t k, int64_t count, int64_t c)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t columns = thin_least(FEW_COLUMNS, p->columns - c);
    const bool in_place = is_in_place(p) && s->k % THIN_LANES == 0;
    if (!in_place)
        decode_columns(p, k, count, c, columns);
    const struct thin_block block = {
        .left = thin_part_left(p),
        .left_row = THIN_LEFT_ROW,
        .right =
            in_place ? (const float *)(const void *)thin_part_right(p, k, p->column + c) : p->right,
        .right_row = in_place ? s->rhs_n_stride : THIN_TERMS,
        .out = thin_part_sums(p) + c,
        .out_row = thin_padded(p->columns),
        .rows = s->m,
        .columns = columns,
        .k = thin_padded(count)};
    p->task->set->by_columns(&block);
}

static void multiply_columns(struct thin_part *p)
{
    const int64_t size = p->task->dot.k, terms = thin_part_terms(p);
    for (int64_t k = 0; k < size; k += terms) {
        const int64_t count = thin_least(terms, size - k);
        for (p->half = 0; p->half < p->task->halves; p->half++)
            thin_part_load_left(p, k, count);
        for (int64_t c = 0; c < p->columns; c += FEW_COLUMNS)
            for (p->half = 0; p->half < p->task->halves; p->half++)
                add_columns(p, k, count, c);
    }
}

/* ---- the result ------------------------------------------------------------------------------ */
static void store_number(enum dtype dtype, float number, void *to)
{
    const uint16_t half = thin_number_to_bf16(number);
    switch (dtype) {
    case DTYPE_F32: memcpy(to, &number, sizeof number); break;
    case DTYPE_BF16: memcpy(to, &half, sizeof half); break;
    default: dtype_from_double(dtype, (double)number, to);
    }
}

/* Stores the sums of the half at hand. */
static void store(struct thin_part *p)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t bytes = dtype_bytes(s->out), width = thin_padded(p->columns);
    const float *sums = thin_part_sums(p);
    char *out = (char *)p->task->buffers[thin_dot_spec_slices(p->task->spec) - 1] +
                p->batch * s->out_batch_stride * bytes;
    for (int64_t c = 0; c < p->columns; c++) {
        const int64_t n = thin_part_number(p, p->column + c, false);
        for (int64_t r = 0; r < s->m; r++)
            store_number(s->out, sums[r * width + c],
                         out + (r * s->out_m_stride + n * s->out_n_stride) * bytes);
    }
}

/* ---- tasks ----------------------------------------------------------------------------------- */
static void run_task(struct thin_part *p, int64_t number)
{
    const struct thin_task *task = p->task;
    p->batch = number / task->tasks;
    p->column = number % task->tasks * task->columns;
    p->columns = thin_least(task->columns, task->dot.n - p->column);
    p->group[0] = p->group[1] = -1;
    p->half = 0;
    const int outs = thin_part_has_halves(p, false) ? 2 : 1;
    memset(p->sums, 0, sizeof *p->sums * (size_t)(outs * task->dot.m * thin_padded(p->columns)));
    if (task->has_adjacent_columns)
        multiply_rows(p);
    else
        multiply_columns(p);
    for (p->half = 0; p->half < outs; p->half++)
        store(p);
}

static void run_tasks(void *context, int64_t begin, int64_t end)
{
    struct thin_part part;
    part.task = context;
    for (int64_t i = begin; i < end && !atomic_load_explicit(part.task->stop, memory_order_relaxed);
         i++)
        run_task(&part, i);
}

/* So that there are TASKS tasks, but none of few bytes, or of more columns than a part has. */
static int64_t columns_of_task(const struct thin_dot_spec *spec, const struct dot_spec *s)
{
    const int64_t columns = (s->n / TASKS + LEAST_COLUMNS - 1) / LEAST_COLUMNS * LEAST_COLUMNS,
                  most = spec->packing.half && !spec->packing.along_k ? THIN_COLUMNS / 2
                                                                      : THIN_COLUMNS;
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : thin_least(columns, most);
}

void thin_step_run(const struct thin_dot_spec *spec, void *const *buffers, const atomic_uint *stop,
                   int threads)
{
    const struct dot_spec s = thin_dot_spec_in_memory(spec);
    struct thin_task task = {.spec = spec,
                             .dot = s,
                             .buffers = buffers,
                             .stop = stop,
                             .set = thin_set(),
                             .has_adjacent_columns = s.rhs_n_stride == 1 || s.n == 1,
                             .halves = spec->packing.half ? 2 : 1,
                             .columns = columns_of_task(spec, &s)};
    task.tasks = (s.n + task.columns - 1) / task.columns;
    const int64_t count = s.batch * task.tasks, chunks = (int64_t)threads * CHUNKS_PER_THREAD,
                  bytes = task.columns * s.k * dtype_bytes(s.rhs);
    int64_t grain = (count + chunks - 1) / chunks;
    if (bytes < CHUNK_BYTES && grain * bytes < CHUNK_BYTES)
        grain = CHUNK_BYTES / bytes;
    if (threads == 1 || grain >= count)
        run_tasks(&task, 0, count);
    else
        pool_parallel(pool_shared(), count, grain, run_tasks, &task);
}
