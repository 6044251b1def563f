/* thin_step.c: see thin_step.h. A task is some columns of a batch (thin_part.h), or of a range of
 * k, whose sums are added afterwards. Numbers are decoded in registers, again for each
 * THIN_FEW_ROWS rows of the left side, or, for more rows, once for all (thin_panel.h). Those of
 * which a set has no functions, or that have offsets or small groups of adjacent terms, are decoded
 * once, to a panel in the first cache; so are those whose scales are so large that it matters
 * whether numbers or their sums are scaled. Sums are f32. */
#include "devices/host/thin/thin_step.h"

#include <string.h>

#include "base/pool.h"
#include "devices/host/scratch.h"
#include "devices/host/thin/thin_columns.h"
#include "devices/host/thin/thin_factors.h"
#include "devices/host/thin/thin_integers.h"
#include "devices/host/thin/thin_number.h"
#include "devices/host/thin/thin_panel.h"
#include "devices/host/thin/thin_plan.h"
#include "devices/host/thin/thin_rows.h"
#include "devices/host/thin/thin_words.h"

enum {
    CHUNKS_PER_THREAD = 4,
    CHUNK_BYTES = 64 << 10 /* of a right side, for which a thread pays */
};

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

/* Stores numbers that are `step` bytes apart. */
static void store_numbers(const struct thin_part *p, const float *from, int64_t count, int64_t step,
                          char *to)
{
    const enum dtype dtype = p->task->dot.out;
    const bool is_dense = step == dtype_bytes(dtype) && p->task->sums_column == 1;
    if (is_dense && dtype == DTYPE_BF16)
        p->task->product->narrow(from, count, (uint16_t *)(void *)to);
    else if (is_dense && dtype == DTYPE_F32)
        memcpy(to, from, sizeof *from * (size_t)count);
    else
        for (int64_t i = 0; i < count; i++, from += p->task->sums_column, to += step)
            store_number(dtype, *from, to);
}

/* Stores the sums of the field at hand: of each row, the columns whose numbers are evenly apart. */
static void store(struct thin_part *p)
{
    const struct dot_spec *s = &p->task->dot;
    const struct thin_task *task = p->task;
    const int64_t bytes = dtype_bytes(s->out);
    char *out = (char *)task->buffers[thin_dot_spec_slices(task->spec) - 1] +
                (p->batch * s->out_batch_stride + p->row * s->out_m_stride) * bytes;
    for (int64_t c = 0; c < p->columns;) {
        const struct thin_numbers at = thin_part_numbers(p, p->column + c, p->columns - c, false);
        for (int64_t r = 0; r < p->rows; r++)
            store_numbers(p, thin_part_sums(p) + r * task->sums_row + c * task->sums_column,
                          at.count, at.step * s->out_n_stride * bytes,
                          out + (r * s->out_m_stride + at.first * s->out_n_stride) * bytes);
        c += at.count;
    }
}

/* ---- tasks ----------------------------------------------------------------------------------- */
static void multiply_part(struct thin_part *p)
{
    const struct thin_task *task = p->task;
    if (task->is_words)
        thin_words_multiply(p);
    else if (task->is_panel)
        thin_panel_multiply(p);
    else if (task->has_adjacent_columns)
        thin_rows_multiply(p);
    else
        thin_columns_multiply(p);
}

/* The rows from the part's first one on that are multiplied at once. */
static void run_rows(struct thin_part *p)
{
    const int outs = thin_part_outs(p->task);
    for (int i = 0; i < p->task->fields; i++)
        p->group[i] = -1;
    p->field = 0;
    memset(p->sums, 0, sizeof *p->sums * (size_t)(outs * p->task->sums_size));
    memset(p->zero_sums, 0, sizeof p->zero_sums);
    multiply_part(p);
    for (p->field = 0; p->field < outs; p->field++) {
        if (thin_factors_exist(p->task->factors))
            thin_factors_apply_to_sums(p);
        store(p);
    }
}

