#include "compiler/frontend/hlo/hlo_proto.h"

#include "compiler/frontend/hlo/hlo_body.h"
#include "compiler/frontend/hlo/hlo_call.h"
#include "compiler/frontend/hlo/hlo_ops.h"
#include "compiler/frontend/hlo/hlo_sharding.h"
#include "compiler/frontend/wire.h"

enum { HOST_MEMORY = 5 }; /* the memory space of a layout */

struct read {
    struct arena *arena;
    const void *bytes;
    size_t size;
    struct module *module;
};

/* ---- arguments and results ------------------------------------------------------------------- */

struct boundary { /* the leaves of the arguments or of the results, in order */
    struct hlo *hlo;
    struct value *values;      /* the arguments, or NULL */
    const struct type **types; /* of results, or NULL */
    size_t leaf;
    const Gantry__Hlo__Sharding *from; /* the last sharding read, and its conversion */
    int rank;
    struct sharding_note note;
};

static struct error *sharding_of(struct boundary *b, const Gantry__Hlo__Sharding *from,
                                 const struct type *type, const struct sharding **out)
{
    *out = NULL;
    if (!from || type->kind != TYPE_TENSOR)
        return NULL;
    if (from != b->from || type->shape.rank != b->rank)
        TRY(hlo_sharding_read(b->hlo, from, type, &b->note));
    b->from = from;
    b->rank = type->shape.rank;
    *out = b->note.sharding;
    return NULL;
}

/* Sets memory kind and sharding of the leaves of a shape; `first` is the number of the first
 * leaf. */
static struct error *annotate(struct boundary *b, const hlo_shape *shape,
                              const Gantry__Hlo__Sharding *sharding, size_t first)
{
    if (hlo_shape_is_tuple(shape)) {
        for (size_t i = 0; i < shape->n_elements; i++)
            TRY(annotate(b, shape->elements[i], sharding, first));
        return NULL;
    }
    const struct type **type = b->values ? &b->values[b->leaf].type : &b->types[b->leaf];
    const struct sharding *given;
    TRY(sharding_of(b, hlo_sharding_leaf(sharding, b->leaf - first), *type, &given));
    TRY(sharding_attach(b->hlo->arena, *type, given, type));
    if (shape->layout && shape->layout->memory_space == HOST_MEMORY)
        *type = type_with_memory(b->hlo->arena, *type, MEMORY_PINNED_HOST);
    b->leaf++;
    return NULL;
}

struct aliasing {
    const struct hlo_computation *entry;
    struct map *arguments, *results; /* numbers of leaves: hlo_shape_number() */
};

/* The argument of @main at a path into a parameter. */
static struct error *find_argument(const struct aliasing *a, int64_t parameter, size_t count,
                                   const int64_t *path, struct argument_info **out)
{
    const hlo_shape *leaf;
    if (parameter < 0 || (uint64_t)parameter >= a->entry->parameter_count)
        return ERROR(INVALID_ARGUMENT, "HLO aliases: parameter %lld does not exist; there are %zu",
                     (long long)parameter, a->entry->parameter_count);
    TRY(hlo_shape_at(a->entry->parameters[parameter]->shape, count, path, &leaf));
    size_t number = (size_t)(uintptr_t)map_get_pointer(a->arguments, leaf);
    *out = &a->entry->func->argument_infos[number - 1];
    return NULL;
}

static struct error *read_alias(const struct aliasing *a, const Gantry__Hlo__Alias *alias)
{
    struct argument_info *info;
    const hlo_shape *leaf;
    TRY(find_argument(a, alias->parameter, alias->n_parameter_index, alias->parameter_index,
                      &info));
    TRY(hlo_shape_at(a->entry->root->shape, alias->n_output_index, alias->output_index, &leaf));
    info->alias_result = (int)(uintptr_t)map_get_pointer(a->results, leaf) - 1;
    return NULL;
}

