#include "compiler/passes/spmd/auto/auto_copy.h"

static void set_function(struct block *block, struct func *func)
{
    block->func = func;
    for (struct op *op = block->first; op; op = op->next)
        for (int r = 0; r < op->region_count; r++)
            set_function(op->regions[r], func);
}

static struct block *copy_body(struct module *to, struct func *func, const struct block *from)
{
    struct map *values = map_create(to->arena);
    const struct type **types =
        ARENA_ARRAY(to->arena, const struct type *, (size_t)from->argument_count + 1);
    for (int i = 0; i < from->argument_count; i++)
        types[i] = from->arguments[i].type;
    struct block *body = ir_block(to, func, NULL, from->argument_count, types);
    for (int i = 0; i < from->argument_count; i++)
        map_put_pointer(values, &from->arguments[i], &body->arguments[i]);
    for (const struct op *op = from->first; op; op = op->next)
        ir_append(body, ir_clone(to, op, values));
    set_function(body, func);
    return body;
}

struct module *auto_copy_make(struct arena *arena, const struct module *module)
{
    const struct func *from = module->entry;
    struct module *copy = arena_copy(arena, module, sizeof *module);
    struct func *func = arena_copy(arena, from, sizeof *from);
    copy->arena = arena;
    copy->lists = map_create(arena); /* what they get ends with the copy */
    copy->collective_groups = map_create(arena);
    copy->first = copy->last = copy->entry = func;
    func->next = NULL;
    func->result_types = arena_copy(arena, from->result_types,
                                    (size_t)from->result_count * sizeof *from->result_types);
    if (from->argument_types)
        func->argument_types =
            arena_copy(arena, from->argument_types,
                       (size_t)from->body->argument_count * sizeof *from->argument_types);
    func->body = copy_body(copy, func, from->body);
    return copy;
}
