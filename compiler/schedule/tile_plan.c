/* tile_plan.c: see tile_plan.h. */
#include "compiler/schedule/tile_plan.h"

#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"

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
    const struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    if (nest->visited || schedule->lanes < 4 || schedule->axis[last].size < LEAST)
        return -1;
    for (int axis = 0; axis < last; axis++)
        for (int i = 0; i < nest->count && schedule->axis[axis].size >= LEAST; i++)
            if (analysis_transposes(nest->roots[i], schedule->axis[last].dim,
                                    schedule->axis[axis].dim))
                return axis;
    return -1;
}

/* A copy may store elements twice. What computes may store over what it reads, so it may not. */
static bool is_copy(const struct nest *nest)
{
    return nest->count == 1 && !arithmetic_weight(nest->roots[0]);
}

int64_t tile_plan_tiles(const struct schedule *schedule)
{
    return (schedule->axis[schedule->tile].size + schedule->lanes - 1) / schedule->lanes;
}

int64_t tile_plan_blocks(const struct schedule *schedule)
{
    return (tile_plan_tiles(schedule) + schedule->tile_block - 1) / schedule->tile_block;
}

static int64_t vector_bytes(const struct nest *nest)
{
    return nest->schedule.lanes * dtype_bytes(nest->roots[0]->type->shape.dtype);
}

/* The vectors of a chunk, of a row of so many. */
static int64_t chunk_of(const struct nest *nest, int64_t vectors)
{
    int64_t run = tile_plan_unrolls(nest) ? RUN_BYTES / vector_bytes(nest) : 1,
            many = ITEM_TILES / tile_plan_tiles(&nest->schedule);
    run = run > many ? run : many;
    run = run < vectors ? run : vectors;
    return run > 1 ? run : 1;
}

void tile_plan(struct nest *nest)
{
    struct schedule *schedule = &nest->schedule;
    int last = schedule->axes - 1;
    int64_t size = schedule->axis[last].size, vectors = size / schedule->lanes,
            tiles = tile_plan_tiles(schedule);
    schedule->outer = last;
    /* Where the vectors divide the row, this only hides from LLVM that addresses advance evenly: it
     * would weigh all ways to compute each of them, which takes long. */
    schedule->overlaps = tile_plan_unrolls(nest) && size > schedule->lanes &&
                         (is_copy(nest) || size % schedule->lanes == 0);
    vectors = schedule->overlaps ? (size + schedule->lanes - 1) / schedule->lanes : vectors;
    schedule->chunk = chunk_of(nest, vectors);
    if (vectors > schedule->chunk)
        schedule->work *= (vectors + schedule->chunk - 1) / schedule->chunk;
    for (int i = 0; i < last; i++)
        schedule->work *= i == schedule->tile ? 1 : schedule->axis[i].size;
    int64_t blocks = (ITEMS + schedule->work - 1) / schedule->work;
    schedule->tile_block = (tiles + blocks - 1) / blocks;
    if (schedule->tile_block > BLOCK_MOST && !tile_plan_unrolls(nest))
        schedule->tile_block = BLOCK_MOST;
    if (schedule->tile_block < BLOCK_LEAST)
        schedule->tile_block = BLOCK_LEAST;
    schedule->work *= tile_plan_blocks(schedule);
}

/* Vectors that are computed and shorter than a cache line are not: lines of many rows, each a part
 * at a time, displace each other. */
bool tile_plan_unrolls(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    int64_t size = schedule->axis[schedule->tile].size;
    bool shares_rows = size > schedule->lanes && size % schedule->lanes;
    return nest->count == 1 && schedule->lanes <= UNROLLED_LANES &&
           (is_copy(nest) || (!shares_rows && vector_bytes(nest) >= LINE_BYTES)) &&
           arithmetic_weight(nest->roots[0]) * schedule->lanes <= UNROLLED_WEIGHT;
}
