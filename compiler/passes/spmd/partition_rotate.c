/* partition_rotate.c: see partition_rotate.h. */
#include "compiler/passes/spmd/partition_rotate.h"

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/spmd/spmd_collective.h"

struct rotation {
    struct value *of; /* a shard */
    int dim;
    int64_t shards, shard;    /* their number and size along it */
    int64_t distance, beyond; /* elements move up by `distance` shards and `beyond` elements */
};

static const struct shard_slice *slice_at(const struct op *op, int i)
{
    const struct shard *shard = shard_of(op->operands[i]);
    const struct shard_slice *slice = shard ? shard->slice : NULL;
    return slice && slice->dim == op->attrs.dimension.dimension ? slice : NULL;
}

static bool find(const struct partitioner *p, const struct op *op, struct rotation *found)
{
    if (op->code != OP_concatenate || op->operand_count != 2)
        return false;
    const struct shard_slice *end = slice_at(op, 0), *begin = slice_at(op, 1);
    if (!end || !begin || end->of != begin->of || begin->start)
        return false;
    int dim = end->dim;
    const struct shard *of = shard_of(end->of);
    int64_t whole = of->global->shape.dims[dim], moved = whole - end->start,
            shards = axis_list_size(p->grid, &of->tiling->dims[dim]);
    const struct type *first = shard_of(op->operands[0])->global,
                      *second = shard_of(op->operands[1])->global;
    if (shards < 2 || whole % shards || of->tiling->unreduced || first->shape.dims[dim] != moved ||
        second->shape.dims[dim] != whole - moved)
        return false;
    int64_t shard = whole / shards;
    *found = (struct rotation){end->of, dim, shards, shard, moved / shard, moved % shard};
    return true;
}

/* `count` elements, from `first` on, of the shard `distance` shards before, around the end. */
static struct value *receive(struct partitioner *p, struct builder *b, const struct rotation *r,
                             int64_t first, int64_t count, int64_t distance)
{
    struct value *part = along_dim_slice(b, r->of, r->dim, first, count);
    if (distance % r->shards == 0)
        return part;
    int64_t *pairs = ARENA_ARRAY(p->module->arena, int64_t, 2 * (size_t)r->shards);
    for (int64_t i = 0; i < r->shards; i++)
        pairs[2 * i] = i, pairs[2 * i + 1] = (i + distance) % r->shards;
    return collective_permute_along(p, b, part, &shard_of(r->of)->tiling->dims[r->dim], r->shards,
                                    pairs);
}

bool partition_rotate(struct partitioner *p, struct op *op)
{
    struct rotation r;
    if (!find(p, op, &r))
        return false;
    struct builder b = rewrite_before(p->module, op);
    struct value *parts[2];
    int count = 0;
    if (r.beyond)
        parts[count++] = receive(p, &b, &r, r.shard - r.beyond, r.beyond, r.distance + 1);
    parts[count++] = receive(p, &b, &r, 0, r.shard - r.beyond, r.distance);
    struct value *whole = count > 1 ? along_dim_concatenate(&b, count, parts, r.dim) : parts[0];
    if (whole == r.of)
        return false;
    shard_set(p, whole, op->results[0].type, shard_of(r.of)->tiling);
    ir_replace_uses(p->module, &op->results[0], whole);
    ir_remove(op);
    return true;
}