/* ---- ranges ---------------------------------------------------------------------------------- */
/* The sums of the part's columns. */
static float *partial_of(const struct thin_part *p, int64_t range)
{
    const struct thin_task *task = p->task;
    return task->partial + range * task->rows * task->partial_row + p->column;
}

/* All rows, with the sums of a range. */
static void begin_range(struct thin_part *p, int64_t range)
{
    p->row = 0, p->rows = p->task->dot.m, p->field = 0;
    p->group[0] = -1;
    p->sums = partial_of(p, range);
    memset(p->zero_sums, 0, sizeof p->zero_sums);
}

static void run_range(struct thin_part *p)
{
    const struct thin_task *task = p->task;
    begin_range(p, p->range);
    for (int64_t row = 0; row < task->rows; row++)
        memset(p->sums + row * task->sums_row, 0,
               sizeof *p->sums * (size_t)thin_padded(p->columns));
    if (task->integers)
        thin_integers_multiply(p);
    else
        thin_rows_multiply(p);
}

static void add_range(struct thin_part *p, int64_t range)
{
    const int64_t step = p->task->sums_row;
    const float *from = partial_of(p, range);
    for (int64_t row = 0; row < p->rows; row++)
        for (int64_t c = 0; c < p->columns; c++)
            p->sums[row * step + c] += from[row * step + c];
}

/* Adds the sums of all ranges, in their order, and stores them. */
static void end_ranges(struct thin_part *p)
{
    begin_range(p, 0);
    for (int64_t range = 1; range < p->task->ranges; range++)
        add_range(p, range);
    if (p->task->integers)
        thin_integers_load_zero_sums(p);
    if (thin_factors_exist(p->task->factors))
        thin_factors_apply_to_sums(p);
    store(p);
}

/* ---- tasks ----------------------------------------------------------------------------------- */
/* Where a range begins: at a multiple of THIN_STREAMS. */
static int64_t begin_of_range(const struct thin_task *task, int64_t range)
{
    if (range == task->ranges)
        return task->dot.k;
    return task->dot.k / THIN_STREAMS * range / task->ranges * THIN_STREAMS;
}

/* Tasks of a batch, or range, follow each other. */
static void place(struct thin_part *p, int64_t number)
{
    const struct thin_task *task = p->task;
    const int64_t first = number / task->tasks;
    p->batch = task->partial_row ? 0 : first, p->range = task->partial_row ? first : 0;
    p->column = number % task->tasks * task->columns;
    p->columns = thin_least(task->columns, task->dot.n - p->column);
    p->k = begin_of_range(task, p->range), p->end = begin_of_range(task, p->range + 1);
}

static void run_task(struct thin_part *p, int64_t number)
{
    const struct thin_task *task = p->task;
    place(p, number);
    if (task->partial_row) {
        run_range(p);
        return;
    }
    for (p->row = 0; p->row < task->dot.m; p->row += p->rows) {
        p->rows = thin_least(task->rows, task->dot.m - p->row);
        run_rows(p);
    }
}

static void end_all(const struct thin_task *task)
{
    struct thin_memory memory;
    struct thin_part part;
    part.task = task;
    part.left = memory.left, part.panel = memory.panel, part.sums = memory.sums;
    for (int64_t i = 0; i < task->tasks; i++) {
        place(&part, i);
        end_ranges(&part);
    }
}

static void run_parts(struct thin_part *part, int64_t begin, int64_t end)
{
    const atomic_uint *stop = part->task->stop;
    for (int64_t i = begin; i < end && !atomic_load_explicit(stop, memory_order_relaxed); i++)
        run_task(part, i);
}

static void run_panels(struct thin_task *task, int64_t begin, int64_t end)
{
    struct thin_part part = {.task = task};
    void *memory;
    struct error *error = scratch_acquire(thin_panel_bytes(task), &memory), *none = NULL;
    if (error) {
        if (!atomic_compare_exchange_strong(&task->error, &none, error))
            error_free(error);
        return;
    }
    thin_panel_place(&part, memory);
    run_parts(&part, begin, end);
    scratch_return(memory);
}

