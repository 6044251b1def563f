#include "compiler/passes/spmd/reshard.h"

#include "base/map.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/spmd/reshard_plan.h"
#include "compiler/passes/spmd/spmd_collective.h"

/* ---- steps ----------------------------------------------------------------------------------- */
static int64_t local_size(struct partitioner *p, const struct type *global,
                          const struct tiling *tiling, int dim)
{
    return tiling_local_size(p->grid, tiling, dim, global->shape.dims[dim]);
}

static struct value *slice(struct partitioner *p, struct builder *b, struct value *value,
                           const struct type *global, const struct reshard_step *step)
{
    int64_t size = local_size(p, global, step->after, step->dim);
    value = along_dim_resize(b, value, step->dim, size * axis_list_size(p->grid, &step->axes));
    struct value *start = collective_shard_offset(p, b, &step->axes, size);
    return along_dim_take(b, value, step->dim, start, size);
}

static struct value *gather(struct partitioner *p, struct builder *b, struct value *value,
                            const struct type *global, const struct reshard_step *step)
{
    value = collective_all_gather(p, b, value, &step->axes, step->dim);
    return along_dim_resize(b, value, step->dim, local_size(p, global, step->after, step->dim));
}

static struct value *exchange(struct partitioner *p, struct builder *b, struct value *value,
                              const struct type *global, const struct reshard_step *step)
{
    int64_t size = local_size(p, global, step->after, step->to_dim);
    value = along_dim_resize(b, value, step->to_dim, size * axis_list_size(p->grid, &step->axes));
    value = collective_all_to_all(p, b, value, &step->axes, step->to_dim, step->dim);
    return along_dim_resize(b, value, step->dim, local_size(p, global, step->after, step->dim));
}

/* The index of the shard at a position along each dimension, as one number. */
static int64_t shard_number(const struct device_grid *grid, const struct tiling *tiling,
                            int64_t position)
{
    int64_t number = 0;
    for (int dim = 0; dim < tiling->rank; dim++)
        for (int i = 0; i < tiling->dims[dim].count; i++) {
            int axis = tiling->dims[dim].at[i];
            number =
                number * grid->sizes[axis] + position / grid->strides[axis] % grid->sizes[axis];
        }
    return number;
}

static int64_t number_along(const struct device_grid *grid, uint32_t axes, int64_t position,
                            int64_t number)
{
    for (int axis = 0; axis < grid->axis_count; axis++)
        if (axes >> axis & 1)
            number =
                number * grid->sizes[axis] + position / grid->strides[axis] % grid->sizes[axis];
    return number;
}

/* The number of a position among those that hold the same shard, or terms of the same sum: the
 * terms come first, so that a term stays one of the same number. */
static int64_t copy_number(const struct device_grid *grid, const struct tiling *tiling,
                           int64_t position)
{
    uint32_t used = tiling_axes(tiling) | tiling->unreduced;
    int64_t term = number_along(grid, tiling->unreduced, position, 0);
    return number_along(grid, ~used, position, term);
}

/* Copy c of a shard goes to copy c of the same shard: both tilings have as many shards. */
static int64_t *list_moves(struct partitioner *p, const struct tiling *before,
                           const struct tiling *after)
{
    int64_t count = p->grid->device_count, shards = 1;
    for (int dim = 0; dim < before->rank; dim++)
        shards *= axis_list_size(p->grid, &before->dims[dim]);
    int64_t copies = count / shards;
    int64_t *source = ARENA_ARRAY(p->module->arena, int64_t, (size_t)count);
    int64_t *pairs = ARENA_ARRAY(p->module->arena, int64_t, (size_t)count * 2);
    for (int64_t i = 0; i < count; i++)
        source[shard_number(p->grid, before, i) * copies + copy_number(p->grid, before, i)] = i;
    for (int64_t i = 0; i < count; i++) {
        int64_t from = shard_number(p->grid, after, i) * copies + copy_number(p->grid, after, i);
        pairs[2 * i] = source[from], pairs[2 * i + 1] = i;
    }
    return pairs;
}

static void add_tiling(const struct tiling *tiling, uint64_t digest[2])
{
    map_digest(&tiling->rank, sizeof tiling->rank, digest);
    for (int dim = 0; dim < tiling->rank; dim++) {
        map_digest(&tiling->dims[dim].count, sizeof tiling->dims[dim].count, digest);
        map_digest(tiling->dims[dim].at, tiling->dims[dim].count, digest);
    }
    map_digest(&tiling->unreduced, sizeof tiling->unreduced, digest);
}

/* The list, as long as there are devices, is made once for two tilings. */
static struct value *permute(struct partitioner *p, struct builder *b, struct value *value,
                             const struct tiling *before, const struct tiling *after)
{
    uint64_t key[2] = {0};
    add_tiling(before, key);
    add_tiling(after, key);
    int64_t *pairs = map_get(p->moves, key, sizeof key);
    if (!pairs) {
        pairs = list_moves(p, before, after);
        map_put(p->moves, key, sizeof key, pairs);
    }
    return collective_permute(p, b, value, p->grid->device_count, pairs);
}

