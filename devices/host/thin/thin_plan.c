/* thin_plan.c: see thin_plan.h. */
#include "devices/host/thin/thin_plan.h"

#include "devices/host/thin/thin_factors.h"
#include "devices/host/thin/thin_integers.h"
#include "devices/host/thin/thin_panel.h"
#include "devices/host/thin/thin_words.h"

enum {
    LEAST_COLUMNS = 64,   /* adjacent numbers that memory delivers quickly */
    TASKS_PER_THREAD = 2, /* of a batch, if its columns allow it */
    LEAST_TERMS = 256,    /* of a range: its sums are written and read again, */
    LEAST_NUMBERS = 128 << 10,
    RANGE_SUMS = 16 << 10 /* of a task of a range: half of a second cache */
};

/* ---- ranges ---------------------------------------------------------------------------------- */
/* Whether tasks are ranges of k: what a core reads is then adjacent in memory. */
static bool has_ranges(const struct thin_task *task)
{
    if (task->uses_integers)
        return true;
    return task->is_direct && task->has_adjacent_columns && task->fields == 1 && task->rows == 1 &&
           task->dot.batch == 1 && !(task->factors && task->factors->left_zero.parameter.dtype);
}

static int64_t ranges_of(const struct thin_task *task)
{
    const int64_t k = task->dot.k,
                  most = thin_least(k / LEAST_TERMS, k * task->dot.n / LEAST_NUMBERS);
    if (!has_ranges(task) || most < 1)
        return 1;
    return thin_least(most, task->most_ranges);
}

/* ---- columns --------------------------------------------------------------------------------- */
/* The most columns of a task: of whole vectors, as sums are. */
static int64_t most_columns(const struct thin_task *task)
{
    if (task->is_panel)
        return thin_panel_columns(task);
    if (task->uses_integers)
        return thin_integers_columns(task->spec);
    const int64_t sums = task->ranges > 1 ? RANGE_SUMS : THIN_SUMS,
                  most = task->ranges > 1 ? sums : THIN_COLUMNS,
                  vectors = sums / task->rows / THIN_LANES;
    return thin_least(most, vectors * THIN_LANES) / thin_part_outs(task) / THIN_LANES * THIN_LANES;
}

/* So that there are TASKS_PER_THREAD, but none of few bytes, or of more columns than a part has. */
static int64_t columns_of_task(const struct thin_task *task, int threads)
{
    const int64_t wanted = (int64_t)TASKS_PER_THREAD * threads,
                  tasks = (wanted + task->ranges - 1) / task->ranges,
                  least = task->uses_integers ? THIN_INTEGER_COLUMNS : LEAST_COLUMNS,
                  columns = (task->dot.n / tasks + least - 1) / least * least;
    return thin_least(columns < least ? least : columns,
                      thin_least(most_columns(task), task->parameters / least * least));
}

/* ---- code and memory ------------------------------------------------------------------------- */
/* Numbers are decoded in registers if there are functions for it, and there are no offsets, or
 * scales without which sums of the numbers may be infinite or 0. */
static void choose_code(struct thin_task *task)
{
    const struct thin_code(*codes)[DTYPE_COUNT] = task->set->codes;
    const enum dtype dtype = task->spec->dot.rhs;
    const enum thin_field field = thin_part_kind(task);
    const struct thin_code *code = task->table ? &task->set->tables[field] : &codes[field][dtype];
    task->is_direct =
        code->by_rows && !task->spec->offset.dtype &&
        (!task->spec->scale.dtype || thin_factors_has_small_numbers(task->spec, task->table)) &&
        (task->has_adjacent_columns || thin_part_is_of_whole_units(task->group));
    task->is_pair = task->is_direct && !task->table && task->fields > 1 && field == THIN_LOW &&
                    task->rows == 1 && codes[THIN_PAIR][dtype].by_rows;
}

/* Rows that are registers, or a block of panels. */
static void plan_memory(struct thin_task *task)
{
    task->partial_row = task->uses_integers || task->ranges > 1 ? thin_padded(task->dot.n) : 0;
    if (task->is_panel) {
        thin_panel_plan(task);
        return;
    }
    const int64_t left = THIN_LEFT / (task->rows * thin_part_left_fields(task));
    task->left_row = left < THIN_LEAST_LEFT ? THIN_LEAST_LEFT : left;
    task->left_size = task->rows * task->left_row;
    task->sums_row = task->partial_row ? task->partial_row : thin_padded(task->columns);
    task->sums_column = 1;
    task->sums_size = task->rows * task->sums_row;
    task->terms = (task->left_row - THIN_DEPTH) / THIN_DEPTH * THIN_DEPTH;
}

static int64_t rows_of(int64_t m)
{
    return m == 1 ? 1 : (m + 1) / 2 * 2;
}

/* ---- plans ----------------------------------------------------------------------------------- */
/* What multiplies numbers, and whether several of them are an element. */
static void choose_way(struct thin_task *task, enum thin_way way)
{
    const struct thin_dot_spec *spec = task->spec;
    task->integers = NULL;
    task->uses_integers = way == THIN_INTEGERS;
    task->is_words = way == THIN_FAST && thin_words_is_supported(spec, task->set);
    task->is_integer = way == THIN_EXACT && thin_dot_spec_has_integer_differences(spec);
    const bool counts_numbers = thin_part_counts_numbers(task);
    task->dot = counts_numbers ? spec->dot : thin_dot_spec_in_memory(spec);
    task->has_adjacent_columns = task->dot.rhs_n_stride == 1 || task->dot.n == 1;
    task->fields = spec->packing.count && !counts_numbers ? (int)spec->packing.count : 1;
    task->product = tile_product();
    task->is_panel = !counts_numbers && thin_panel_is_faster(task);
}

void thin_plan(struct thin_task *task, enum thin_way way, int threads)
{
    choose_way(task, way);
    task->rows = rows_of(task->dot.m);
    task->shares_parameters = thin_part_counts_numbers(task) || thin_part_shares_parameters(task);
    task->parameters = THIN_PARAMETERS / (task->shares_parameters ? 1 : task->fields);
    task->groups = task->parameters / THIN_FEW_COLUMNS - 2 * THIN_LANES;
    task->group = thin_part_group(task);
    task->is_direct = task->is_pair = false;
    if (way == THIN_FAST && !task->is_words && !task->is_panel)
        choose_code(task);
    task->ranges = ranges_of(task);
    task->columns = columns_of_task(task, threads);
    plan_memory(task);
    task->tasks = (task->dot.n + task->columns - 1) / task->columns;
}

struct error *thin_plan_fastest(struct thin_task *task, int threads)
{
    if (thin_integers_is_supported(task->spec)) {
        thin_plan(task, THIN_INTEGERS, threads);
        TRY(thin_integers_make(task, &task->integers));
        if (task->integers)
            return NULL;
    }
    thin_plan(task, THIN_FAST, threads);
    return NULL;
}
