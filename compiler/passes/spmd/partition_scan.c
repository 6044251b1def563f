/* partition_scan.c: see partition_scan.h. */
#include "compiler/passes/spmd/partition_scan.h"

#include "compiler/ir/sharding_rules.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/spmd/partition_partial.h"
#include "compiler/passes/spmd/partition_values.h"
#include "compiler/passes/spmd/spmd_collective.h"

struct scan {
    int dim;
    bool backward;         /* from the last element on */
    int64_t shards, shard; /* their number and size along the dimension */
    const struct axis_list *axes;
};

/* ---- recognition ----------------------------------------------------------------------------- */
static bool is_window(const struct attrs_window *w, int dim, int64_t size, int64_t low,
                      int64_t high)
{
    return w->window_dimensions.at[dim] == size && w->window_strides.at[dim] == 1 &&
           w->base_dilations.at[dim] == 1 && w->window_dilations.at[dim] == 1 &&
           w->padding.at[2 * dim] == low && w->padding.at[2 * dim + 1] == high;
}

/* Finds the one dimension with windows, and whether these end or begin with each element. */
static bool find_dim(const struct op *op, const struct type *whole, struct scan *scan)
{
    const struct attrs_window *w = &op->attrs.window;
    int found = 0;
    for (int d = 0; d < whole->shape.rank; d++) {
        int64_t size = whole->shape.dims[d];
        if (is_window(w, d, 1, 0, 0))
            continue;
        scan->dim = d;
        scan->backward = is_window(w, d, size, 0, size - 1);
        if (++found > 1 || !(scan->backward || is_window(w, d, size, size - 1, 0)))
            return false;
    }
    return found == 1;
}

/* Whether combining the initial value any number of times makes no difference. */
static bool starts_neutral(const struct op *op)
{
    struct combiner combiner = partition_combiner(op);
    const struct op *init = op->operands[1]->def;
    return combiner.repeatable ||
           (init && init->code == OP_constant &&
            literal_is_splat_of(init->attrs.constant.value, combiner.identity));
}

static bool find(const struct partitioner *p, const struct op *op, struct scan *scan)
{
    if (op->code != OP_reduce_window || op->operand_count != 2 ||
        !sharding_rules_is_combiner(op, 0) || !starts_neutral(op))
        return false;
    const struct shard *of = shard_of(op->operands[0]);
    if (!of || of->tiling->unreduced || !find_dim(op, of->global, scan))
        return false;
    int64_t size = of->global->shape.dims[scan->dim];
    scan->axes = &of->tiling->dims[scan->dim];
    scan->shards = axis_list_size(p->grid, scan->axes);
    scan->shard = size / scan->shards;
    return scan->shards > 1 && size % scan->shards == 0;
}

/* ---- the local form -------------------------------------------------------------------------- */
/* A scan of the shard. */
static struct value *scan_shard(struct partitioner *p, struct builder *b, const struct op *op,
                                const struct scan *scan)
{
    struct arena *arena = p->module->arena;
    struct op *local = ir_clone(p->module, op, map_create(arena));
    struct attrs_window *w = &local->attrs.window;
    size_t rank = (size_t)w->window_dimensions.count;
    int64_t *windows = arena_copy(arena, w->window_dimensions.at, rank * sizeof *windows);
    int64_t *padding = arena_copy(arena, w->padding.at, 2 * rank * sizeof *padding);
    windows[scan->dim] = scan->shard;
    padding[2 * scan->dim + scan->backward] = scan->shard - 1;
    w->window_dimensions.at = windows;
    w->padding.at = padding;
    local->results[0].type = op->operands[0]->type;
    ir_insert_before(b->before, local);
    return &local->results[0];
}

/* What the shards before this one, or behind it, come to: without the scanned dimension. */
static struct value *combine_others(struct partitioner *p, struct builder *b, const struct op *op,
                                    const struct scan *scan, struct value *local)
{
    struct value *total =
        along_dim_slice(b, local, scan->dim, scan->backward ? 0 : scan->shard - 1, 1);
    struct value *totals = collective_all_gather(p, b, total, scan->axes, scan->dim);
    struct value *index = collective_shard_index(p, b, scan->axes);
    struct value *wanted =
        along_dim_between(b, totals->type, scan->dim, build_unary(b, OP_negate, index),
                          scan->backward ? 1 : INT64_MIN, scan->backward ? INT64_MAX : 0);
    struct value *neutral = rewrite_broadcast_scalar(b, op->operands[1], totals->type);
    int64_t dim = scan->dim;
    return build_reduce(b, build_select(b, wanted, totals, neutral), op->operands[1],
                        partition_combiner(op).code, 1, &dim);
}

bool partition_scan(struct partitioner *p, struct op *op)
{
    struct scan scan;
    if (!find(p, op, &scan))
        return false;
    struct builder b = rewrite_before(p->module, op);
    struct value *local = scan_shard(p, &b, op, &scan);
    struct value *others = combine_others(p, &b, op, &scan, local);
    int64_t kept[SHAPE_MAX_RANK];
    int count = 0;
    for (int d = 0; d < local->type->shape.rank; d++)
        if (d != scan.dim)
            kept[count++] = d;
    struct value *whole =
        build_binary(&b, partition_combiner(op).code,
                     build_broadcast(&b, others, local->type, count, kept), local);
    shard_set(p, whole, op->results[0].type, shard_of(op->operands[0])->tiling);
    ir_replace_uses(p->module, &op->results[0], whole);
    ir_remove(op);
    return true;
}
