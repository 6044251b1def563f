/* loops_plan.c: divides a nest into loops and work items. */
#include "compiler/codegen/loops/analysis.h"
#include "compiler/codegen/loops/collapse.h"
#include "compiler/codegen/loops/interleave.h"
#include "compiler/codegen/loops/lanes.h"
#include "compiler/codegen/loops/loops.h"
#include "compiler/codegen/loops/moves.h"
#include "compiler/codegen/loops/tile_plan.h"

enum {
    CHUNK_ELEMENTS = 4096, /* elements of a work item that is part of one long row */
    FEW_ROWS = 64,         /* with fewer rows, split rows so that there is work for all threads */
    ITEM_VECTORS = 8,      /* of a row from which it is a work item */
    APART_MIN = 16,        /* visits that are apart, between those that may not be */
    APART_CHUNK = 256,     /* of them whose memory stays in the cache */
    TILE_BYTES = 128       /* of a row of a tile at most */
};

const struct type *loops_target_of(const struct nest *nest, int root)
{
    return nest->places ? nest->places[root].into : NULL;
}

/* Whether all roots have the size of what they are stored into along a dimension. */
static bool has_whole_dim(const struct nest *nest, int dim)
{
    for (int i = 0; i < nest->count; i++) {
        const struct type *into = loops_target_of(nest, i);
        int before = into ? into->shape.rank - nest->shape->shape.rank : 0;
        if (into && into->shape.dims[before + dim] != nest->shape->shape.dims[dim])
            return false;
    }
    return true;
}

bool loops_is_dense_from(const struct nest *nest, int dim)
{
    for (; dim < nest->shape->shape.rank; dim++)
        if (!has_whole_dim(nest, dim))
            return false;
    return true;
}

static bool all_collapse(const struct nest *nest, int dim)
{
    if (nest->visit || !has_whole_dim(nest, dim + 1))
        return false;
    for (int i = 0; i < nest->count; i++)
        if (!collapse_fits(nest->roots[i], dim))
            return false;
    return true;
}

/* Lists the dimensions larger than 1; collapses adjacent ones where possible. */
static void plan_axes(struct nest *nest)
{
    struct nest_plan *plan = &nest->plan;
    const struct type *shape = nest->shape;
    int before = -2;
    for (int i = 0; i < shape->shape.rank; i++) {
        if (shape->shape.dims[i] == 1)
            continue;
        bool is_apart = nest->by_rows && i == shape->shape.rank - 1;
        if (before == i - 1 && !is_apart && all_collapse(nest, before)) {
            plan->axis_size[plan->axes - 1] *= shape->shape.dims[i];
            plan->axis_dim[plan->axes - 1] = i;
        } else {
            plan->axis_dim[plan->axes] = i;
            plan->axis_size[plan->axes++] = shape->shape.dims[i];
        }
        before = i;
    }
}

/* The first axis inside of work items: several short rows make an item, so that the row's number is
 * not divided into an index for every few vectors, if enough items remain for all threads. */
static int outer_of_short_rows(const struct nest_plan *plan, int64_t vectors)
{
    int last = plan->axes - 1, outer = last;
    int64_t items = 1, inside = vectors + 1;
    for (int i = 0; i < last; i++)
        items *= plan->axis_size[i];
    while (outer > 0 && inside < ITEM_VECTORS && items / plan->axis_size[outer - 1] >= FEW_ROWS) {
        outer--;
        inside *= plan->axis_size[outer];
        items /= plan->axis_size[outer];
    }
    return outer;
}

int64_t loops_steps_of_row(const struct nest_plan *plan)
{
    int64_t size = plan->axis_size[plan->axes - 1];
    return (size + (plan->overlaps ? plan->step - 1 : 0)) / plan->step;
}

/* Whole vectors; of a periodic nest, the fewest rows that fill some. */
static int step_of(const struct nest *nest)
{
    const struct nest_plan *plan = &nest->plan;
    int step = plan->lanes, many = plan->interleave;
    if (plan->tile < 0 && !plan->has_loop && !nest->by_rows)
        step *= lanes_vectors_of_step(nest);
    while (plan->periodic && plan->tile < 0 && step % 2 == 0 && many % 2 == 0) {
        step /= 2;
        many /= 2;
    }
    return step;
}

/* Inner loops that do not depend on the lanes run once per work item, so work items are split only
 * along axes that the loops depend on. */
