#include "compiler/passes/spmd/auto/auto_groups.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"

/* ---- strategies ------------------------------------------------------------------------------ */
struct lister {
    struct arena *arena;
    const struct mesh *mesh;
    int count, most; /* dimensions; different ones that a strategy has */
    const struct auto_divided *dims;
    struct auto_placement placement; /* so far */
    int64_t *shards;                 /* of each dimension, so far */
    int different;
    VEC(struct auto_placement) out;
    VEC(int64_t) out_shards;
};

static void list_axis(struct lister *l, int axis);

static void put(struct lister *l)
{
    int64_t shards = 1;
    if (l->different != l->most || l->out.count >= AUTO_STRATEGIES)
        return;
    for (int d = 0; d < l->count; d++)
        shards *= l->shards[d];
    VEC_PUSH(l->arena, &l->out, l->placement);
    VEC_PUSH(l->arena, &l->out_shards, shards);
}

static void try_dim(struct lister *l, int axis, int dim)
{
    int64_t size = l->mesh->axis_sizes[axis], before = l->shards[dim];
    const struct auto_divided *at = &l->dims[dim];
    if (at->unit <= 1 || size <= 1 || at->unit % (before * size) || at->size % (before * size))
        return;
    l->different += before == 1;
    l->shards[dim] *= size;
    l->placement.dims[axis] = (int8_t)dim;
    list_axis(l, axis + 1);
    l->placement.dims[axis] = -1;
    l->shards[dim] = before;
    l->different -= before == 1;
}

static void list_axis(struct lister *l, int axis)
{
    if (l->out.count >= AUTO_STRATEGIES || l->different > l->most)
        return;
    if (axis == l->mesh->axis_count) {
        put(l);
        return;
    }
    for (int d = 0; d < l->count; d++)
        try_dim(l, axis, d);
    list_axis(l, axis + 1);
}

struct auto_strategies auto_groups_strategies(struct arena *arena, const struct mesh *mesh,
                                              int count, const struct auto_divided *dims)
{
    struct lister l = {.arena = arena, .mesh = mesh, .count = count, .dims = dims};
    l.shards = ARENA_ARRAY(arena, int64_t, (size_t)count + 1);
    for (int d = 0; d < count; d++)
        l.shards[d] = 1;
    memset(l.placement.dims, -1, sizeof l.placement.dims);
    for (l.most = 0; l.most <= mesh->axis_count; l.most++)
        list_axis(&l, 0);
    return (struct auto_strategies){(int)l.out.count, l.out.items, l.out_shards.items};
}

/* ---- groups ---------------------------------------------------------------------------------- */
struct key { /* of a group: what its values have in common */
    const struct sharding *given;
    int64_t rank, element_bytes, is_fixed, sizes[SHAPE_MAX_RANK], classes[SHAPE_MAX_RANK];
};

static struct key key_of(const struct auto_value *value)
{
    struct key key = {.given = value->given,
                      .rank = value->rank,
                      .element_bytes = value->element_bytes,
                      .is_fixed = value->is_fixed};
    for (int d = 0; d < value->rank; d++) {
        key.sizes[d] = value->sizes[d];
        key.classes[d] = value->classes[d];
    }
    return key;
}

/* The axes of the mesh that a client's sharding over this mesh names; replicated for others. */
static struct auto_strategies given_strategy(struct arena *arena, const struct mesh *mesh,
                                             const struct sharding *given)
{
    struct auto_placement *placement = ARENA_NEW(arena, struct auto_placement);
    int64_t *shards = ARENA_NEW(arena, int64_t);
    memset(placement->dims, -1, sizeof placement->dims);
    *shards = 1;
    for (int d = 0; given && given->kind == SHARDING_TILED && d < given->rank; d++)
        for (int i = 0; given->mesh == mesh && i < given->dims[d].axes.count; i++) {
            const struct axis_ref *ref = &given->dims[d].axes.at[i];
            placement->dims[ref->axis] = (int8_t)d;
            *shards *= sharding_axis_size(mesh, *ref);
        }
    return (struct auto_strategies){1, placement, shards};
}

static struct auto_strategies strategies_of(struct arena *arena, const struct auto_classes *classes,
                                            const struct mesh *mesh, const struct auto_value *value)
{
    struct auto_divided dims[SHAPE_MAX_RANK];
    if (value->is_fixed)
        return given_strategy(arena, mesh, value->given);
    for (int d = 0; d < value->rank; d++) {
        int class = value->classes[d];
        dims[d] =
            (struct auto_divided){value->sizes[d], class < 0 ? 0 : classes->classes[class].unit};
    }
    return auto_groups_strategies(arena, mesh, value->rank, dims);
}

void auto_groups_find(struct arena *arena, const struct auto_classes *classes,
                      const struct mesh *mesh, struct auto_groups *out)
{
    struct map *known = map_create(arena);
    VEC(struct auto_group) groups = {0};
    int *of = ARENA_ARRAY(arena, int, (size_t)classes->value_count + 1);
    for (int i = 0; i < classes->value_count; i++) {
        struct key key = key_of(&classes->values[i]);
        uintptr_t index = (uintptr_t)map_get(known, &key, sizeof key);
        if (!index) {
            struct auto_group group = {i, strategies_of(arena, classes, mesh, &classes->values[i])};
            VEC_PUSH(arena, &groups, group);
            index = groups.count;
            map_put(known, &key, sizeof key, (void *)index);
        }
        of[i] = (int)index - 1;
    }
    *out = (struct auto_groups){(int)groups.count, groups.items, of};
}
