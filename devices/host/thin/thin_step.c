/* thin_step.c: see thin_step.h. A task is some columns of a batch. Of a right side whose columns
 * are adjacent in memory, it decodes and multiplies DEPTH rows at a time; of one whose terms are,
 * LONG terms of FEW_COLUMNS columns. Its sums are f32. */
#include "devices/host/thin/thin_step.h"

#include <string.h>

#include "base/pool.h"
#include "compiler/program/thin_dot_spec.h"
#include "devices/host/thin/thin_number.h"
#include "devices/host/thin/thin_set.h"

enum {
    ROWS = THIN_DOT_MAX_ROWS,
    DEPTH = 16,         /* rows of a right side with adjacent columns, */
    FEW = 8,            /* of which as many are read in place: a cache has few ways */
    MOST_COLUMNS = 512, /* of it, */
    LEAST_COLUMNS = 64, /* adjacent numbers that memory delivers quickly */
    TASKS = 16,         /* of a batch, if its columns allow it */
    FEW_COLUMNS = 8,    /* of one with adjacent terms, */
    LONG = 512,         /* and of these */
    PART = DEPTH * MOST_COLUMNS,
    CHUNKS_PER_THREAD = 4,
    CHUNK_BYTES = 64 << 10, /* of a right side, for which a thread pays */
    LINE = 64
};

struct task {
    const struct thin_dot_spec *spec;
    void *const *buffers;
    const atomic_uint *stop;
    const struct thin_set *set;
    bool has_adjacent_columns;
    int64_t columns, tasks; /* of a task; of a batch */
};

struct parameters { /* of adjacent numbers, as struct thin_run has them */
    float zero[MOST_COLUMNS], scale[MOST_COLUMNS], offset[MOST_COLUMNS];
};

struct part { /* what a task computes, and its memory */
    const struct task *task;
    int64_t batch, column, columns;
    _Alignas(LINE) float left[ROWS * LONG], right[PART], sums[ROWS * MOST_COLUMNS];
    struct parameters parameters;
    int64_t group; /* of rows, whose parameters these are */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t padded(int64_t count)
{
    return (count + THIN_LANES - 1) / THIN_LANES * THIN_LANES;
}

static const struct dot_spec *dot_of(const struct part *p)
{
    return &p->task->spec->dot;
}

static void fill(float *to, int64_t count, float number)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = number;
}

/* ---- sides ----------------------------------------------------------------------------------- */
/* Terms [k, k + count) of all rows of the left side, LONG apart, with zeros up to whole vectors. */
static void load_left(struct part *p, int64_t k, int64_t count)
{
    const struct dot_spec *s = dot_of(p);
    const int64_t bytes = dtype_bytes(s->lhs);
    const char *from = (const char *)p->task->buffers[0] +
                       (p->batch * s->lhs_batch_stride + k * s->lhs_k_stride) * bytes;
    for (int64_t r = 0; r < s->m; r++, from += s->lhs_m_stride * bytes) {
        float *to = p->left + r * LONG;
        if (s->lhs_k_stride == 1) {
            const struct thin_run run = {
                .from = from, .to = to, .count = count, .rows = 1, .group = 1};
            thin_set_decode(p->task->set, s->lhs, &run);
            continue;
        }
        for (int64_t i = 0; i < padded(count); i++)
            to[i] = i < count ? thin_number(s->lhs, from + i * s->lhs_k_stride * bytes) : 0;
    }
}

/* Numbers of a parameter that are used together: the first at row k and column n, `step` rows or
 * columns apart. */
struct place {
    int64_t k, n, step, count;
    bool along_k;
};

/* How far apart a parameter's numbers are; -1: not evenly. */
static int64_t stride_of(const struct thin_parameter *parameter, const struct place *at)
{
    const int64_t group = at->along_k ? parameter->k_group : parameter->n_group,
                  stride = at->along_k ? parameter->k_stride : parameter->n_stride,
                  first = at->along_k ? at->k : at->n;
    if (!stride || first / group == (first + (at->count - 1) * at->step) / group)
        return 0;
    return at->step % group == 0 ? at->step / group * stride : -1;
}