static void plan_items(const struct target *target, struct nest *nest, bool loop_on_lanes)
{
    struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    plan->reduces = loop_on_lanes;
    plan->overlaps = loop_on_lanes && lanes_overlap(target, nest);
    int64_t vectors = loops_steps_of_row(plan);
    plan->outer = last;
    if (plan->has_loop && !loop_on_lanes)
        while (plan->outer > 0 && !lanes_any_root(nest, plan->outer - 1, analysis_meets_loop))
            plan->outer--;
    if (!plan->has_loop)
        plan->outer = outer_of_short_rows(plan, vectors);
    for (int i = 0; i < plan->outer; i++)
        plan->work *= plan->axis_size[i];
    plan->chunk = vectors ? vectors : 1;
    if (loop_on_lanes)
        plan->chunk = lanes_reduced_together(target, nest, vectors);
    else if (!plan->has_loop && plan->work < FEW_ROWS && plan->axis_size[last] > 2 * CHUNK_ELEMENTS)
        plan->chunk = CHUNK_ELEMENTS / plan->step;
    if (vectors > plan->chunk)
        plan->work *= (vectors + plan->chunk - 1) / plan->chunk;
}

/* Whether visits along the last axis but one are apart, and those along the last often not. */
static bool should_swap(const struct nest *nest)
{
    const struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    return nest->few_apart && last > 0 && plan->lanes == 1 && plan->interleave == 1 &&
           plan->axis_dim[last] >= nest->apart && plan->axis_dim[last - 1] < nest->apart &&
           plan->axis_size[last - 1] >= APART_MIN;
}

static void swap_axes(struct nest_plan *plan, int a, int b)
{
    int dim = plan->axis_dim[a];
    int64_t size = plan->axis_size[a];
    plan->axis_dim[a] = plan->axis_dim[b], plan->axis_size[a] = plan->axis_size[b];
    plan->axis_dim[b] = dim, plan->axis_size[b] = size;
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
    struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    bool swaps = should_swap(nest);
    if (swaps)
        swap_axes(plan, last - 1, last);
    int64_t vectors = loops_steps_of_row(plan);
    for (plan->outer = 0; plan->outer < last && plan->axis_dim[plan->outer] < nest->apart;)
        plan->work *= plan->axis_size[plan->outer++];
    plan->chunk = vectors ? vectors : 1;
    if (swaps) {
        plan->chunk = chunk_of_apart(target, vectors);
        plan->work *= (vectors + plan->chunk - 1) / plan->chunk;
    }
}

/* One item for each row. */
static void plan_rows(struct nest_plan *plan)
{
    int last = plan->axes - 1;
    int64_t vectors = plan->axis_size[last] / plan->lanes;
    plan->outer = last;
    for (int i = 0; i < last; i++)
        plan->work *= plan->axis_size[i];
    plan->chunk = vectors ? vectors : 1;
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
    return !nest->visit && !nest->by_rows;
}

/* Squares of complex numbers of 128 bits, which are a load each, are two cache lines wide. */
static int lanes_of_tiles(const struct nest *nest)
{
    int64_t bytes = dtype_bytes(nest->roots[0]->type->shape.dtype);
    return bytes * nest->plan.lanes > TILE_BYTES ? TILE_BYTES / (int)bytes : nest->plan.lanes;
}

/* The lanes, and what one iteration of the loop over them stores. */
static void plan_lanes(const struct target *target, struct nest *nest, bool loop_on_lanes)
{
    struct nest_plan *plan = &nest->plan;
    plan->lanes = lanes_choose(target, nest, loop_on_lanes);
    plan->tile = plan->has_loop || nest->by_rows || plan->reduces_inner ? -1 : tile_plan_axis(nest);
    if (plan->tile >= 0)
        plan->lanes = lanes_of_tiles(nest);
    else if (!loop_on_lanes)
        plan->lanes = lanes_of_halves(nest);
    plan->step = step_of(nest);
}

void loops_plan(const struct target *target, struct nest *nest)
{
    struct nest_plan *plan = &nest->plan;
    *plan = (struct nest_plan){
        .lanes = 1, .step = 1, .interleave = 1, .tile = -1, .chunk = 1, .work = 1};
    plan->has_loop = any_has_loop(nest);
    plan->bits = !plan->has_loop && is_moved(nest);
    plan_axes(nest);
    if (!plan->has_loop && !nest->by_rows)
        interleave_plan(target, nest);
    else if (!nest->by_rows && !nest->visit)
        interleave_plan_rows(nest);
    if (!type_elements(nest->shape))
        plan->work = 0;
    if (!plan->axes || !plan->work)
        return;
    bool loop_on_lanes =
        plan->has_loop && lanes_any_root(nest, plan->axes - 1, analysis_meets_loop);
    plan_lanes(target, nest, loop_on_lanes);
    if (nest->by_rows)
        plan_rows(plan);
    else if (nest->in_order)
        plan_in_order(target, nest);
    else if (plan->tile >= 0)
        tile_plan(nest);
    else
        plan_items(target, nest, loop_on_lanes);
}
