/* interleave.c: see interleave.h. Each element of a row is code of its own, so long rows, and those
 * of much arithmetic, take long to compile. */
#include "compiler/schedule/interleave.h"

#include "compiler/schedule/short_row.h"
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/schedule/cost.h"
#include "compiler/schedule/periodic_shuffle.h"
#include "compiler/schedule/odd_vector.h"

enum {
    LIGHT_MIN =
        9, /* rows of so many only with operations of few instructions are worth their code */
    TURN_MOST = 3, /* adjacent elements of an operand that takes turns with others */
    /* Of a periodic nest: elements of the innermost dimension, unless they are moved; and vectors
     * that whole rows fill, fewer with much arithmetic. */
    PERIOD_ALONE_MOST = 6,
    PERIOD_VECTORS = 9,
    PERIOD_VECTORS_HEAVY = 3,
    /* Of rows that are reduced: their elements, also with functions like exp; how many rows fill
     * the lanes, and are worth the code, also for each operation of it, which takes some 30 us to
     * compile to save a nanosecond a row; and the operations for all elements of a row. */
    REDUCED_MOST = 4,
    REDUCED_MOST_HEAVY = 5,
    REDUCED_LANES = 64,
    REDUCED_ROWS = 512,
    REDUCED_ROWS_OF_CODE = 32,
    REDUCED_CODE = 300,
    SQUARE_MIN = 8 /* of both dimensions: they are transposed in tiles */
};

/* The most elements of a row of a periodic nest: a vector's are in few vectors of an operand. */
#define PERIOD_MOST(lanes) ((int64_t)4 * (lanes))

/* Short rows of a nest. */
struct short_rows {
    int count;    /* of innermost axes that they have */
    int64_t many; /* the product of their sizes */
    bool periodic, moves, turns, heavy, light;
};

/* Whether `count` innermost axes have few elements, at most `most`, inside of one with enough rows
 * for lanes, which follow one another in memory. */
static bool are_short(const struct nest *nest, int64_t most, struct short_rows *rows)
{
    const struct schedule *schedule = &nest->schedule;
    int around = schedule->axes - 1 - rows->count;
    rows->many = 1;
    for (int i = schedule->axes - 1; i > around && rows->many <= most; i--)
        rows->many *= schedule->axis[i].size;
    return rows->many <= most && schedule->axis[around].size >= SHORT_ROW_ROWS &&
           nest_schedule_is_dense_from(nest, schedule->axis[around].dim + 1);
}

/* Whether operands of a concatenation take turns within a row: which of them an element is of is
 * known if the row's elements are code of their own. */
static bool alternates(const struct schedule *schedule, const struct value *root, int count)
{
    int64_t run = 1;
    for (int i = schedule->axes - 1; i >= schedule->axes - count && run <= TURN_MOST; i--) {
        if (analysis_alternates(root, schedule->axis[i].dim))
            return true;
        run *= schedule->axis[i].size;
    }
    return false;
}

/* Whether the elements of a row need so much arithmetic that all lanes should have some. Where a
 * gather finds a row is computed once for the row if lanes are along it. */
static bool is_heavy(const struct value *root, int innermost)
{
    return arithmetic_weight(root) >= SHORT_ROW_WORK && !analysis_gathers_along(root, innermost);
}

/* Sets what the roots compute for the elements of rows. False if they are not real numbers. */
static bool inspect(const struct nest *nest, struct short_rows *rows)
{
    const struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    rows->periodic = rows->light = true;
    for (int i = 0; i < nest->count; i++) {
        const struct value *root = nest->roots[i];
        if (dtype_is_complex(root->type->shape.dtype) && !schedule->bits)
            return false;
        rows->periodic =
            rows->periodic && periodic_shuffle_fits(root, &schedule->axis[last - rows->count],
                                                    rows->count + 1, &rows->moves);
        rows->turns |= alternates(schedule, root, rows->count);
        rows->heavy |= is_heavy(root, schedule->axis[last].dim);
        rows->light = rows->light && arithmetic_is_light(root);
    }
    return true;
}

/* Whether few vectors store whole rows, which is little code, and the elements of each are within
 * few vectors of the operands. */
static bool fills_vectors(const struct short_rows *rows, int64_t innermost, int lanes)
{
    int64_t vectors = rows->many, most = rows->light ? PERIOD_VECTORS : PERIOD_VECTORS_HEAVY;
    for (int64_t step = lanes; vectors % 2 == 0 && step > 1; step /= 2)
        vectors /= 2;
    return vectors <= most && (rows->many % lanes == 0 || rows->many <= PERIOD_MOST(lanes) / 2) &&
           (innermost <= PERIOD_ALONE_MOST || (rows->moves && innermost < lanes)) &&
           (innermost < SQUARE_MIN || rows->many / innermost < SQUARE_MIN);
}

static bool should_interleave(const struct short_rows *rows, int64_t innermost)
{
    bool narrow = innermost <= SHORT_ROW_MOST;
    if (rows->many < LIGHT_MIN)
        return (narrow && rows->count == 1) || rows->periodic || rows->turns || rows->heavy;
    return rows->many <= NEST_SCHEDULE_INTERLEAVED_MOST && narrow && rows->light &&
           (rows->periodic || rows->turns);
}