static int64_t number_at(const struct thin_parameter *parameter, int64_t batch, int64_t k,
                         int64_t n)
{
    return batch * parameter->batch_stride + k / parameter->k_group * parameter->k_stride +
           n / parameter->n_group * parameter->n_stride;
}

static void load_one_by_one(const struct part *p, const struct thin_parameter *parameter,
                            const char *from, const struct place *at, float *to)
{
    for (int64_t i = 0; i < at->count; i++) {
        const int64_t step = i * at->step, k = at->k + (at->along_k ? step : 0),
                      n = at->n + (at->along_k ? 0 : step);
        to[i] = thin_number(parameter->dtype, from + number_at(parameter, p->batch, k, n) *
                                                         dtype_bytes(parameter->dtype));
    }
}

/* Absent numbers are `otherwise`. */
static void load_parameter(const struct part *p, const struct thin_parameter *parameter,
                           const void *buffer, const struct place *at, float otherwise, float *to)
{
    const enum dtype dtype = parameter->dtype;
    const int64_t stride = dtype ? stride_of(parameter, at) : 0;
    if (stride < 0) {
        load_one_by_one(p, parameter, buffer, at, to);
        return;
    }
    const int64_t bytes = dtype_bytes(dtype);
    const char *from = buffer;
    if (dtype)
        from += number_at(parameter, p->batch, at->k, at->n) * bytes;
    const struct thin_run run = {.from = from, .to = to, .count = at->count, .rows = 1, .group = 1};
    if (stride == 1)
        thin_set_decode(p->task->set, dtype, &run);
    else if (stride == 0)
        fill(to, at->count, dtype ? thin_number(dtype, from) : otherwise);
    else
        for (int64_t i = 0; i < at->count; i++)
            to[i] = thin_number(dtype, from + i * stride * bytes);
}

/* Sets what a run's numbers are computed with. */
static void load_parameters(struct part *p, const struct place *at)
{
    const struct thin_dot_spec *spec = p->task->spec;
    void *const *buffer = p->task->buffers + 2;
    struct parameters *to = &p->parameters;
    const void *zero = spec->zero.dtype ? *buffer++ : NULL;
    const void *scale = spec->scale.dtype ? *buffer++ : NULL;
    const void *offset = spec->offset.dtype ? *buffer++ : NULL;
    if (thin_dot_spec_is_affine(spec)) {
        load_parameter(p, &spec->zero, zero, at, 0, to->zero);
        load_parameter(p, &spec->offset, offset, at, 0, to->offset);
    }
    load_parameter(p, &spec->scale, scale, at, 1, to->scale);
}

static bool has_parameters(const struct thin_dot_spec *spec)
{
    return thin_dot_spec_is_affine(spec) || spec->scale.dtype;
}

/* Decodes rows of `count` numbers each, which have the same parameters. */
static void decode(const struct part *p, struct thin_run *run)
{
    const struct thin_dot_spec *spec = p->task->spec;
    const bool is_affine = thin_dot_spec_is_affine(spec);
    run->zero = is_affine ? p->parameters.zero : NULL;
    run->scale = has_parameters(spec) ? p->parameters.scale : NULL;
    run->offset = is_affine ? p->parameters.offset : NULL;
    thin_set_decode(p->task->set, spec->dot.rhs, run);
}

static const char *right_at(const struct part *p, int64_t k, int64_t n)
{
    const struct dot_spec *s = dot_of(p);
    return (const char *)p->task->buffers[1] +
           (p->batch * s->rhs_batch_stride + k * s->rhs_k_stride + n * s->rhs_n_stride) *
               dtype_bytes(s->rhs);
}

/* Has the caches fetch numbers that are decoded later, if there are any. */
static void fetch(const char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(at + i);
}

