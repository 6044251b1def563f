/* schedule.c: see nest_schedule.h. */
#include "compiler/schedule/nest_schedule.h"

#include "compiler/schedule/analysis.h"
#include "compiler/schedule/collapse.h"
#include "compiler/schedule/interleave.h"
#include "compiler/schedule/lanes.h"
#include "compiler/schedule/moves.h"
#include "compiler/schedule/tile_plan.h"

enum {
    CHUNK_ELEMENTS = 4096, /* elements of a work item that is part of one long row */
    FEW_ROWS = 64,         /* with fewer rows, split rows so that there is work for all threads */
    ITEM_VECTORS = 8,      /* of a row from which it is a work item */
    APART_MIN = 16,        /* visits that are apart, between those that may not be */
    APART_CHUNK = 256,     /* of them whose memory stays in the cache */
    TILE_BYTES = 128       /* of a row of a tile at most */
};

const struct type *nest_schedule_target_of(const struct nest *nest, int root)
{
    return nest->into ? nest->into[root] : NULL;
}

/* Whether all roots have the size of what they are stored into along a dimension. */
static bool has_whole_dim(const struct nest *nest, int dim)
{
    for (int i = 0; i < nest->count; i++) {
        const struct type *into = nest_schedule_target_of(nest, i);
        int before = into ? into->shape.rank - nest->shape->shape.rank : 0;
        if (into && into->shape.dims[before + dim] != nest->shape->shape.dims[dim])
            return false;
    }
    return true;
}

bool nest_schedule_is_dense_from(const struct nest *nest, int dim)
{
    for (; dim < nest->shape->shape.rank; dim++)
        if (!has_whole_dim(nest, dim))
            return false;
    return true;
}

static bool all_collapse(const struct nest *nest, int dim)
{
    if (nest->visited || !has_whole_dim(nest, dim + 1))
        return false;
    for (int i = 0; i < nest->count; i++)
        if (!collapse_fits(nest->roots[i], dim))
            return false;
    return true;
}

/* Lists the dimensions larger than 1; collapses adjacent ones where possible. */
static void plan_axes(struct nest *nest)
{
    struct schedule *schedule = &nest->schedule;
    const struct type *shape = nest->shape;
    int before = -2;
    for (int i = 0; i < shape->shape.rank; i++) {
        if (shape->shape.dims[i] == 1)
            continue;
        bool is_apart = nest->by_rows && i == shape->shape.rank - 1;
        if (before == i - 1 && !is_apart && all_collapse(nest, before)) {
            schedule->axis[schedule->axes - 1].size *= shape->shape.dims[i];
            schedule->axis[schedule->axes - 1].dim = i;
        } else {
            schedule->axis[schedule->axes].dim = i;
            schedule->axis[schedule->axes++].size = shape->shape.dims[i];
        }
        before = i;
    }
}

/* The first axis inside of work items: several short rows make an item, so that the row's number is
 * not divided into an index for every few vectors, if enough items remain for all threads. */
static int outer_of_short_rows(const struct schedule *schedule, int64_t vectors)
{
    int last = schedule->axes - 1, outer = last;
    int64_t items = 1, inside = vectors + 1;
    for (int i = 0; i < last; i++)
        items *= schedule->axis[i].size;
    while (outer > 0 && inside < ITEM_VECTORS &&
           items / schedule->axis[outer - 1].size >= FEW_ROWS) {
        outer--;
        inside *= schedule->axis[outer].size;
        items /= schedule->axis[outer].size;
    }
    return outer;
}

int64_t nest_schedule_steps_of_row(const struct schedule *schedule)
{
    int64_t size = schedule->axis[schedule->axes - 1].size;
    return (size + (schedule->overlaps ? schedule->step - 1 : 0)) / schedule->step;
}

/* Whole vectors; of a periodic nest, the fewest rows that fill some. */
static int step_of(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    int step = schedule->lanes, many = schedule->interleave;
    if (schedule->tile < 0 && !schedule->has_loop && !nest->by_rows)
        step *= lanes_vectors_of_step(nest);
    while (schedule->periodic && schedule->tile < 0 && step % 2 == 0 && many % 2 == 0) {
        step /= 2;
        many /= 2;
    }
    return step;
}

/* Inner loops that do not depend on the lanes run once per work item, so work items are split only
 * along axes that the loops depend on. */
static void plan_items(const struct target *target, struct nest *nest, bool loop_on_lanes)
{
    struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    schedule->reduces = loop_on_lanes;
    int64_t vectors = nest_schedule_steps_of_row(schedule);
    schedule->outer = last;
    if (schedule->has_loop && !loop_on_lanes)
        while (schedule->outer > 0 &&
               !lanes_any_root(nest, schedule->outer - 1, analysis_meets_loop))
            schedule->outer--;
    if (!schedule->has_loop)
        schedule->outer = outer_of_short_rows(schedule, vectors);
    for (int i = 0; i < schedule->outer; i++)
        schedule->work *= schedule->axis[i].size;
    schedule->chunk = vectors ? vectors : 1;
    if (loop_on_lanes)
        schedule->chunk = lanes_reduced_together(target, nest, vectors);
    else if (!schedule->has_loop && schedule->work < FEW_ROWS &&
             schedule->axis[last].size > 2 * CHUNK_ELEMENTS)
        schedule->chunk = CHUNK_ELEMENTS / schedule->step;
    if (vectors > schedule->chunk)
        schedule->work *= (vectors + schedule->chunk - 1) / schedule->chunk;
}

