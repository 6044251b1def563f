/* thin_step.c: see thin_step.h. A task is some columns of a batch (thin_part.h). Of a right side
 * whose columns are adjacent in memory, it multiplies some rows of all of them at a time; of one
 * whose terms are, many terms of THIN_FEW_COLUMNS. Numbers are decoded in registers, again for each
 * THIN_FEW_ROWS rows of the left side, or, for more rows, once for all (thin_panel.h). Those of
 * which a set has no functions, or that have offsets or small groups of adjacent terms, are decoded
 * once, to a panel in the first cache; so are those whose scales are so large that it matters
 * whether numbers or their sums are scaled. Sums are f32. */
#include "devices/host/thin/thin_step.h"

#include <string.h>

#include "base/pool.h"
#include "devices/host/scratch.h"
#include "devices/host/thin/thin_factors.h"
#include "devices/host/thin/thin_integers.h"
#include "devices/host/thin/thin_number.h"
#include "devices/host/thin/thin_panel.h"
#include "devices/host/thin/thin_plan.h"
#include "devices/host/thin/thin_words.h"

enum {
    BLOCK_BYTES = 8 << 10, /* of a right side with adjacent columns, and */
    LEAST_DEPTH = 8,       /* rows of it, that are fetched ahead; */
    AHEAD = 16 << 10,      /* bytes of adjacent terms that are */
    PANEL_COLUMNS = THIN_PANEL / THIN_DEPTH,
    PANEL_TERMS = THIN_PANEL / THIN_FEW_COLUMNS / 2,
    CHUNKS_PER_THREAD = 4,
    CHUNK_BYTES = 64 << 10, /* of a right side, for which a thread pays */
    LINE = 64
};

static const float ones[PANEL_COLUMNS] = {[0 ... PANEL_COLUMNS - 1] = 1};

static const struct thin_code *code_of(const struct thin_part *p)
{
    const struct thin_set *set = p->task->set;
    return p->task->table ? &set->tables[thin_part_field(p)]
                          : &set->codes[thin_part_field(p)][p->task->spec->dot.rhs];
}

static const struct thin_code *code_of_panel(const struct thin_part *p)
{
    return &p->task->set->codes[THIN_WHOLE][DTYPE_F32];
}

/* How many fields are multiplied at once, from the one at hand on. */
static int fields_of_pass(const struct thin_part *p)
{
    return p->task->is_pair ? 2 : 1;
}

/* How many sets of parameters these have. */
static int sets_of_pass(const struct thin_part *p)
{
    return p->task->shares_parameters ? 1 : fields_of_pass(p);
}

/* A block of columns from the c-th of the part on, of elements from the k-th on. */
static struct thin_block block_of(const struct thin_part *p, int64_t k, int64_t c)
{
    const struct dot_spec *s = &p->task->dot;
    return (struct thin_block){
        .right = thin_part_right(p, k, p->column + c),
        .right_row = (p->task->has_adjacent_columns ? s->rhs_k_stride : s->rhs_n_stride) *
                     dtype_bytes(s->rhs),
        .left_row = p->task->left_row,
        .out_row = p->task->sums_row,
        .rows = p->task->rows,
        .group = INT64_MAX};
}

/* Where a block begins: in the left side, the part's columns, and parameters. */
struct begin {
    int64_t term, column, parameter;
};

static void set_field(struct thin_part *p, const struct begin *at, struct thin_block *out)
{
    const struct thin_parameters *parameters = &p->parameters;
    const int64_t parameter = thin_part_parameters(p) + at->parameter;
    out->left = thin_part_left(p) + at->term;
    out->out = thin_part_sums(p) + at->column;
    out->scale = parameters->scale + parameter;
    out->zero = p->task->spec->zero.dtype ? parameters->zero + parameter : NULL;
    out->form = (struct thin_form){thin_part_shift(p), p->task->table};
}