/* ---- adjacent columns ------------------------------------------------------------------------ */
/* Rows have the same parameters as long as all of these have one group. */
static int64_t rows_of_group(const struct thin_dot_spec *spec)
{
    const struct thin_parameter *all[] = {&spec->zero, &spec->scale, &spec->offset};
    int64_t rows = spec->dot.k;
    for (int i = 0; i < 3; i++)
        if (all[i]->dtype && all[i]->k_stride) {
            int64_t a = rows, b = all[i]->k_group;
            while (b) {
                int64_t rest = a % b;
                a = b, b = rest;
            }
            rows = a;
        }
    return rows;
}

static void decode_rows(struct part *p, int64_t k, int64_t count, int64_t group)
{
    const struct thin_dot_spec *spec = p->task->spec;
    const int64_t width = padded(p->columns), bytes = dtype_bytes(spec->dot.rhs), end = k + count,
                  ahead = least(count, spec->dot.k - end);
    for (int64_t i = 0; i < ahead; i++)
        fetch(right_at(p, end + i, p->column), p->columns * bytes);
    for (int64_t first = k, rows; first < end; first += rows) {
        rows = has_parameters(spec) ? least(end, (first / group + 1) * group) - first : count;
        if (has_parameters(spec) && first / group != p->group) {
            p->group = first / group;
            load_parameters(p, &(struct place){first, p->column, 1, p->columns, false});
        }
        decode(p, &(struct thin_run){.from = right_at(p, first, p->column),
                                     .to = p->right + (first - k) * width,
                                     .count = p->columns,
                                     .rows = rows,
                                     .from_row = spec->dot.rhs_k_stride * bytes,
                                     .to_row = width,
                                     .group = 1});
    }
}

/* Right sides that need no decoding are multiplied where they are. */
static bool is_in_place(const struct part *p)
{
    const struct thin_dot_spec *spec = p->task->spec;
    return spec->dot.rhs == DTYPE_F32 && !has_parameters(spec);
}

static void multiply_rows(struct part *p)
{
    const struct dot_spec *s = dot_of(p);
    const int64_t width = padded(p->columns), group = rows_of_group(p->task->spec);
    const bool in_place = is_in_place(p) && width == p->columns;
    struct thin_block block = {.left_row = LONG,
                               .right_row = in_place ? s->rhs_k_stride : width,
                               .right = p->right,
                               .out_row = width,
                               .out = p->sums,
                               .rows = s->m,
                               .columns = width};
    for (int64_t k = 0; k < s->k; k += block.k) {
        if (k % LONG == 0)
            load_left(p, k, least(LONG, s->k - k));
        block.k = least(in_place ? FEW : DEPTH, s->k - k);
        block.left = p->left + k % LONG;
        if (in_place)
            block.right = (const float *)(const void *)right_at(p, k, p->column);
        else
            decode_rows(p, k, block.k, group);
        p->task->set->by_rows(&block);
    }
}

/* ---- adjacent terms -------------------------------------------------------------------------- */
/* Along k, parameters have groups of whole vectors, or each number has its own. */
static int64_t terms_of_group(const struct thin_dot_spec *spec)
{
    const int64_t rows = rows_of_group(spec);
    if (rows >= spec->dot.k || rows % LONG == 0)
        return LONG;
    return rows % THIN_LANES == 0 && LONG % rows == 0 ? rows : 1;
}

/* Decodes terms [k, k + count) of columns from the c-th of the part on, LONG apart. */
static void decode_columns(struct part *p, int64_t k, int64_t count, int64_t c, int64_t columns)
{
    const struct thin_dot_spec *spec = p->task->spec;
    const int64_t group = terms_of_group(spec), bytes = count * dtype_bytes(spec->dot.rhs);
    for (int64_t i = 0; i < columns; i++) {
        const int64_t column = p->column + c + i;
        if (column + FEW_COLUMNS < spec->dot.n)
            fetch(right_at(p, k, column + FEW_COLUMNS), bytes);
        if (has_parameters(spec))
            load_parameters(p,
                            &(struct place){k, column, group, (count + group - 1) / group, true});
        decode(p, &(struct thin_run){.from = right_at(p, k, column),
                                     .to = p->right + i * LONG,
                                     .count = count,
                                     .rows = 1,
                                     .group = group});
    }
}

