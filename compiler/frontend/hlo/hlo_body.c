#include "compiler/frontend/hlo/hlo_body.h"

#include <string.h>

static const struct hlo_definition *find_definition(const struct hlo_frame *f, int64_t id)
{
    return map_get(f->definitions, &id, sizeof id);
}

struct builder hlo_body_builder(struct hlo_frame *f, const hlo_instruction *in)
{
    return (struct builder){f->hlo->module, f->block, NULL, hlo_module_location(f->hlo, in)};
}

struct error *hlo_body_built(struct hlo_frame *f, struct value *value, const struct hlo_node **out)
{
    TRY(build_check(f->hlo->module, value));
    *out = hlo_shape_leaf(f->hlo->arena, value);
    return NULL;
}

struct error *hlo_body_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                               const struct hlo_node **out)
{
    if (i >= in->n_operands)
        return ERROR(INVALID_ARGUMENT, "has %zu operands; it must have at least %zu",
                     in->n_operands, i + 1);
    const struct hlo_definition *definition = find_definition(f, in->operands[i]);
    *out = definition ? definition->node : NULL;
    return definition
               ? NULL
               : ERROR(INVALID_ARGUMENT, "operand %zu (id %lld) is used before its definition", i,
                       (long long)in->operands[i]);
}

const hlo_instruction *hlo_body_source(struct hlo_frame *f, const hlo_instruction *in, size_t i)
{
    return find_definition(f, in->operands[i])->in;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static struct error *convert_one(struct hlo_frame *f, const hlo_instruction *in)
{
    struct hlo_definition *definition = ARENA_NEW(f->hlo->arena, struct hlo_definition);
    definition->in = in;
    TRY(hlo_module_charge(f->hlo, 1));
    struct error *error = f->hlo->convert(f, in, &definition->node);
    if (!error && map_put(f->definitions, &in->id, sizeof in->id, definition))
        error = ERROR(INVALID_ARGUMENT, "another instruction has the same id");
    const struct location *at = error ? hlo_module_location(f->hlo, in) : NULL;
    const char *location =
        at && at->file && !f->hlo->has_location
            ? arena_format(f->hlo->arena, " (%.300s:%d:%d)", at->file, at->line, at->column)
            : "";
    f->hlo->has_location = error != NULL; /* only the innermost location is reported */
    return error ? error_prefix(error, "HLO %.100s %.200s in %.200s%s", in->opcode, in->name,
                                f->computation->proto->name, location)
                 : NULL;
}

/* Appends the computation to f->block; f->arguments is set. */
static struct error *convert(struct hlo_frame *f, const struct hlo_node **root)
{
    struct hlo_computation *c = f->computation;
    struct error *error = NULL;
    if (c->is_open)
        return hlo_module_invalid(c, "recursion is unsupported");
    if (f->hlo->depth >= HLO_BODY_MAX_DEPTH)
        return ERROR(INVALID_ARGUMENT, "HLO computations are nested deeper than %d",
                     HLO_BODY_MAX_DEPTH);
    c->is_open = true;
    f->hlo->depth++;
    f->definitions = map_create(f->hlo->arena);
    for (size_t i = 0; !error && i < c->proto->n_instructions; i++)
        error = convert_one(f, c->proto->instructions[i]);
    f->hlo->depth--;
    c->is_open = false;
    if (error)
        return error;
    *root = find_definition(f, c->root->id)->node;
    return NULL;
}

static struct error *parameter_types(struct hlo *h, const struct hlo_computation *c,
                                     hlo_types *types)
{
    for (size_t i = 0; i < c->parameter_count; i++)
        TRY(hlo_shape_types(h->arena, c->parameters[i]->shape, types));
    return hlo_module_charge(h, types->count);
}

/* Sets the parameters to trees of the block's arguments. */
static void bind_arguments(struct hlo_frame *f)
{
    struct hlo_computation *c = f->computation;
    struct arena *arena = f->hlo->arena;
    size_t count = (size_t)f->block->argument_count, at = 0;
    struct value **values = ARENA_ARRAY(arena, struct value *, count);
    for (size_t i = 0; i < count; i++)
        values[i] = &f->block->arguments[i];
    f->arguments = ARENA_ARRAY(arena, const struct hlo_node *, c->parameter_count);
    for (size_t i = 0; i < c->parameter_count; i++)
        f->arguments[i] = hlo_shape_node(arena, c->parameters[i]->shape, values, &at);
}

static struct error *append_return(struct hlo_frame *f, const struct hlo_node *root,
                                   hlo_values *values)
{
    TRY(hlo_module_flatten(f->hlo, root, values));
    ir_append(f->block,
              ir_op(f->hlo->module, OP_return, (int)values->count, values->items, 0, NULL, 0));
    return NULL;
}

/* ---- regions --------------------------------------------------------------------------------- */

static struct error *fill(struct hlo_frame *f)
{
    const struct hlo_node *root;
    hlo_values values = {0};
    TRY(convert(f, &root));
    return append_return(f, root, &values);
}

struct error *hlo_body_region(struct hlo_frame *f, int64_t id, struct op *op, int i)
{
    struct hlo_frame inner = {.hlo = f->hlo, .func = f->func};
    hlo_types types = {0};
    TRY(hlo_module_find(f->hlo, id, &inner.computation));
    TRY(parameter_types(f->hlo, inner.computation, &types));
    inner.block = ir_block(f->hlo->module, f->func, op, (int)types.count, types.items);
    op->regions[i] = inner.block;
    bind_arguments(&inner);
    return fill(&inner);
}

struct error *hlo_body_inline(struct hlo_frame *f, int64_t id, struct block *block, size_t count,
                              const struct hlo_node **arguments, const struct hlo_node **root)
{
    struct hlo_frame inner = {
        .hlo = f->hlo, .func = f->func, .arguments = arguments, .block = block};
    TRY(hlo_module_find(f->hlo, id, &inner.computation));
    bool fits = inner.computation->parameter_count == count;
    for (size_t i = 0; fits && i < count; i++)
        fits = hlo_shape_fits(inner.computation->parameters[i]->shape, arguments[i]);
    if (!fits)
        return hlo_module_invalid(
            inner.computation,
            "its parameters do not match the operands of the instruction that applies it");
    return convert(&inner, root);
}

struct error *hlo_body_branch(struct hlo_frame *f, int64_t id, const struct hlo_node *argument,
                              struct op *op, int i)
{
    struct hlo_frame inner = {.hlo = f->hlo, .func = f->func};
    const struct hlo_node *root;
    hlo_values values = {0};
    inner.block = op->regions[i] = ir_block(f->hlo->module, f->func, op, 0, NULL);
    TRY(hlo_body_inline(f, id, inner.block, 1, &argument, &root));
    return append_return(&inner, root, &values);
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct argument_info *infos(struct arena *arena, size_t count)
{
    struct argument_info *all = ARENA_ARRAY(arena, struct argument_info, count);
    for (size_t i = 0; i < count; i++)
        all[i].alias_result = -1;
    return all;
}

struct hlo_name {  /* of a function */
    size_t copies; /* the number of names derived from it */
};

/* A unique name for a function; derived names avoid "main", the name of the entry. */
static const char *unique_name(struct hlo *h, const char *name)
{
    struct hlo_name *own = map_get(h->names, name, strlen(name));
    const char *tried = name;
    while (map_get(h->names, tried, strlen(tried)))
        tried =
            arena_format(h->arena, "%s.%zu.%zu", name, map_count(h->computations), ++own->copies);
    map_put(h->names, tried, strlen(tried), ARENA_NEW(h->arena, struct hlo_name));
    return tried;
}

struct error *hlo_body_func(struct hlo *h, struct hlo_computation *c, const char *name,
                            struct func **out)
{
    struct hlo_frame frame = {.hlo = h, .computation = c};
    hlo_types types = {0};
    hlo_values results = {0};
    const struct hlo_node *root;
    *out = c->func;
    if (c->func)
        return c->is_open ? hlo_module_invalid(c, "recursion is unsupported") : NULL;
    TRY(parameter_types(h, c, &types));
    struct func *func = c->func = ir_func(h->module, unique_name(h, name));
    frame.func = func;
    frame.block = func->body = ir_block(h->module, func, NULL, (int)types.count, types.items);
    func->argument_infos = infos(h->arena, types.count);
    bind_arguments(&frame);
    TRY(convert(&frame, &root));
    if (!hlo_shape_fits(c->root->shape, root))
        return hlo_module_invalid(c, "the value of its root does not have the declared shape");
    TRY(append_return(&frame, root, &results));
    func->result_count = (int)results.count;
    func->result_types = ARENA_ARRAY(h->arena, const struct type *, results.count);
    for (size_t i = 0; i < results.count; i++)
        func->result_types[i] = results.items[i]->type;
    func->result_infos = infos(h->arena, results.count);
    *out = func;
    return NULL;
}
