#include "compiler/frontend/hlo/hlo_sharding.h"

#include "compiler/frontend/wire.h"

#define DEVICES_PER_UNIT 64 /* devices for each unit of work of hlo_module_charge() */

const Gantry__Hlo__Sharding *hlo_sharding_leaf(const Gantry__Hlo__Sharding *from, size_t leaf)
{
    if (!from || from->type != TILES_TUPLE)
        return from;
    return leaf < from->n_elements ? from->elements[leaf] : NULL;
}

static void read_subgroups(const Gantry__Hlo__Sharding *from, struct sharding_tiles *out)
{
    out->subgroup_count = (int)from->n_last_dimension_types;
    for (size_t i = 0; i < from->n_last_dimension_types; i++)
        out->subgroups[i] = (enum tiles_kind)from->last_dimension_types[i];
    if (from->replicate_on_last_dimension && !out->subgroup_count) {
        out->subgroup_count = 1;
        out->subgroups[0] = TILES_REPLICATED;
    }
}

static struct error *read_tiles(const Gantry__Hlo__Sharding *from, struct sharding_tiles *out)
{
    size_t rank = from->n_iota_dimensions;
    if (from->n_tile_dimensions > SHARDING_MAX_TILES || rank > SHARDING_MAX_TILES ||
        from->n_last_dimension_types > SHARDING_MAX_TILES ||
        (from->n_iota_permutation && from->n_iota_permutation != rank))
        return ERROR(INVALID_ARGUMENT,
                     "a sharding has %zu tile dimensions, %zu subgroups and an iota of %zu "
                     "dimensions permuted by %zu numbers; the limit is %d, and the last two must "
                     "match",
                     from->n_tile_dimensions, from->n_last_dimension_types, rank,
                     from->n_iota_permutation, SHARDING_MAX_TILES);
    out->tile_count = (int)from->n_tile_dimensions;
    for (size_t i = 0; i < from->n_tile_dimensions; i++)
        out->tiles[i] = from->tile_dimensions[i];
    out->reshape_count = (int)rank;
    for (size_t i = 0; i < rank; i++) {
        out->reshape[i] = from->iota_dimensions[i];
        out->permutation[i] = from->n_iota_permutation ? from->iota_permutation[i] : (int)i;
    }
    read_subgroups(from, out);
    return NULL;
}

/* The sharding of one value of `rank` dimensions. */
static struct error *read_value(const struct module *module, const Gantry__Hlo__Sharding *from,
                                int rank, const struct sharding **out)
{
    struct sharding_tiles tiles = {.kind = (enum tiles_kind)from->type};
    TRY(read_tiles(from, &tiles));
    if (!from->n_iota_dimensions && from->n_tile_devices) {
        tiles.device_count = (int64_t)from->n_tile_devices;
        tiles.devices = from->tile_devices;
    }
    return sharding_tiles_read(module->arena, &tiles, rank, module->num_partitions, out);
}

struct error *hlo_sharding_read(struct hlo *h, const Gantry__Hlo__Sharding *from,
                                const struct type *type, struct sharding_note *out)
{
    *out = (struct sharding_note){0};
    if (!from || type->kind != TYPE_TENSOR)
        return NULL;
    TRY(hlo_module_charge(h, from->n_tile_devices / DEVICES_PER_UNIT));
    if (!from->n_iota_dimensions && from->n_tile_devices)
        h->module->lists_devices = true;
    *out = (struct sharding_note){NULL, from->has_group, from->group};
    return read_value(h->module, from, type->shape.rank, &out->sharding);
}

struct error *hlo_sharding_parse(const struct module *module, struct string bytes, int count,
                                 const struct type *const *types, const struct sharding **out)
{
    ProtobufCMessage *message;
    TRY(wire_unpack(module->arena, &gantry__hlo__sharding__descriptor, bytes.data, bytes.size,
                    &message));
    const Gantry__Hlo__Sharding *from = (const Gantry__Hlo__Sharding *)message;
    if (from->type == TILES_TUPLE && from->n_elements != (size_t)count)
        return ERROR(INVALID_ARGUMENT, "a sharding is a tuple of %zu; there are %d values",
                     from->n_elements, count);
    for (int i = 0; i < count; i++) {
        out[i] = NULL;
        if (types[i]->kind == TYPE_TENSOR)
            TRY(read_value(module, hlo_sharding_leaf(from, (size_t)i), types[i]->shape.rank,
                           &out[i]));
    }
    return NULL;
}

static void join(struct hlo_frame *f, struct value *value, int64_t group)
{
    const struct type *type = type_plain(f->hlo->arena, value->type);
    struct op *op = ir_op(f->hlo->module, OP_sharding_group, 1, &value, 1, &type, 0);
    op->attrs.sharding_group.group = group;
    ir_append(f->block, op);
}

struct error *hlo_sharding_annotate(struct hlo_frame *f, const hlo_instruction *in, struct op *op)
{
    const Gantry__Hlo__Sharding *last = NULL;
    struct sharding_note note = {0};
    int last_rank = -1;
    for (int i = 0; in->sharding && i < op->result_count; i++) {
        const Gantry__Hlo__Sharding *from = hlo_sharding_leaf(in->sharding, (size_t)i);
        const struct type *type = op->results[i].type;
        if (from != last || type->shape.rank != last_rank || type->kind != TYPE_TENSOR)
            TRY(hlo_sharding_read(f->hlo, from, type, &note));
        last = from;
        last_rank = type->kind == TYPE_TENSOR ? type->shape.rank : -1;
        TRY(sharding_attach(f->hlo->arena, type, note.sharding, &op->results[i].type));
        if (note.has_group)
            join(f, &op->results[i], note.group);
    }
    return NULL;
}
