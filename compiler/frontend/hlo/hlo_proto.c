#include "compiler/frontend/hlo/hlo_proto.h"

#include "compiler/frontend/hlo/hlo_body.h"
#include "compiler/frontend/hlo/hlo_groups.h"
#include "compiler/frontend/wire.h"

enum { HOST_MEMORY = 5 }; /* a layout's memory space */

struct read {
    struct arena *arena;
    const void *bytes;
    size_t size;
    struct module *module;
};

/* ---- arguments and results ------------------------------------------------------------------- */

struct boundary { /* the leaves of the arguments or of the results, in order */
    struct arena *arena;
    struct argument_info *infos;
    struct value *values;      /* the arguments, or NULL */
    const struct type **types; /* of results, or NULL */
    size_t leaf;
};

/* Memory kind and sharding of the leaves of a shape; `first` is the number of the first one. */
static void annotate(struct boundary *b, const hlo_shape *shape,
                     const Gantry__Hlo__Sharding *sharding, size_t first)
{
    if (hlo_shape_is_tuple(shape)) {
        for (size_t i = 0; i < shape->n_elements; i++)
            annotate(b, shape->elements[i], sharding, first);
        return;
    }
    const struct type **type = b->values ? &b->values[b->leaf].type : &b->types[b->leaf];
    struct argument_info *info = &b->infos[b->leaf];
    info->sharding = hlo_groups_sharding(b->arena, sharding, b->leaf - first);
    if (shape->layout && shape->layout->memory_space == HOST_MEMORY)
        info->memory = MEMORY_PINNED_HOST;
    struct type *annotated = arena_copy(b->arena, *type, sizeof **type);
    annotated->sharding = info->sharding;
    annotated->shape.memory = info->memory;
    *type = annotated;
    b->leaf++;
}

/* Which argument of @main a path into a parameter is. */
static struct error *find_argument(const struct hlo_computation *entry, int64_t parameter,
                                   size_t count, const int64_t *path, struct argument_info **out)
{
    int64_t before = 0, leaf;
    if (parameter < 0 || (uint64_t)parameter >= entry->parameter_count)
        return ERROR(INVALID_ARGUMENT, "HLO aliases: there is no parameter %lld",
                     (long long)parameter);
    for (int64_t i = 0; i < parameter; i++)
        before += hlo_shape_leaf_count(entry->parameters[i]->shape);
    TRY(hlo_shape_leaf_index(entry->parameters[parameter]->shape, count, path, &leaf));
    *out = &entry->func->argument_infos[before + leaf];
    return NULL;
}

static struct error *read_donors(const struct hlo_computation *entry,
                                 const Gantry__Hlo__Module *proto)
{
    struct argument_info *info;
    for (size_t i = 0; proto->donors && i < proto->donors->n_entries; i++) {
        const Gantry__Hlo__Donor *donor = proto->donors->entries[i];
        TRY(find_argument(entry, donor->parameter, donor->n_parameter_index, donor->parameter_index,
                          &info));
        info->donated = true;
    }
    for (size_t i = 0; proto->aliases && i < proto->aliases->n_entries; i++) {
        const Gantry__Hlo__Alias *alias = proto->aliases->entries[i];
        int64_t result;
        TRY(find_argument(entry, alias->parameter, alias->n_parameter_index, alias->parameter_index,
                          &info));
        TRY(hlo_shape_leaf_index(entry->root->shape, alias->n_output_index, alias->output_index,
                                 &result));
        info->alias_result = (int)result;
    }
    return NULL;
}

/* ---- the module ------------------------------------------------------------------------------ */

static struct error *convert_entry(struct hlo *h, struct hlo_computation *entry)
{
    struct func *func;
    TRY(hlo_body_func(h, entry, "main", &func));
    struct boundary arguments = {
        .arena = h->arena, .infos = func->argument_infos, .values = func->body->arguments};
    struct boundary results = {
        .arena = h->arena, .infos = func->result_infos, .types = func->result_types};
    for (size_t i = 0; i < entry->parameter_count; i++) {
        const hlo_instruction *in = entry->parameters[i];
        annotate(&arguments, in->shape, in->sharding, arguments.leaf);
    }
    if (!hlo_shape_leaf_count(entry->root->shape) || func->result_count)
        annotate(&results, entry->root->shape, entry->root->sharding, 0);
    func->is_public = true;
    h->module->entry = func;
    return read_donors(entry, h->proto);
}

static struct error *read_body(void *context)
{
    struct read *read = context;
    ProtobufCMessage *message;
    struct hlo_computation *entry;
    TRY(wire_unpack(read->arena, &gantry__hlo__module__descriptor, read->bytes, read->size,
                    &message));
    const Gantry__Hlo__Module *proto = (const Gantry__Hlo__Module *)message;
    struct hlo h = {.arena = read->arena, .proto = proto};
    h.module = ir_module(h.arena, *proto->name ? proto->name : "module");
    h.module->num_replicas = h.module->num_partitions = 1;
    h.module->meshes = map_create(h.arena);
    h.computations = map_create(h.arena);
    for (size_t i = 0; i < proto->n_computations; i++)
        TRY(hlo_body_prepare(&h, proto->computations[i]));
    struct error *error = hlo_body_find(&h, proto->entry_id, &entry);
    if (error)
        return error_prefix(error, "HLO module %.200s: its entry", h.module->name);
    TRY(convert_entry(&h, entry));
    read->module = h.module;
    return NULL;
}

struct error *hlo_proto_read(struct arena *arena, const void *bytes, size_t size,
                             struct module **out)
{
    struct read read = {.arena = arena, .bytes = bytes, .size = size};
    struct error *error = arena_run(arena, read_body, &read);
    *out = read.module;
    return error;
}
