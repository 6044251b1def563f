/* reduce_schedule.c: see reduce_schedule.h. */
#include "compiler/schedule/reduce_schedule.h"

#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/schedule/collapse.h"

enum {
    ROW_LEAST = 4, /* elements of a row that is worth a vector */
    SHORT = 8192,  /* elements that are reduced to one in a microsecond, however it is done */
    HIGH = 1000,   /* a weight that makes code short */
    LOOKED_UP_WEIGHT = 256 /* of the elements of a row together */
};

/* ---- loops ----------------------------------------------------------------------------------- */
/* Whether the loop over dimension `dim` of all inputs goes on in that over the next one. */
static bool all_collapse(const struct op *reduce, int dim)
{
    for (int i = 0; i < reduce->operand_count / 2; i++)
        if (!collapse_fits(reduce->operands[i], dim))
            return false;
    return true;
}

static bool reduces_units_only(const struct op *reduce)
{
    const struct shape *shape = &reduce->operands[0]->type->shape;
    for (int i = 0; i < shape->rank; i++)
        if (analysis_is_reduced(reduce, i) && shape->dims[i] != 1)
            return false;
    return true;
}

/* Merges adjacent reduced dimensions that are contiguous in memory into one loop, indexed by the
 * inner one. Dimensions of size 1 are omitted unless there are no others. */
static void add_loops(struct reduce_schedule *schedule, const struct op *reduce)
{
    const struct shape *shape = &reduce->operands[0]->type->shape;
    bool only_units = reduces_units_only(reduce);
    int before = -1;
    for (int i = 0; i < shape->rank; i++) {
        if (!analysis_is_reduced(reduce, i) || (shape->dims[i] == 1 && !only_units))
            continue;
        if (before == i - 1 && before >= 0 && all_collapse(reduce, before))
            schedule->axis[schedule->loops - 1].size *= shape->dims[i];
        else
            schedule->axis[schedule->loops++].size = shape->dims[i];
        schedule->axis[schedule->loops - 1].dim = i;
        before = i;
    }
}

/* Removes loops with a trip count of 1. The innermost loop that remains is vectorized. */
static void drop_units(struct reduce_schedule *schedule)
{
    int kept = 0;
    for (int i = 0; i < schedule->loops; i++)
        if (schedule->axis[i].size != 1 || schedule->loops == 1)
            schedule->axis[kept++] = schedule->axis[i];
    schedule->loops = kept;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */
static int region_weight(const struct op *reduce)
{
    int weight = 0;
    for (const struct op *op = reduce->regions[0]->first; op->next; op = op->next)
        weight++;
    return weight;
}

/* Compiling a short reduction takes much longer than running it, so its code is that of a heavy
 * one, which has fewer instructions. */
static bool is_short(const struct op *reduce)
{
    return type_elements(reduce->results[0].type) == 1 &&
           type_elements(reduce->operands[0]->type) <= SHORT;
}

/* ---- ways ------------------------------------------------------------------------------------ */
/* Whether short rows of what is looked up are in the lanes of one register, with so few operations
 * that there is code for each position in them: the strided loads of all positions share what they
 * are shuffled from. */
static bool is_looked_up_row(const struct target *target, const struct op *reduce,
                             const struct reduce_place *place,
                             const struct reduce_schedule *schedule)
{
    int64_t size = schedule->innermost;
    return !place->is_tail && !place->is_nested && schedule->loops == 1 &&
           reduce->operand_count == 2 && place->lanes > 1 &&
           place->lanes * 4 <= target->isa.vector_bytes && size > 1 &&
           size <= NEST_SCHEDULE_STRIDE_MOST && schedule->weight * size <= LOOKED_UP_WEIGHT &&
           analysis_reduces_innermost(reduce) && analysis_looks_up(&reduce->results[0]);
}

static enum reduce_way way_of(const struct target *target, const struct op *reduce,
                              const struct reduce_place *place,
                              const struct reduce_schedule *schedule)
{
    if (place->lanes == 1 && schedule->innermost >= ROW_LEAST && analysis_reduces_innermost(reduce))
        return REDUCE_ROW;
    if (schedule->loops == 1 && place->side_by_side)
        return REDUCE_SIDE_BY_SIDE;
    if (place->lanes > 1 && schedule->loops == 1 && analysis_lane_row(reduce))
        return REDUCE_TREE;
    if (place->unrolls_rows || is_looked_up_row(target, reduce, place, schedule))
        return REDUCE_UNROLLED;
    return REDUCE_LANES;
}

struct reduce_schedule reduce_schedule(const struct target *target, const struct op *reduce,
                                       const struct reduce_place *place)
{
    struct reduce_schedule schedule = {.weight = region_weight(reduce)};
    schedule.combine_weight = is_short(reduce) ? HIGH : schedule.weight;
    for (int i = 0; i < reduce->operand_count / 2; i++)
        schedule.weight += arithmetic_weight(reduce->operands[i]);
    add_loops(&schedule, reduce);
    drop_units(&schedule);
    schedule.innermost = schedule.loops ? schedule.axis[schedule.loops - 1].size : 1;
    schedule.way = way_of(target, reduce, place, &schedule);
    return schedule;
}
