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
    SHORT_ROW = 8,         /* vectors of a row from which it is a work item */
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
    const struct type *shape = nest->shape;
    int before = -2;
    nest->axes = 0;
    for (int i = 0; i < shape->shape.rank; i++) {
        if (shape->shape.dims[i] == 1)
            continue;
        bool is_apart = nest->by_rows && i == shape->shape.rank - 1;
        if (before == i - 1 && !is_apart && all_collapse(nest, before)) {
            nest->axis_size[nest->axes - 1] *= shape->shape.dims[i];
            nest->axis_dim[nest->axes - 1] = i;
        } else {
            nest->axis_dim[nest->axes] = i;
            nest->axis_size[nest->axes++] = shape->shape.dims[i];
        }
        before = i;
    }
}

/* The first axis inside of work items: several short rows make an item, so that the row's number is
 * not divided into an index for every few vectors, if enough items remain for all threads. */
static int outer_of_short_rows(const struct nest *nest, int64_t vectors)
{
    int last = nest->axes - 1, outer = last;
    int64_t items = 1, inside = vectors + 1;
    for (int i = 0; i < last; i++)
        items *= nest->axis_size[i];
    while (outer > 0 && inside < SHORT_ROW && items / nest->axis_size[outer - 1] >= FEW_ROWS) {
        outer--;
        inside *= nest->axis_size[outer];
        items /= nest->axis_size[outer];
    }
    return outer;
}

int64_t loops_steps_of_row(const struct nest *nest)
{
    int64_t size = nest->axis_size[nest->axes - 1];
    return (size + (nest->overlaps ? nest->step - 1 : 0)) / nest->step;
}

/* Whole vectors; of a periodic nest, the fewest rows that fill some. */
static int step_of(const struct nest *nest)
{
    int step = nest->lanes, many = nest->interleave;
    if (nest->tile < 0 && !nest->has_loop && !nest->by_rows)
        step *= lanes_vectors_of_step(nest);
    while (nest->periodic && nest->tile < 0 && step % 2 == 0 && many % 2 == 0) {
        step /= 2;
        many /= 2;
    }
    return step;
}

/* Inner loops that do not depend on the lanes run once per work item, so work items are split only
 * along axes that the loops depend on. */
static void plan_items(const struct target *target, struct nest *nest, bool loop_on_lanes)
{
    int last = nest->axes - 1;
    nest->reduces = loop_on_lanes;
    nest->overlaps = loop_on_lanes && lanes_overlap(target, nest);
    int64_t vectors = loops_steps_of_row(nest);
    nest->outer = last;
    if (nest->has_loop && !loop_on_lanes)
        while (nest->outer > 0 && !lanes_any_root(nest, nest->outer - 1, analysis_meets_loop))
            nest->outer--;
    if (!nest->has_loop)
        nest->outer = outer_of_short_rows(nest, vectors);
    for (int i = 0; i < nest->outer; i++)
        nest->work *= nest->axis_size[i];
    nest->chunk = vectors ? vectors : 1;
    if (loop_on_lanes)
        nest->chunk = lanes_reduced_together(target, nest, vectors);
    else if (!nest->has_loop && nest->work < FEW_ROWS && nest->axis_size[last] > 2 * CHUNK_ELEMENTS)
        nest->chunk = CHUNK_ELEMENTS / nest->step;
    if (vectors > nest->chunk)
        nest->work *= (vectors + nest->chunk - 1) / nest->chunk;
}

/* Whether visits along the last axis but one are apart, and those along the last often not. */
static bool should_swap(const struct nest *nest)
{
    int last = nest->axes - 1;
    return nest->few_apart && last > 0 && nest->lanes == 1 && nest->interleave == 1 &&
           nest->axis_dim[last] >= nest->apart && nest->axis_dim[last - 1] < nest->apart &&
           nest->axis_size[last - 1] >= APART_MIN;
}

static void swap_axes(struct nest *nest, int a, int b)
{
    int dim = nest->axis_dim[a];
    int64_t size = nest->axis_size[a];
    nest->axis_dim[a] = nest->axis_dim[b], nest->axis_size[a] = nest->axis_size[b];
    nest->axis_dim[b] = dim, nest->axis_size[b] = size;
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
    int last = nest->axes - 1;
    bool swaps = should_swap(nest);
    if (swaps)
        swap_axes(nest, last - 1, last);
    int64_t vectors = loops_steps_of_row(nest);
    for (nest->outer = 0; nest->outer < last && nest->axis_dim[nest->outer] < nest->apart;)
        nest->work *= nest->axis_size[nest->outer++];
    nest->chunk = vectors ? vectors : 1;
    if (swaps) {
        nest->chunk = chunk_of_apart(target, vectors);
        nest->work *= (vectors + nest->chunk - 1) / nest->chunk;
    }
}

/* One item for each row. */
static void plan_rows(struct nest *nest)
{
    int last = nest->axes - 1;
    int64_t vectors = nest->axis_size[last] / nest->lanes;
    nest->outer = last;
    for (int i = 0; i < last; i++)
        nest->work *= nest->axis_size[i];
    nest->chunk = vectors ? vectors : 1;
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
    return bytes * nest->lanes > TILE_BYTES ? TILE_BYTES / (int)bytes : nest->lanes;
}

void loops_plan(const struct target *target, struct nest *nest)
{
    nest->has_loop = any_has_loop(nest);
    nest->bits = !nest->has_loop && is_moved(nest);
    plan_axes(nest);
    nest->interleave = 1;
    nest->periodic = nest->record = nest->reduces_inner = false;
    if (!nest->has_loop && !nest->by_rows)
        interleave_plan(target, nest);
    else if (!nest->by_rows && !nest->visit)
        interleave_plan_rows(nest);
    nest->lanes = nest->step = 1;
    nest->chunk = nest->work = 1;
    nest->outer = 0;
    nest->tile = -1;
    nest->overlaps = nest->reduces = false;
    if (!type_elements(nest->shape))
        nest->work = 0;
    if (!nest->axes || !nest->work)
        return;
    bool loop_on_lanes =
        nest->has_loop && lanes_any_root(nest, nest->axes - 1, analysis_meets_loop);
    nest->lanes = lanes_choose(target, nest, loop_on_lanes);
    nest->tile = nest->has_loop || nest->by_rows || nest->reduces_inner ? -1 : tile_plan_axis(nest);
    if (nest->tile >= 0)
        nest->lanes = lanes_of_tiles(nest);
    else if (!loop_on_lanes)
        nest->lanes = lanes_of_halves(nest);
    nest->step = step_of(nest);
    if (nest->by_rows)
        plan_rows(nest);
    else if (nest->in_order)
        plan_in_order(target, nest);
    else if (nest->tile >= 0)
        tile_plan(nest);
    else
        plan_items(target, nest, loop_on_lanes);
}
