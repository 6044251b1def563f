/* tile_plan.c: see tile_plan.h. */
#include "compiler/codegen/loops/tile_plan.h"

#include "compiler/codegen/loops/analysis.h"
#include "compiler/codegen/loops/arithmetic.h"

enum {
    LINE_BYTES = 64,
    LEAST = 8,       /* size of both dimensions of a tile */
    RUN_BYTES = 256, /* that an item stores in a row of a tile */
    ITEM_TILES = 64, /* of an item, if the axis of the tiles is short: then its runs are longer */
    BLOCK_LEAST = 4, /* tiles of a block, */
    BLOCK_MOST = 16, /* at most so many that are not unrolled */
    ITEMS = 64,      /* so many are enough for all threads: blocks are as large as possible */
    UNROLLED_LANES = 32,
    UNROLLED_WEIGHT = 64 /* of the rows of a tile together */
};

int tile_plan_axis(const struct nest *nest)
{
    const struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    if (nest->visit || plan->lanes < 4 || plan->axis_size[last] < LEAST)
        return -1;
    for (int axis = 0; axis < last; axis++)
        for (int i = 0; i < nest->count && plan->axis_size[axis] >= LEAST; i++)
            if (analysis_transposes(nest->roots[i], plan->axis_dim[last], plan->axis_dim[axis]))
                return axis;
    return -1;
}

/* A copy may store elements twice. What computes may store over what it reads, so it may not. */
static bool is_copy(const struct nest *nest)
{
    return nest->count == 1 && !arithmetic_weight(nest->roots[0]);
}

int64_t tile_plan_tiles(const struct nest_plan *plan)
{
    return (plan->axis_size[plan->tile] + plan->lanes - 1) / plan->lanes;
}

int64_t tile_plan_blocks(const struct nest_plan *plan)
{
    return (tile_plan_tiles(plan) + plan->tile_block - 1) / plan->tile_block;
}

static int64_t vector_bytes(const struct nest *nest)
{
    return nest->plan.lanes * dtype_bytes(nest->roots[0]->type->shape.dtype);
}

/* The vectors of a chunk, of a row of so many. */
static int64_t chunk_of(const struct nest *nest, int64_t vectors)
{
    int64_t run = tile_plan_unrolls(nest) ? RUN_BYTES / vector_bytes(nest) : 1,
            many = ITEM_TILES / tile_plan_tiles(&nest->plan);
    run = run > many ? run : many;
    run = run < vectors ? run : vectors;
    return run > 1 ? run : 1;
}

void tile_plan(struct nest *nest)
{
    struct nest_plan *plan = &nest->plan;
    int last = plan->axes - 1;
    int64_t size = plan->axis_size[last], vectors = size / plan->lanes,
            tiles = tile_plan_tiles(plan);
    plan->outer = last;
    /* Where the vectors divide the row, this only hides from LLVM that addresses advance evenly: it
     * would weigh all ways to compute each of them, which takes long. */
    plan->overlaps =
        tile_plan_unrolls(nest) && size > plan->lanes && (is_copy(nest) || size % plan->lanes == 0);
    vectors = plan->overlaps ? (size + plan->lanes - 1) / plan->lanes : vectors;
    plan->chunk = chunk_of(nest, vectors);
    if (vectors > plan->chunk)
        plan->work *= (vectors + plan->chunk - 1) / plan->chunk;
    for (int i = 0; i < last; i++)
        plan->work *= i == plan->tile ? 1 : plan->axis_size[i];
    int64_t blocks = (ITEMS + plan->work - 1) / plan->work;
    plan->tile_block = (tiles + blocks - 1) / blocks;
    if (plan->tile_block > BLOCK_MOST && !tile_plan_unrolls(nest))
        plan->tile_block = BLOCK_MOST;
    if (plan->tile_block < BLOCK_LEAST)
        plan->tile_block = BLOCK_LEAST;
    plan->work *= tile_plan_blocks(plan);
}

/* Vectors that are computed and shorter than a cache line are not: lines of many rows, each a part
 * at a time, displace each other. */
bool tile_plan_unrolls(const struct nest *nest)
{
    const struct nest_plan *plan = &nest->plan;
    int64_t size = plan->axis_size[plan->tile];
    bool shares_rows = size > plan->lanes && size % plan->lanes;
    return nest->count == 1 && plan->lanes <= UNROLLED_LANES &&
           (is_copy(nest) || (!shares_rows && vector_bytes(nest) >= LINE_BYTES)) &&
           arithmetic_weight(nest->roots[0]) * plan->lanes <= UNROLLED_WEIGHT;
}
