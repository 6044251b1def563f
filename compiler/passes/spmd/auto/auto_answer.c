#include "compiler/passes/spmd/auto/auto_answer.h"

#include <string.h>

#include "base/map.h"

struct writer {
    const struct auto_classes *classes;
    const struct mesh *mesh;
    const struct auto_answer *answer;
    struct arena *arena;
    const struct sharding **shardings; /* of each value; made when first needed */
    int64_t slot;
};

/* ---- orders ---------------------------------------------------------------------------------- */
double auto_answer_shards(const struct auto_classes *classes, const struct mesh *mesh,
                          const struct auto_answer *answer, int index)
{
    struct auto_placement placement = auto_answer_place(classes, mesh, answer, index);
    double shards = 1;
    for (int axis = 0; axis < mesh->axis_count; axis++)
        if (placement.dims[axis] >= 0)
            shards *= (double)mesh->axis_sizes[axis];
    return shards;
}

bool auto_answer_equal(const struct auto_answer *a, const struct auto_answer *b, int axes)
{
    for (int i = 0; i < axes; i++)
        if (a->orders[i].count != b->orders[i].count ||
            memcmp(a->orders[i].at, b->orders[i].at,
                   (size_t)a->orders[i].count * sizeof *a->orders[i].at))
            return false;
    return a->is_sparse == b->is_sparse && a->placements == b->placements &&
           a->savings == b->savings;
}

int auto_answer_position(const struct auto_order *order, int class)
{
    for (int i = 0; i < order->count; i++)
        if (order->at[i] == class)
            return i;
    return -1;
}

bool auto_answer_insert(struct auto_order *order, int at, int class)
{
    if (order->count == AUTO_ORDER || auto_answer_position(order, class) >= 0)
        return false;
    for (int i = order->count++; i > at; i--)
        order->at[i] = order->at[i - 1];
    order->at[at] = (int16_t)class;
    return true;
}

void auto_answer_remove(struct auto_order *order, int at)
{
    order->count--;
    for (int i = at; i < order->count; i++)
        order->at[i] = order->at[i + 1];
}

void auto_answer_append(struct auto_answer *answer, unsigned axes, int class)
{
    for (int axis = 0; axes >> axis; axis++)
        if (axes >> axis & 1)
            auto_answer_insert(&answer->orders[axis], answer->orders[axis].count, class);
}

/* ---- values ---------------------------------------------------------------------------------- */
/* The dimension of the value that has the class and can take `size` more shards; -1: none can. */
static int find_dim(const struct auto_classes *classes, const struct auto_value *value,
                    const int64_t *shards, int class, int64_t size)
{
    int64_t unit = classes->classes[class].unit;
    for (int d = 0; d < value->rank; d++)
        if (value->classes[d] == class)
            return unit % (shards[d] * size) == 0 && value->sizes[d] % (shards[d] * size) == 0 ? d
                                                                                               : -1;
    return -1;
}

static struct auto_placement place_by_orders(const struct auto_classes *classes,
                                             const struct mesh *mesh,
                                             const struct auto_answer *answer,
                                             const struct auto_value *value)
{
    struct auto_placement out = {0};
    int64_t shards[SHAPE_MAX_RANK];
    for (int d = 0; d < value->rank; d++)
        shards[d] = 1;
    for (int axis = 0; axis < mesh->axis_count; axis++) {
        const struct auto_order *order = &answer->orders[axis];
        int dim = -1;
        for (int i = 0; dim < 0 && i < order->count; i++)
            dim = find_dim(classes, value, shards, order->at[i], mesh->axis_sizes[axis]);
        if (dim >= 0)
            shards[dim] *= mesh->axis_sizes[axis];
        out.dims[axis] = (int8_t)dim;
    }
    return out;
}

struct auto_placement auto_answer_place(const struct auto_classes *classes, const struct mesh *mesh,
                                        const struct auto_answer *answer, int index)
{
    return answer->placements ? answer->placements[index]
                              : place_by_orders(classes, mesh, answer, &classes->values[index]);
}

uint64_t auto_answer_digest(const struct auto_classes *classes, const struct mesh *mesh,
                            const struct auto_answer *answer)
{
    uint64_t hash = answer->is_sparse;
    for (int i = 0; i < classes->value_count; i++) {
        if (classes->values[i].is_fixed)
            continue;
        struct auto_placement placement = auto_answer_place(classes, mesh, answer, i);
        hash = map_hash(&placement, sizeof placement, hash);
    }
    if (answer->savings)
        hash = map_hash(answer->savings->at, (size_t)answer->savings->count, hash);
    return hash;
}

/* ---- shardings ------------------------------------------------------------------------------- */
static struct axis_refs axes_of(struct arena *arena, const struct auto_placement *placement,
                                int axes, int dim)
{
    struct axis_ref *at = ARENA_ARRAY(arena, struct axis_ref, (size_t)axes);
    int count = 0;
    for (int axis = 0; axis < axes; axis++)
        if (placement->dims[axis] == dim)
            at[count++] = (struct axis_ref){.axis = axis};
    return (struct axis_refs){count, at};
}

static const struct sharding *sharding_of(struct writer *w, int index)
{
    const struct auto_value *value = &w->classes->values[index];
    if (w->shardings[index])
        return w->shardings[index];
    struct auto_placement placement = auto_answer_place(w->classes, w->mesh, w->answer, index);
    struct sharding *made = ARENA_NEW(w->arena, struct sharding);
    struct dim_sharding *dims = ARENA_ARRAY(w->arena, struct dim_sharding, (size_t)value->rank + 1);
    for (int d = 0; d < value->rank; d++)
        dims[d] =
            (struct dim_sharding){axes_of(w->arena, &placement, w->mesh->axis_count, d), true, -1};
    *made = (struct sharding){
        .kind = SHARDING_TILED, .mesh = w->mesh, .rank = value->rank, .dims = dims};
    return w->shardings[index] = made;
}

/* The type with the sharding of value number `index`, unless that is the client's or open. */
static const struct type *typed(struct writer *w, const struct type *type, int index)
{
    const struct auto_value *value = index < 0 ? NULL : &w->classes->values[index];
    if (!value || value->is_fixed || value->is_constant)
        return type;
    return type_with_sharding(w->arena, type, sharding_of(w, index));
}

static void write_value(struct writer *w, struct value *value)
{
    value->type = typed(w, value->type, w->classes->slots[w->slot++]);
}

static void write_block(struct writer *w, struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        write_value(w, &block->arguments[i]);
    for (struct op *op = block->first; op && !w->answer->is_sparse; op = op->next) {
        for (int i = 0; i < op->result_count; i++)
            write_value(w, &op->results[i]);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int r = 0; r < op->region_count; r++)
                write_block(w, op->regions[r]);
    }
}

void auto_answer_apply(const struct auto_classes *classes, const struct mesh *mesh,
                       const struct auto_answer *answer, struct module *module)
{
    struct func *entry = module->entry;
    struct writer w = {.classes = classes,
                       .mesh = mesh,
                       .answer = answer,
                       .arena = module->arena,
                       .shardings = ARENA_ARRAY(module->arena, const struct sharding *,
                                                (size_t)classes->value_count + 1)};
    write_block(&w, entry->body);
    const struct type **results =
        ARENA_ARRAY(module->arena, const struct type *, (size_t)entry->result_count + 1);
    for (int i = 0; i < entry->result_count; i++)
        results[i] = typed(&w, entry->result_types[i], classes->results[i]);
    entry->result_types = results;
    auto_savings_apply(module, answer->savings);
}
