/* hlo_module.c: see hlo_module.h. */
#include "compiler/frontend/hlo/hlo_module.h"

#include <string.h>

/* ---- computations ---------------------------------------------------------------------------- */
struct error *hlo_module_invalid(const struct hlo_computation *c, const char *what)
{
    return ERROR(INVALID_ARGUMENT, "HLO computation %.200s: %s", c->proto->name, what);
}

/* Parameters are numbered 0, 1 ... but may be in any order. */
static struct error *find_parameters(struct hlo *h, struct hlo_computation *c)
{
    const Gantry__Hlo__Computation *proto = c->proto;
    for (size_t i = 0; i < proto->n_instructions; i++) {
        c->parameter_count += strcmp(proto->instructions[i]->opcode, "parameter") == 0;
        if (proto->instructions[i]->id == proto->root_id)
            c->root = proto->instructions[i];
    }
    c->parameters = ARENA_ARRAY(h->arena, const hlo_instruction *, c->parameter_count);
    for (size_t i = 0; i < proto->n_instructions; i++) {
        const hlo_instruction *in = proto->instructions[i];
        if (strcmp(in->opcode, "parameter") != 0)
            continue;
        if (in->parameter_number < 0 || (uint64_t)in->parameter_number >= c->parameter_count ||
            c->parameters[in->parameter_number])
            return hlo_module_invalid(c, "its parameters must be numbered 0, 1 ...");
        c->parameters[in->parameter_number] = in;
    }
    return c->root ? NULL : hlo_module_invalid(c, "its root must be one of its instructions");
}

struct error *hlo_module_prepare(struct hlo *h, const Gantry__Hlo__Computation *from)
{
    struct hlo_computation *c = ARENA_NEW(h->arena, struct hlo_computation);
    c->proto = from;
    if (map_put(h->computations, &from->id, sizeof from->id, c))
        return hlo_module_invalid(c, "another computation has the same id");
    return find_parameters(h, c);
}

struct error *hlo_module_find(struct hlo *h, int64_t id, struct hlo_computation **out)
{
    *out = map_get(h->computations, &id, sizeof id);
    return *out ? NULL
                : ERROR(INVALID_ARGUMENT, "the computation %lld does not exist", (long long)id);
}

struct error *hlo_module_charge(struct hlo *h, size_t work)
{
    if (work <= h->work_limit - h->work) {
        h->work += work;
        return NULL;
    }
    return ERROR(RESOURCE_EXHAUSTED,
                 "the module expands to more than %zu instructions and tuple elements, the limit "
                 "for its size",
                 h->work_limit);
}

static void append_leaves(struct arena *arena, const struct hlo_node *node, hlo_values *values)
{
    if (node->value)
        VEC_PUSH(arena, values, node->value);
    for (size_t i = 0; i < node->count; i++)
        append_leaves(arena, node->elements[i], values);
}

struct error *hlo_module_flatten(struct hlo *h, const struct hlo_node *node, hlo_values *values)
{
    TRY(hlo_module_charge(h, node->leaves));
    append_leaves(h->arena, node, values);
    return NULL;
}

/* ---- locations ------------------------------------------------------------------------------- */

static void locate_frame(const Gantry__Hlo__StackFrames *frames, int32_t frame,
                         struct location *location)
{
    if (frame < 1 || (size_t)frame > frames->n_frames)
        return;
    int32_t at = frames->frames[frame - 1]->location;
    if (at < 1 || (size_t)at > frames->n_locations)
        return;
    const Gantry__Hlo__FileLocation *from = frames->locations[at - 1];
    if (from->file < 1 || (size_t)from->file > frames->n_files)
        return;
    location->file = frames->files[from->file - 1];
    location->line = from->line;
    location->column = from->column;
}

const struct location *hlo_module_location(struct hlo *h, const hlo_instruction *in)
{
    struct location *location = ARENA_NEW(h->arena, struct location);
    const Gantry__Hlo__Metadata *metadata = in->metadata;
    location->name = metadata && *metadata->op_name ? metadata->op_name : in->name;
    if (metadata && *metadata->source_file) {
        location->file = metadata->source_file;
        location->line = metadata->source_line;
        location->column = metadata->source_column;
    } else if (metadata && h->proto->stack_frames) {
        locate_frame(h->proto->stack_frames, metadata->stack_frame, location);
    }
    return location;
}