/* Multiplies a block of the field at hand, or of both halves. */
static void multiply(struct thin_part *p, const struct thin_block *block, const struct begin *at)
{
    const struct thin_code *code =
        p->task->is_pair ? &p->task->set->codes[THIN_PAIR][p->task->spec->dot.rhs] : code_of(p);
    const int halves = fields_of_pass(p), first = p->field;
    struct thin_block blocks[2] = {*block, *block};
    for (; p->field < first + halves; p->field++)
        set_field(p, at, &blocks[halves == 2 && thin_part_field(p) == THIN_HIGH]);
    p->field = first;
    if (p->task->has_adjacent_columns)
        code->by_rows(blocks);
    else
        code->by_columns(blocks);
}

/* Copies `count` elements of each row, or column, of a block to the panel, with zeros behind them,
 * up to THIN_LANES; the block is that of the copy. */
static void copy_to_panel(struct thin_part *p, struct thin_block *b, int64_t rows, int64_t count)
{
    const int64_t bytes = dtype_bytes(p->task->dot.rhs);
    char *to = (char *)p->panel;
    for (int64_t i = 0; i < rows; i++, to += THIN_LANES * bytes) {
        memset(to, 0, (size_t)(THIN_LANES * bytes));
        memcpy(to, (const char *)b->right + i * b->right_row, (size_t)(count * bytes));
    }
    b->right = p->panel;
    b->right_row = THIN_LANES * bytes;
    b->ahead = 0;
}

/* Has the caches fetch numbers that are decoded later. */
static void fetch(const char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch(at + i);
}

/* ---- adjacent columns ------------------------------------------------------------------------ */
/* Rows that are a block: a power of two. Sums are those of blocks, so it does not depend on how
 * columns are divided. */
static int64_t depth_of(const struct thin_part *p)
{
    const struct dot_spec *s = &p->task->dot;
    const int64_t row_bytes = thin_least(s->n, THIN_COLUMNS) * dtype_bytes(s->rhs);
    int64_t depth = p->task->is_direct ? LEAST_DEPTH : THIN_DEPTH;
    while (depth > LEAST_DEPTH && depth * row_bytes > BLOCK_BYTES)
        depth /= 2;
    return depth;
}

/* Adds the products of rows [k, k + count) of the field at hand, which have equal parameters. */
static void add_rows_directly(struct thin_part *p, int64_t k, int64_t count, int64_t depth)
{
    const int64_t whole = p->columns / THIN_LANES * THIN_LANES, term = k % p->task->terms;
    struct thin_block block = block_of(p, k, 0);
    block.k = count;
    block.columns = whole;
    block.row_bytes = p->columns * dtype_bytes(p->task->dot.rhs);
    block.ahead = thin_part_ahead(block.row_bytes);
    block.next = thin_part_next(depth, block.row_bytes, block.right_row);
    multiply(p, &block, &(struct begin){term, 0, 0});
    if (whole == p->columns)
        return;
    block.right = thin_part_right(p, k, p->column + whole);
    copy_to_panel(p, &block, count, p->columns - whole);
    block.columns = THIN_LANES;
    multiply(p, &block, &(struct begin){term, whole, whole});
}

static void fetch_rows(const struct thin_part *p, int64_t k, int64_t count)
{
    const int64_t bytes = p->columns * dtype_bytes(p->task->dot.rhs);
    for (int64_t i = k; i < thin_least(k + count, p->task->dot.k); i++)
        fetch(thin_part_right(p, i, p->column), bytes);
}

/* The same by way of the panel. */
static void add_decoded_rows(struct thin_part *p, int64_t k, int64_t count)
{
    for (int64_t c = 0; c < p->columns; c += PANEL_COLUMNS) {
        struct thin_block block = block_of(p, k, c);
        const int64_t columns = thin_least(PANEL_COLUMNS, p->columns - c);
        thin_part_decode(p, c,
                         &(struct thin_run){.from = block.right,
                                            .to = p->panel,
                                            .count = columns,
                                            .rows = count,
                                            .from_row = block.right_row,
                                            .to_row = PANEL_COLUMNS,
                                            .group = 1});
        block.right = p->panel;
        block.right_row = PANEL_COLUMNS * sizeof(float);
        block.k = count;
        block.columns = thin_padded(columns);
        set_field(p, &(struct begin){k % p->task->terms, c, 0}, &block);
        block.zero = NULL, block.scale = ones;
        code_of_panel(p)->by_rows(&block);
    }
}