static void multiply_columns(struct part *p)
{
    const struct dot_spec *s = dot_of(p);
    const bool in_place = is_in_place(p) && s->k % THIN_LANES == 0;
    struct thin_block block = {.left = p->left,
                               .left_row = LONG,
                               .right = p->right,
                               .right_row = in_place ? s->rhs_n_stride : LONG,
                               .out_row = padded(p->columns),
                               .rows = s->m};
    for (int64_t k = 0; k < s->k; k += LONG) {
        const int64_t count = least(LONG, s->k - k);
        load_left(p, k, count);
        block.k = padded(count);
        for (int64_t c = 0; c < p->columns; c += FEW_COLUMNS) {
            block.out = p->sums + c;
            block.columns = least(FEW_COLUMNS, p->columns - c);
            if (in_place)
                block.right = (const float *)(const void *)right_at(p, k, p->column + c);
            else
                decode_columns(p, k, count, c, block.columns);
            p->task->set->by_columns(&block);
        }
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

static void store(const struct part *p)
{
    const struct dot_spec *s = dot_of(p);
    const int64_t bytes = dtype_bytes(s->out), width = padded(p->columns);
    char *out = (char *)p->task->buffers[thin_dot_spec_slices(p->task->spec) - 1] +
                (p->batch * s->out_batch_stride + p->column * s->out_n_stride) * bytes;
    for (int64_t r = 0; r < s->m; r++)
        for (int64_t c = 0; c < p->columns; c++)
            store_number(s->out, p->sums[r * width + c],
                         out + (r * s->out_m_stride + c * s->out_n_stride) * bytes);
}

/* ---- tasks ----------------------------------------------------------------------------------- */
static void run_task(struct part *p, int64_t number)
{
    const struct task *task = p->task;
    const struct dot_spec *s = dot_of(p);
    p->batch = number / task->tasks;
    p->column = number % task->tasks * task->columns;
    p->columns = least(task->columns, s->n - p->column);
    p->group = -1;
    memset(p->sums, 0, sizeof *p->sums * (size_t)(s->m * padded(p->columns)));
    if (task->has_adjacent_columns)
        multiply_rows(p);
    else
        multiply_columns(p);
    store(p);
}

static void run_tasks(void *context, int64_t begin, int64_t end)
{
    struct part part;
    part.task = context;
    for (int64_t i = begin; i < end && !atomic_load_explicit(part.task->stop, memory_order_relaxed);
         i++)
        run_task(&part, i);
}

/* So that there are TASKS tasks, but none of few bytes. */
static int64_t columns_of_task(const struct dot_spec *s)
{
    const int64_t columns = (s->n / TASKS + LEAST_COLUMNS - 1) / LEAST_COLUMNS * LEAST_COLUMNS;
    return columns < LEAST_COLUMNS ? LEAST_COLUMNS : least(columns, MOST_COLUMNS);
}

void thin_step_run(const struct thin_dot_spec *spec, void *const *buffers, const atomic_uint *stop,
                   int threads)
{
    const struct dot_spec *s = &spec->dot;
    struct task task = {.spec = spec,
                        .buffers = buffers,
                        .stop = stop,
                        .set = thin_set(),
                        .has_adjacent_columns = s->rhs_n_stride == 1 || s->n == 1,
                        .columns = columns_of_task(s)};
    task.tasks = (s->n + task.columns - 1) / task.columns;
    const int64_t count = s->batch * task.tasks, chunks = (int64_t)threads * CHUNKS_PER_THREAD,
                  bytes = task.columns * s->k * dtype_bytes(s->rhs);
    int64_t grain = (count + chunks - 1) / chunks;
    if (bytes < CHUNK_BYTES && grain * bytes < CHUNK_BYTES)
        grain = CHUNK_BYTES / bytes;
    if (threads == 1 || grain >= count)
        run_tasks(&task, 0, count);
    else
        pool_parallel(pool_shared(), count, grain, run_tasks, &task);
}