static struct value *keep_first(struct partitioner *p, struct builder *b, struct value *value,
                                const struct reshard_step *step)
{
    struct value *index = collective_shard_index(p, b, &step->axes);
    struct value *is_first = build_compare(b, COMPARE_EQ, index, build_scalar(b, DTYPE_S64, 0));
    const struct type *mask = type_with_dtype(p->module->arena, value->type, DTYPE_PRED);
    if (value->type->shape.rank)
        is_first = rewrite_broadcast_scalar(b, is_first, mask);
    return build_select(b, is_first, value, build_splat(b, value->type, 0));
}

static struct value *surround(struct partitioner *p, struct builder *b, struct value *value,
                              const struct type *global, const struct reshard_step *step)
{
    const struct type *type = tiling_local_type(p->module->arena, p->grid, step->after, global);
    struct value *none = build_splat(b, type, 0);
    int64_t size = value->type->shape.dims[step->dim];
    struct value *start = collective_shard_offset(p, b, &step->axes, size);
    return along_dim_update(b, none, step->dim, value, start);
}

static struct value *run_step(struct partitioner *p, struct builder *b, struct value *value,
                              const struct shard *shard, const struct tiling *before,
                              const struct reshard_step *step)
{
    switch (step->kind) {
    case RESHARD_SLICE: return slice(p, b, value, shard->global, step);
    case RESHARD_GATHER: return gather(p, b, value, shard->global, step);
    case RESHARD_EXCHANGE: return exchange(p, b, value, shard->global, step);
    case RESHARD_PERMUTE: return permute(p, b, value, before, step->after);
    case RESHARD_REDUCE: return collective_all_reduce(p, b, value, &step->axes, OP_add);
    case RESHARD_KEEP_FIRST: return keep_first(p, b, value, step);
    case RESHARD_SURROUND: return surround(p, b, value, shard->global, step);
    case RESHARD_REDUCE_SCATTER: break;
    }
    if (p->is_modeled) {
        value = collective_all_reduce(p, b, value, &step->axes, OP_add);
        return slice(p, b, value, shard->global, step);
    }
    return collective_reduce_scatter(p, b, value, &step->axes, step->dim, OP_add);
}

/* ---- the whole ------------------------------------------------------------------------------- */
/* The copy of the value in this tiling that the builder's block contains. */
static struct value *find_copy(const struct builder *b, const struct shard *shard,
                               const struct tiling *to)
{
    for (const struct shard_copy *copy = shard->copies; copy; copy = copy->next)
        if (copy->value->def && copy->value->def->block == b->block &&
            tiling_equal(shard_of(copy->value)->tiling, to))
            return copy->value;
    return NULL;
}

static void add_copy(struct partitioner *p, struct shard *shard, struct value *value)
{
    struct shard_copy *copy = ARENA_NEW(p->arena, struct shard_copy);
    *copy = (struct shard_copy){value, shard->copies};
    shard->copies = copy;
}

/* A constant of equal elements, made anew in any size. */
static struct value *small_splat(struct partitioner *p, struct builder *b, struct value *value,
                                 const struct tiling *to)
{
    const struct type *type =
        tiling_local_type(p->module->arena, p->grid, to, shard_of(value)->global);
    const struct op *def = value->def;
    if (!def || def->code != OP_constant || !def->attrs.constant.value->splat || to->unreduced)
        return NULL;
    return build_constant(b,
                          literal_splat(p->module->arena, type, def->attrs.constant.value->bytes));
}

struct value *reshard(struct partitioner *p, struct builder *b, struct value *value,
                      const struct tiling *to)
{
    struct shard *shard = shard_of(value);
    const struct tiling *at = shard->tiling;
    if (tiling_equal(at, to))
        return value;
    struct value *copy = find_copy(b, shard, to);
    if (copy)
        return copy;
    bool gathers = false;
    copy = small_splat(p, b, value, to);
    if (!copy) {
        struct reshard_plan plan;
        reshard_plan(p->arena, p->grid, p->is_modeled, shard->global, at, to, &plan);
        copy = value;
        for (int i = 0; i < plan.count; at = plan.steps[i++].after) {
            copy = run_step(p, b, copy, shard, at, &plan.steps[i]);
            gathers |= plan.steps[i].kind == RESHARD_GATHER;
        }
    }
    shard_set(p, copy, shard->global, to);
    if (!gathers || !p->is_modeled)
        add_copy(p, shard, copy);
    return copy;
}

/* ---- padding --------------------------------------------------------------------------------- */
struct value *reshard_offset(struct partitioner *p, struct builder *b, const struct tiling *tiling,
                             int dim, int64_t size)
{
    return collective_shard_offset(p, b, &tiling->dims[dim], size);
}

struct value *reshard_mask(struct partitioner *p, struct builder *b, struct value *value, int dim,
                           struct value *fill)
{
    const struct shard *shard = shard_of(value);
    const struct type *type = value->type;
    int64_t full = shard->global->shape.dims[dim], size = type->shape.dims[dim];
    if (full % axis_list_size(p->grid, &shard->tiling->dims[dim]) == 0)
        return value;
    struct value *first = reshard_offset(p, b, shard->tiling, dim, size);
    struct value *is_inside = along_dim_between(b, type, dim, first, INT64_MIN, full);
    struct value *masked =
        build_select(b, is_inside, value, rewrite_broadcast_scalar(b, fill, type));
    shard_set(p, masked, shard->global, shard->tiling);
    return masked;
}