/* Whether visits along the last axis but one are apart, and those along the last often not. */
static bool should_swap(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    return nest->few_apart && last > 0 && schedule->lanes == 1 && schedule->interleave == 1 &&
           schedule->axis[last].dim >= nest->apart && schedule->axis[last - 1].dim < nest->apart &&
           schedule->axis[last - 1].size >= APART_MIN;
}

static void swap_axes(struct schedule *schedule, int a, int b)
{
    int dim = schedule->axis[a].dim;
    int64_t size = schedule->axis[a].size;
    schedule->axis[a].dim = schedule->axis[b].dim, schedule->axis[a].size = schedule->axis[b].size;
    schedule->axis[b].dim = dim, schedule->axis[b].size = size;
}

/* How many of `visits` that are apart an item makes, so that there are items for all threads. */
static int64_t chunk_of_apart(const struct target *target, int64_t visits)
{
    int64_t chunk = visits / (4 * (int64_t)target->cores);
    return chunk < APART_MIN ? APART_MIN : chunk > APART_CHUNK ? APART_CHUNK : chunk;
}

/* The axes that items divide where visits are made in order. */
static void plan_in_order(const struct target *target, struct nest *nest)
{
    struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    bool swaps = should_swap(nest);
    if (swaps)
        swap_axes(schedule, last - 1, last);
    int64_t vectors = nest_schedule_steps_of_row(schedule);
    for (schedule->outer = 0;
         schedule->outer < last && schedule->axis[schedule->outer].dim < nest->apart;)
        schedule->work *= schedule->axis[schedule->outer++].size;
    schedule->chunk = vectors ? vectors : 1;
    if (swaps) {
        schedule->chunk = chunk_of_apart(target, vectors);
        schedule->work *= (vectors + schedule->chunk - 1) / schedule->chunk;
    }
}

/* One item for each row. */
static void plan_rows(struct schedule *schedule)
{
    int last = schedule->axes - 1;
    int64_t vectors = schedule->axis[last].size / schedule->lanes;
    schedule->outer = last;
    for (int i = 0; i < last; i++)
        schedule->work *= schedule->axis[i].size;
    schedule->chunk = vectors ? vectors : 1;
}

static bool any_has_loop(const struct nest *nest)
{
    for (int i = 0; i < nest->count; i++)
        if (analysis_has_loop(nest->roots[i]))
            return true;
    return false;
}

static bool is_moved(const struct nest *nest)
{
    for (int i = 0; i < nest->count; i++)
        if (!moves_bits(nest->roots[i]))
            return false;
    return !nest->visited && !nest->by_rows;
}

/* Squares of complex numbers of 128 bits, which are a load each, are two cache lines wide. */
static int lanes_of_tiles(const struct nest *nest)
{
    int64_t bytes = dtype_bytes(nest->roots[0]->type->shape.dtype);
    return bytes * nest->schedule.lanes > TILE_BYTES ? TILE_BYTES / (int)bytes
                                                     : nest->schedule.lanes;
}

/* The lanes, and what one iteration of the loop over them stores. */
static void plan_lanes(const struct target *target, struct nest *nest, bool loop_on_lanes)
{
    struct schedule *schedule = &nest->schedule;
    schedule->lanes = lanes_choose(target, nest, loop_on_lanes);
    schedule->tile =
        schedule->has_loop || nest->by_rows || schedule->reduces_inner ? -1 : tile_plan_axis(nest);
    if (schedule->tile >= 0)
        schedule->lanes = lanes_of_tiles(nest);
    else if (!loop_on_lanes)
        schedule->lanes = lanes_of_halves(nest);
    schedule->step = step_of(nest);
}

void nest_schedule_choose(const struct target *target, struct nest *nest)
{
    struct schedule *schedule = &nest->schedule;
    *schedule = (struct schedule){
        .lanes = 1, .step = 1, .interleave = 1, .tile = -1, .chunk = 1, .work = 1};
    schedule->has_loop = any_has_loop(nest);
    schedule->bits = !schedule->has_loop && is_moved(nest);
    plan_axes(nest);
    if (!schedule->has_loop && !nest->by_rows)
        interleave_plan(target, nest);
    else if (!nest->by_rows && !nest->visited)
        interleave_plan_rows(nest);
    if (!type_elements(nest->shape))
        schedule->work = 0;
    if (!schedule->axes || !schedule->work)
        return;
    bool loop_on_lanes =
        schedule->has_loop && lanes_any_root(nest, schedule->axes - 1, analysis_meets_loop);
    plan_lanes(target, nest, loop_on_lanes);
    if (nest->by_rows)
        plan_rows(schedule);
    else if (nest->in_order)
        plan_in_order(target, nest);
    else if (schedule->tile >= 0)
        tile_plan(nest);
    else
        plan_items(target, nest, loop_on_lanes);
}

enum axis_kind nest_schedule_axis_kind(const struct schedule *schedule, int axis)
{
    if (axis >= schedule->axes)
        return AXIS_UNROLL;
    if (axis == schedule->tile)
        return AXIS_TILE;
    if (axis == schedule->axes - 1)
        return AXIS_LANE;
    return axis < schedule->outer ? AXIS_GRID : AXIS_LOOP;
}