static void run_tasks(void *context, int64_t begin, int64_t end)
{
    struct thin_task *task = context;
    if (task->is_panel) {
        run_panels(task, begin, end);
        return;
    }
    struct thin_memory memory;
    struct thin_part part;
    part.task = task;
    part.left = memory.left, part.panel = memory.panel, part.sums = memory.sums;
    run_parts(&part, begin, end);
}

static void run_all(struct thin_task *task, int threads)
{
    const int64_t count = task->dot.batch * task->tasks * task->ranges,
                  chunks = (int64_t)threads * CHUNKS_PER_THREAD,
                  bytes = task->columns * task->dot.k * dtype_bytes(task->dot.rhs) / task->ranges;
    int64_t grain = (count + chunks - 1) / chunks;
    if (bytes < CHUNK_BYTES && grain * bytes < CHUNK_BYTES)
        grain = CHUNK_BYTES / bytes;
    if (threads == 1 || grain >= count)
        run_tasks(task, 0, count);
    else
        pool_parallel(pool_shared(), count, grain, run_tasks, task);
}

static void load_table(const struct thin_dot_spec *spec, const void *buffer, float *to)
{
    const int bytes = dtype_bytes(spec->table);
    for (int i = 0; i < 1 << dtype_info(spec->dot.rhs)->bits; i++)
        to[i] = thin_number(spec->table, (const char *)buffer + i * bytes);
}

/* Computes the product again with numbers that are scaled before they are added. */
static void run_exactly(struct thin_task *task, const struct thin_dot_spec *spec,
                        void *const *buffers, int threads)
{
    task->spec = spec, task->buffers = buffers, task->factors = NULL;
    thin_plan(task, THIN_EXACT, threads);
    run_all(task, threads);
}

static struct error *run_ranges(struct thin_task *task, int threads)
{
    void *partial;
    TRY(scratch_acquire(sizeof(float) * (size_t)(task->ranges * task->rows * task->partial_row),
                        &partial));
    task->partial = partial;
    run_all(task, threads);
    end_all(task);
    scratch_return(partial);
    return NULL;
}

static struct error *run_integers(struct thin_task *task, int threads)
{
    struct error *error = run_ranges(task, threads);
    thin_integers_free(task->integers);
    return error;
}

/* Without memory for the sums of ranges there are none. */
static void run_floats(struct thin_task *task, int threads)
{
    struct error *error = task->partial_row ? run_ranges(task, threads) : NULL;
    if (task->partial_row && !error)
        return;
    error_free(error);
    if (error) {
        task->most_ranges = 1;
        thin_plan(task, THIN_FAST, threads);
    }
    run_all(task, threads);
}

static struct error *run_fastest(struct thin_task *task, int threads)
{
    TRY(thin_plan_fastest(task, threads));
    if (task->integers)
        return run_integers(task, threads);
    run_floats(task, threads);
    return NULL;
}

struct error *thin_step_run(const struct thin_dot_spec *spec, void *const *buffers,
                            const atomic_uint *stop, int threads)
{
    atomic_bool has_large_numbers = false;
    float table[THIN_TABLE];
    struct thin_factors factors;
    if (spec->table)
        load_table(spec, buffers[thin_dot_spec_slices(spec) - 2], table);
    thin_factors_take(spec, buffers, spec->table ? table : NULL, &factors);
    struct thin_task task = {.spec = &factors.spec,
                             .buffers = factors.buffers,
                             .factors = &factors,
                             .stop = stop,
                             .set = thin_set(),
                             .most_ranges = THIN_RANGES,
                             .has_large_numbers = &has_large_numbers,
                             .table = spec->table ? table : NULL};
    TRY(run_fastest(&task, threads));
    if ((thin_part_counts_numbers(&task) || task.is_direct || thin_factors_exist(&factors) ||
         thin_dot_spec_has_integer_differences(spec)) &&
        atomic_load_explicit(&has_large_numbers, memory_order_relaxed))
        run_exactly(&task, spec, buffers, threads);
    return atomic_load(&task.error);
}
