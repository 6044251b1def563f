/* periodic_index.c: see periodic_index.h. */
#include "compiler/codegen/loops/periodic_index.h"

#include "compiler/codegen/element/pattern.h"

/* The index in one dimension, in each lane of a vector: a digit of the elements' numbers. */
static struct affine digit(struct emitter *e, int64_t first, int64_t step, int64_t limit)
{
    int64_t at[PATTERN_LANES];
    for (int i = 0; i < e->lanes; i++)
        at[i] = (first + i) / step % limit;
    return affine_var(pattern_var(e, at));
}

struct index periodic_index(struct emitter *e, const struct nest *nest, const struct affine *at,
                            int vector)
{
    const struct schedule *schedule = &nest->schedule;
    int rank = nest->shape->shape.rank, row = schedule->axis[schedule->axes - 1].dim;
    int64_t first = (int64_t)vector * e->lanes, step = 1;
    struct affine *index = arena_copy(e->arena, at, (size_t)rank * sizeof *at);
    for (int i = schedule->axes + schedule->inner - 1; i >= schedule->axes; i--) {
        index[schedule->axis[i].dim] = digit(e, first, step, schedule->axis[i].size);
        step *= schedule->axis[i].size;
    }
    struct affine lane = affine_var(e->lane_var), by_row = digit(e, first, step, INT64_MAX);
    lane = affine_scale(&lane, -1);
    index[row] = affine_add(e, &index[row], &lane);
    index[row] = affine_add(e, &index[row], &by_row);
    return affine_index(rank, index);
}
