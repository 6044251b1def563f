#include "compiler/passes/entry_layouts.h"

#include "compiler/passes/rewrite/rewrite.h"

/* Whether there is work for a value of this type. */
static struct error *check(struct argument_info *info, const struct type *type, const char *what,
                           int index, bool *out)
{
    struct dims *layout = &info->layout;
    bool seen[SHAPE_MAX_RANK] = {false}, row_major = true;
    *out = false;
    if (!layout->count)
        return NULL;
    bool fits = type->kind == TYPE_TENSOR && layout->count == type->shape.rank;
    for (int i = 0; fits && i < type->shape.rank; i++) {
        int64_t dim = layout->at[i];
        fits = dim >= 0 && dim < type->shape.rank && !seen[dim];
        row_major &= dim == type->shape.rank - 1 - i;
        if (fits)
            seen[dim] = true;
    }
    if (!fits)
        return ERROR(INVALID_ARGUMENT, "the layout of %s %d is no order of its dimensions", what,
                     index);
    if (row_major)
        *layout = (struct dims){0};
    *out = !row_major;
    return NULL;
}

/* The argument becomes what lies in memory; a transpose of it takes its uses. */
static void change_argument(struct module *module, struct value *argument, struct dims layout)
{
    struct arena *arena = module->arena;
    int64_t dims[SHAPE_MAX_RANK], permutation[SHAPE_MAX_RANK];
    int rank = argument->type->shape.rank;
    for (int p = 0; p < rank; p++) {
        int64_t dim = layout.at[rank - 1 - p];
        dims[p] = argument->type->shape.dims[dim];
        permutation[dim] = p;
    }
    struct builder b = {module, argument->block, argument->block->first, NULL};
    struct value *logical = build_transpose(&b, argument, permutation);
    ir_replace_uses(module, argument, logical);
    logical->type = argument->type;
    argument->type = type_with_dims(arena, argument->type, rank, dims);
    ir_set_operand(module, logical->def, 0, argument);
}

static void change_result(struct module *module, int index, struct dims layout)
{
    struct func *func = module->entry;
    struct op *ret = func->body->last;
    int64_t permutation[SHAPE_MAX_RANK];
    for (int64_t p = 0; p < layout.count; p++)
        permutation[p] = layout.at[layout.count - 1 - p];
    struct builder b = rewrite_before(module, ret);
    struct value *physical = build_transpose(&b, ret->operands[index], permutation);
    ir_set_operand(module, ret, index, physical);
    func->result_types[index] = physical->type;
}

struct error *entry_layouts_run(struct module *module, const struct target *target)
{
    struct func *func = module->entry;
    struct block *body = func->body;
    bool work;
    (void)target;
    for (int i = 0; func->argument_infos && i < body->argument_count; i++) {
        struct argument_info *info = &func->argument_infos[i];
        TRY(check(info, body->arguments[i].type, "argument", i, &work));
        if (work)
            change_argument(module, &body->arguments[i], info->layout);
    }
    for (int i = 0; func->result_infos && i < body->last->operand_count; i++) {
        struct argument_info *info = &func->result_infos[i];
        TRY(check(info, body->last->operands[i]->type, "result", i, &work));
        if (work)
            change_result(module, i, info->layout);
    }
    return NULL;
}
