/* scatter_schedule.c: see scatter_schedule.h. */
#include "compiler/schedule/scatter_schedule.h"

#include "compiler/analysis/scatter_window.h"
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"

enum {
    LANES_MIN = 8,   /* windows in a row from which their updates are computed as vectors ... */
    STAGED_WORK = 5, /* ... if this many operations compute one: staging costs as much as a few */
    FEW_TARGETS = 8  /* of indices: a store waits for the one before for longer than that */
};

static const struct shape *updates_of(const struct op *scatter)
{
    return &scatter->operands[scatter->result_count + 1]->type->shape;
}

/* Whether the updates' last dimension is the last one of the windows, and of the operand. */
static bool ends_with_window(const struct op *scatter)
{
    const struct dims window = scatter->attrs.scatter.update_window_dims;
    const struct shape *updates = updates_of(scatter);
    int last = updates->rank - 1;
    return window.count && updates->dims[last] > 1 && window.at[window.count - 1] == last &&
           scatter_window_has_dim(scatter, scatter->operands[0]->type->shape.rank - 1);
}

/* Whether lanes may number windows: they run along the updates' last dimension, where that is none
 * of a window, and nothing that is computed for them has loops of its own. */
static bool numbers_windows(const struct op *scatter)
{
    const struct attrs_scatter *attrs = &scatter->attrs.scatter;
    const struct value *indices = scatter->operands[scatter->result_count];
    int rank = indices->type->shape.rank, last = updates_of(scatter)->rank - 1;
    int along = attrs->index_vector_dim == rank - 1 ? rank - 2 : rank - 1;
    if (last < 0 || dims_contain(attrs->update_window_dims, last) ||
        updates_of(scatter)->dims[last] < LANES_MIN || analysis_has_loop(indices) ||
        analysis_uses_scalars(indices, along))
        return false;
    int work = arithmetic_weight(indices);
    for (int i = scatter->result_count + 1; i < scatter->operand_count; i++) {
        const struct value *updates = scatter->operands[i];
        if (analysis_has_loop(updates) || analysis_uses_scalars(updates, last))
            return false;
        work += arithmetic_weight(updates);
    }
    return work >= STAGED_WORK;
}

/* The dimension of the operand that number `window` of the updates' window dimensions is. */
static int window_dim(const struct op *scatter, int window)
{
    int dim = 0;
    while (!scatter_window_has_dim(scatter, dim) || window-- > 0)
        dim++;
    return dim;
}

/* Whether updates that differ along a dimension of theirs are of different elements, whatever the
 * indices are: a batch, or one of a window that no index moves. */
static bool is_apart(const struct op *scatter, int dim)
{
    const struct attrs_scatter *attrs = &scatter->attrs.scatter;
    int window = 0, batch = 0;
    for (int i = 0; i < dim; i++)
        dims_contain(attrs->update_window_dims, i) ? window++ : batch++;
    if (!dims_contain(attrs->update_window_dims, dim))
        return dims_contain(attrs->scatter_indices_batching_dims,
                            batch + (batch >= attrs->index_vector_dim));
    return !dims_contain(attrs->scatter_dims_to_operand_dims, window_dim(scatter, window));
}

/* The leading dimensions that are apart, by which threads may divide the updates: those of an
 * element stay in order. */
static int apart_dims(const struct op *scatter)
{
    int count = 0;
    while (count < updates_of(scatter)->rank && is_apart(scatter, count))
        count++;
    return count;
}

/* Whether indices choose among so few elements that many updates are of the one before. */
static bool has_few_targets(const struct op *scatter)
{
    const struct dims to = scatter->attrs.scatter.scatter_dims_to_operand_dims;
    int64_t targets = 1;
    for (int64_t i = 0; i < to.count && targets <= FEW_TARGETS; i++)
        targets *= scatter->operands[0]->type->shape.dims[to.at[i]];
    return targets <= FEW_TARGETS;
}

/* Whether the last axis of a nest is along a window. */
static bool rows_in_windows(const struct op *scatter, const struct schedule *schedule)
{
    return schedule->axes && dims_contain(scatter->attrs.scatter.update_window_dims,
                                          schedule->axis[schedule->axes - 1].dim);
}

struct scatter_schedule scatter_schedule(const struct target *target, const struct op *scatter,
                                         bool is_alone)
{
    struct value **updates = &scatter->operands[scatter->result_count + 1];
    struct scatter_schedule out = {.numbers_windows = numbers_windows(scatter)};
    out.nest = (struct nest){.shape = updates[0]->type,
                             .count = 1,
                             .roots = (const struct value *const *)updates,
                             .visited = true,
                             .lanes_allowed = out.numbers_windows || ends_with_window(scatter),
                             .apart = apart_dims(scatter),
                             .few_apart = has_few_targets(scatter)};
    out.nest.in_order = is_alone && !scatter->attrs.scatter.unique_indices && out.nest.apart;
    nest_schedule_choose(target, &out.nest);
    out.rows_in_windows = rows_in_windows(scatter, &out.nest.schedule);
    return out;
}