static void interleave(struct schedule *schedule, const struct short_rows *rows)
{
    schedule->interleave = (int)rows->many;
    schedule->inner = rows->count;
    schedule->periodic = rows->periodic;
    schedule->axes -= rows->count;
}

void interleave_plan(const struct target *target, struct nest *nest)
{
    struct schedule *schedule = &nest->schedule;
    struct short_rows first = {.count = 0};
    int lanes = target->isa.vector_bytes / 4;
    for (int count = 1; count < schedule->axes && !nest->visited; count++) {
        struct short_rows rows = {.count = count};
        int64_t innermost = schedule->axis[schedule->axes - 1].size;
        if (!are_short(nest, PERIOD_MOST(lanes), &rows))
            continue;
        if (!inspect(nest, &rows))
            break;
        if (rows.periodic && fills_vectors(&rows, innermost, lanes)) {
            interleave(schedule, &rows);
            return;
        }
        first = first.count ? first : rows;
    }
    schedule->odd_vector = odd_vector_fits(nest);
    if (!schedule->odd_vector && first.count &&
        should_interleave(&first, schedule->axis[schedule->axes - 1].size))
        interleave(schedule, &first);
}

/* ---- rows that are reduced ------------------------------------------------------------------- */
/* Whether an operation of a fusion that reduces rows of `size` elements may be in a nest whose
 * lanes have a row each. */
static bool fits_lane(const struct op *op, int64_t size)
{
    const struct type *type = op->results[0].type;
    if (dtype_is_complex(type->shape.dtype))
        return false;
    if (op->code == OP_reduce)
        return analysis_reduces_innermost(op) && op->operand_count == 2 &&
               type_elements(op->operands[0]->type) == type_elements(type) * size;
    return (op_info(op->code)->traits & OP_ELEMENTWISE) || op->code == OP_broadcast_in_dim ||
           op->code == OP_reshape || op->code == OP_constant || op->code == OP_iota;
}

/* Whether the loops of the root's fusion reduce what is a row along `dim`, and their results are
 * the same along it. Adds the operations for an element. */
static bool reduces_only_rows(const struct value *root, int dim, int64_t size, double *code)
{
    const struct op *def = root->def;
    if (!def || analysis_meets_loop(root, dim))
        return false;
    *code = 0;
    for (const struct op *op = def->block->first; op != def->block->last; op = op->next) {
        if (!fits_lane(op, size))
            return false;
        *code += cost_of_element(op);
    }
    return true;
}

/* Whether so much is computed for an element that a vector of one row would wait for it. */
static bool is_any_heavy(const struct nest *nest)
{
    for (int i = 0; i < nest->count; i++)
        if (!arithmetic_is_light(nest->roots[i]))
            return true;
    return false;
}

/* Whether so many rows are worth the code of one, `code` operations. */
static bool is_worth_code(int64_t rows, double code)
{
    return rows >= REDUCED_ROWS && (double)rows >= code * REDUCED_ROWS_OF_CODE &&
           code <= REDUCED_CODE;
}

void interleave_plan_rows(struct nest *nest)
{
    struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    int64_t size = last < 1 ? 0 : schedule->axis[last].size;
    double code = 0;
    if (size < 2 || size > (is_any_heavy(nest) ? REDUCED_MOST_HEAVY : REDUCED_MOST) ||
        schedule->axis[last - 1].size < REDUCED_LANES ||
        !nest_schedule_is_dense_from(nest, schedule->axis[last - 1].dim + 1))
        return;
    for (int i = 0; i < nest->count; i++)
        if (!reduces_only_rows(nest->roots[i], schedule->axis[last].dim, size, &code))
            return;
    if (!is_worth_code(type_elements(nest->shape) / size, code * (double)size))
        return;
    struct short_rows rows = {.count = 1, .many = size};
    interleave(schedule, &rows);
    schedule->reduces_inner = true;
    schedule->has_loop = false;
}

/* ---- kernels that are planned ---------------------------------------------------------------- */
/* The dimension around the innermost one; -1: there is none. */
static int around(const struct shape *shape, int last)
{
    int dim = last - 1;
    while (dim >= 0 && shape->dims[dim] == 1)
        dim--;
    return dim;
}

bool interleave_expects(const struct type *root, bool special)
{
    const struct shape *shape = &root->shape;
    int last = type_innermost(root), rows = around(shape, last);
    return rows >= 0 && !dtype_is_complex(shape->dtype) && shape->dims[rows] >= SHORT_ROW_ROWS &&
           shape->dims[last] <= (special ? LIGHT_MIN - 1 : SHORT_ROW_MOST);
}

bool interleave_expects_reduced(const struct type *root, double code)
{
    const struct shape *shape = &root->shape;
    int last = type_innermost(root), rows = around(shape, last);
    int64_t size = rows < 0 ? 0 : shape->dims[last];
    return rows >= 0 && size <= REDUCED_MOST && shape->dims[rows] >= REDUCED_LANES &&
           is_worth_code(type_elements(root) / size, code * (double)size);
}
