/* model_sort.c: see model_sort.h. */
#include "compiler/model/units/model_sort.h"

#include "compiler/analysis/op_work.h"
#include "compiler/tiled_shape.h"

/* Instructions of the vector unit for one vector and stage, in final schedules of sorts of 256 to
 * 8,192 f32, bf16 and s32 with positions on v4, v5e, v5p and v6e (22 to 27, and 34 to 45). */
enum { BETWEEN_VECTORS = 24, ALONG_LANES = 40 };

/* A stage of an array of one dimension begins when the one before is done (v5e: 8,454 cycles for 91
 * stages of 8 vectors, 278,997 for 171 of 256). */
enum { CYCLES_TO_BEGIN = 42 };

static int sorted_dimension(const struct op *sort)
{
    int64_t dimension = sort->attrs.sort.dimension;
    return (int)(dimension < 0 ? dimension + sort->operands[0]->type->shape.rank : dimension);
}

bool model_sort_is_along_lanes(const struct accelerator *accelerator, const struct op *sort,
                               const struct value *operand, uint64_t *bytes)
{
    struct shape shape = operand->type->shape;
    struct shape_layout room;
    int dimension = sorted_dimension(sort);
    *bytes = 0;
    if (shape.rank < 2)
        return true;
    tiled_shape_choose(accelerator, TILED_DEFAULT, &shape, &room);
    if (room.minor_to_major[0] != dimension)
        return false;
    uint64_t other =
        tiled_shape_bytes_in(accelerator, &shape, (int)room.minor_to_major[1], dimension);
    if (other > tiled_shape_bytes(accelerator, &shape))
        return true;
    *bytes = other;
    return false;
}

/* How many of the sorted elements are used: all, unless all users take the first ones. A list
 * without others beside it is sorted whole. */
static int64_t used_elements(const struct op *sort, int dimension)
{
    const struct shape *shape = &sort->operands[0]->type->shape;
    int64_t all = shape->dims[dimension], most = 0;
    if (shape->rank < 2)
        return all;
    for (int i = 0; i < sort->result_count; i++)
        for (const struct use *use = sort->results[i].uses; use; use = use->next) {
            if (use->user->code != OP_slice)
                return all;
            int64_t end = use->user->attrs.slice.limit_indices.at[dimension];
            most = end > most ? end : most;
        }
    return most ? most : all;
}

static int levels_of(int64_t elements)
{
    int levels = 0;
    while (levels < 62 && (int64_t)1 << levels < elements)
        levels++;
    return levels;
}

/* Stages that all elements pass. Each merge of two lists of which one list's elements are kept
 * halves what the next one reads, so that all merges cost those of one level and a half. */
static double stages_of(int64_t elements, int64_t used)
{
    double levels = levels_of(elements), kept = levels_of(used);
    double sorted = kept * (kept + 1) / 2;
    return used < elements ? sorted + 1.5 * (kept + 1) : levels * (levels + 1) / 2;
}

double model_sort_seconds(const struct accelerator *accelerator, const struct op *sort)
{
    const struct shape *shape = &sort->operands[0]->type->shape;
    int dimension = sorted_dimension(sort);
    uint64_t bytes;
    bool lanes = model_sort_is_along_lanes(accelerator, sort, sort->operands[0], &bytes);
    double elements = op_work_elements(sort->operands[0]);
    int64_t size = dimension < shape->rank ? shape->dims[dimension] : 1;
    double lists = size > 0 ? elements / (double)size : 0;
    double cores = lists > accelerator->sublanes ? accelerator->cores : 1; /* tiles are divided */
    double vectors = elements / (accelerator->lanes * accelerator->sublanes);
    double stages = size > 1 ? stages_of(size, used_elements(sort, dimension)) : 0;
    double begins = shape->rank > 1 ? 0 : stages * CYCLES_TO_BEGIN;
    lanes &= shape->rank > 1;
    double slots = accelerator->vector_slots * cores * accelerator->clock_hz;
    return begins / accelerator->clock_hz +
           vectors * stages * (lanes ? ALONG_LANES : BETWEEN_VECTORS) / slots;
}