static struct error *read_donors(struct hlo *h, const struct hlo_computation *entry)
{
    const Gantry__Hlo__Module *proto = h->proto;
    struct aliasing a = {entry, map_create(h->arena), map_create(h->arena)};
    struct argument_info *info;
    size_t arguments = 0, results = 0;
    for (size_t i = 0; i < entry->parameter_count; i++)
        hlo_shape_number(entry->parameters[i]->shape, a.arguments, &arguments);
    hlo_shape_number(entry->root->shape, a.results, &results);
    for (size_t i = 0; proto->donors && i < proto->donors->n_entries; i++) {
        const Gantry__Hlo__Donor *donor = proto->donors->entries[i];
        TRY(find_argument(&a, donor->parameter, donor->n_parameter_index, donor->parameter_index,
                          &info));
        info->donated = true;
    }
    for (size_t i = 0; proto->aliases && i < proto->aliases->n_entries; i++)
        TRY(read_alias(&a, proto->aliases->entries[i]));
    return NULL;
}

/* ---- the module ------------------------------------------------------------------------------ */

static struct error *convert_entry(struct hlo *h, struct hlo_computation *entry)
{
    struct func *func;
    TRY(hlo_body_func(h, entry, "main", &func));
    struct boundary arguments = {.hlo = h, .values = func->body->arguments};
    struct boundary results = {.hlo = h, .types = func->result_types};
    for (size_t i = 0; i < entry->parameter_count; i++) {
        const hlo_instruction *in = entry->parameters[i];
        if (!hlo_shape_is_tuple(in->shape))
            func->argument_infos[arguments.leaf].frontend_attributes =
                hlo_call_frontend(h->arena, in->frontend_attributes);
        struct error *error = annotate(&arguments, in->shape, in->sharding, arguments.leaf);
        if (error)
            return error_prefix(error, "parameter %zu of the entry computation", i);
    }
    struct error *error = annotate(&results, entry->root->shape, entry->root->sharding, 0);
    if (error)
        return error_prefix(error, "the result of the entry computation");
    func->is_public = true;
    h->module->entry = func;
    return h->proto->donors || h->proto->aliases ? read_donors(h, entry) : NULL;
}

static struct error *read_body(void *context)
{
    struct read *read = context;
    ProtobufCMessage *message;
    struct hlo_computation *entry;
    TRY(wire_unpack(read->arena, &gantry__hlo__module__descriptor, read->bytes, read->size,
                    &message));
    const Gantry__Hlo__Module *proto = (const Gantry__Hlo__Module *)message;
    struct hlo h = {.arena = read->arena,
                    .proto = proto,
                    .convert = hlo_ops_convert,
                    .work_limit = HLO_MODULE_EXPANSION + read->size,
                    .names = map_create(read->arena),
                    .groups = map_create(read->arena)};
    h.module = ir_module(h.arena, *proto->name ? proto->name : "module");
    h.module->num_replicas = h.module->num_partitions = 1;
    h.module->meshes = map_create(h.arena);
    h.module->frontend_attributes = hlo_call_frontend(h.arena, proto->frontend_attributes);
    h.computations = map_create(h.arena);
    for (size_t i = 0; i < proto->n_computations; i++)
        TRY(hlo_module_prepare(&h, proto->computations[i]));
    struct error *error = hlo_module_find(&h, proto->entry_id, &entry);
    if (error)
        return error_prefix(error, "HLO module %.200s: the entry computation", h.module->name);
    TRY(convert_entry(&h, entry));
    read->module = h.module;
    return NULL;
}

struct error *hlo_proto_read(struct arena *arena, const void *bytes, size_t size,
                             struct module **out)
{
    struct read read = {.arena = arena, .bytes = bytes, .size = size};
    const char *outer = arena_set_task(arena, "reading the HLO module");
    struct error *error = arena_run(arena, read_body, &read);
    arena_set_task(arena, outer);
    *out = read.module;
    return error;
}