/* Adds the products of rows [k, k + count) of the fields at hand. */
static void add_rows(struct thin_part *p, int64_t k, int64_t count, int64_t depth)
{
    const int64_t group = p->task->group, end = k + count;
    for (int64_t first = k, rows; first < end; first += rows) {
        rows = thin_least(end - first, group - first % group);
        if (first / group != p->group[thin_part_set(p)]) {
            p->group[thin_part_set(p)] = first / group;
            thin_part_load_row(p, first, sets_of_pass(p));
        }
        if (p->task->is_direct)
            add_rows_directly(p, first, rows, depth);
        else
            add_decoded_rows(p, first, rows);
    }
}

static void multiply_rows(struct thin_part *p)
{
    const int64_t size = p->task->dot.k, depth = depth_of(p), terms = p->task->terms;
    for (int64_t k = 0; k < size; k += depth) {
        const int64_t count = thin_least(depth, size - k);
        if (k % terms == 0)
            thin_part_load_fields(p, k, thin_least(terms, size - k));
        if (!p->task->is_direct)
            fetch_rows(p, k + count, depth);
        for (p->field = 0; p->field < p->task->fields; p->field += fields_of_pass(p))
            add_rows(p, k, count, depth);
        p->field = 0;
    }
}

/* ---- adjacent terms -------------------------------------------------------------------------- */
static void add_columns_directly(struct thin_part *p, int64_t k, int64_t count, int64_t c,
                                 int64_t group)
{
    const int64_t whole = count / THIN_LANES * THIN_LANES;
    struct thin_block block = block_of(p, k, c);
    const int64_t next = THIN_FEW_COLUMNS / 2 * block.right_row;
    block.k = whole;
    block.columns = thin_least(THIN_FEW_COLUMNS, p->columns - c);
    block.ahead = next <= AHEAD ? next : AHEAD / 16;
    block.group = group, block.parameter_row = p->parameter_row;
    multiply(p, &block, &(struct begin){0, c, 0});
    if (whole == count)
        return;
    block.right = thin_part_right(p, k + whole, p->column + c);
    copy_to_panel(p, &block, block.columns, count - whole);
    block.k = THIN_LANES;
    multiply(p, &block, &(struct begin){whole, c, whole / group});
}

static void add_decoded_columns(struct thin_part *p, int64_t k, int64_t count, int64_t c,
                                int64_t group)
{
    struct thin_block block = block_of(p, k, c);
    block.columns = thin_least(THIN_FEW_COLUMNS, p->columns - c);
    for (int64_t i = 0; i < block.columns; i++) {
        if (p->field == 0 && c + THIN_FEW_COLUMNS + i < p->columns)
            fetch(thin_part_right(p, k, p->column + c + THIN_FEW_COLUMNS + i),
                  count * dtype_bytes(p->task->dot.rhs));
        thin_part_decode(p, i * p->parameter_row,
                         &(struct thin_run){.from = thin_part_right(p, k, p->column + c + i),
                                            .to = p->panel + i * PANEL_TERMS,
                                            .count = count,
                                            .rows = 1,
                                            .group = group});
    }
    block.right = p->panel;
    block.right_row = PANEL_TERMS * sizeof(float);
    block.k = thin_padded(count);
    set_field(p, &(struct begin){0, c, 0}, &block);
    block.zero = NULL, block.scale = ones;
    code_of_panel(p)->by_columns(&block);
}

/* Adds the products of terms [k, k + count) of a few columns, of all fields. */
static void add_columns(struct thin_part *p, int64_t k, int64_t count, int64_t c, int64_t group)
{
    const int64_t columns = thin_least(THIN_FEW_COLUMNS, p->columns - c);
    for (p->field = 0; p->field < p->task->fields; p->field += fields_of_pass(p)) {
        if (thin_part_set(p) == p->field)
            thin_part_load_groups(p, &(struct thin_terms){k, count, c, columns, group},
                                  sets_of_pass(p));
        if (p->task->is_direct)
            add_columns_directly(p, k, count, c, group);
        else
            add_decoded_columns(p, k, count, c, group);
    }
    p->field = 0;
}

/* Whole groups, if there are several at once; the terms of each have equal parameters. */
static void multiply_columns(struct thin_part *p)
{
    const int64_t size = p->task->dot.k, all = p->task->group,
                  group = thin_part_is_of_whole_units(all) ? all : 1;
    int64_t terms = p->task->is_direct ? p->task->terms : thin_least(PANEL_TERMS, p->task->terms);
    if (group == 1)
        terms = thin_least(terms, p->task->groups);
    else if (group < terms)
        terms -= terms % group;
    for (int64_t k = 0, count; k < size; k += count) {
        count = thin_least(terms, size - k);
        if (group > terms)
            count = thin_least(count, group - k % group);
        thin_part_load_fields(p, k, count);
        for (int64_t c = 0; c < p->columns; c += THIN_FEW_COLUMNS)
            add_columns(p, k, count, c, thin_least(group, terms));
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
        multiply_rows(p);
    else
        multiply_columns(p);
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
static float *partial_of(const struct thin_part *p, int64_t range, int64_t row)
{
    const struct dot_spec *s = &p->task->dot;
    return p->task->partial + (range * s->m + row) * s->n + p->column;
}

/* All rows, with sums that are 0. */
static void begin_range(struct thin_part *p)
{
    p->row = 0, p->rows = p->task->dot.m, p->field = 0;
    p->group[0] = -1;
    memset(p->sums, 0, sizeof *p->sums * (size_t)p->task->sums_size);
}

static void run_range(struct thin_part *p)
{
    begin_range(p);
    thin_integers_multiply(p);
    for (int64_t row = 0; row < p->rows; row++)
        memcpy(partial_of(p, p->range, row), p->sums + row * p->task->sums_row,
               sizeof *p->sums * (size_t)p->columns);
}

static void add_range(struct thin_part *p, int64_t range)
{
    for (int64_t row = 0; row < p->rows; row++) {
        const float *from = partial_of(p, range, row);
        float *to = p->sums + row * p->task->sums_row;
        for (int64_t c = 0; c < p->columns; c++)
            to[c] += from[c];
    }
}

/* Adds the sums of all ranges, in their order, and stores them. */
static void end_ranges(struct thin_part *p)
{
    begin_range(p);
    for (int64_t range = 0; range < p->task->ranges; range++)
        add_range(p, range);
    thin_integers_load_zero_sums(p);
    if (thin_factors_exist(p->task->factors))
        thin_factors_apply_to_sums(p);
    store(p);
}

/* ---- tasks ----------------------------------------------------------------------------------- */
/* Tasks of a batch, or range, follow each other. */
static void place(struct thin_part *p, int64_t number)
{
    const struct thin_task *task = p->task;
    const int64_t first = number / task->tasks;
    p->batch = task->integers ? 0 : first, p->range = task->integers ? first : 0;
    p->column = number % task->tasks * task->columns;
    p->columns = thin_least(task->columns, task->dot.n - p->column);
}

static void run_task(struct thin_part *p, int64_t number)
{
    const struct thin_task *task = p->task;
    place(p, number);
    if (task->integers) {
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

static struct error *run_integers(struct thin_task *task, int threads)
{
    void *partial;
    TRY(scratch_acquire(sizeof(float) * (size_t)(task->ranges * task->dot.m * task->dot.n),
                        &partial));
    task->partial = partial;
    run_all(task, threads);
    end_all(task);
    scratch_return(partial);
    return NULL;
}

static struct error *run_fastest(struct thin_task *task, int threads)
{
    TRY(thin_plan_fastest(task, threads));
    if (!task->integers) {
        run_all(task, threads);
        return NULL;
    }
    struct error *error = run_integers(task, threads);
    thin_integers_free(task->integers);
    return error;
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
                             .has_large_numbers = &has_large_numbers,
                             .table = spec->table ? table : NULL};
    TRY(run_fastest(&task, threads));
    if ((thin_part_counts_numbers(&task) || task.is_direct || thin_factors_exist(&factors) ||
         thin_dot_spec_has_integer_differences(spec)) &&
        atomic_load_explicit(&has_large_numbers, memory_order_relaxed))
        run_exactly(&task, spec, buffers, threads);
    return atomic_load(&task.error);
}
