#include "compiler/passes/entry_layouts.h"

#include "compiler/passes/rewrite/rewrite.h"

static struct error *check(const struct type *type, const char *what, int index)
{
    if (!type->shape.minor_to_major ||
        (type->kind == TYPE_TENSOR && !type->shape.tile_count &&
         shape_is_permutation(type->shape.rank, type->shape.minor_to_major)))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "the layout of %s %d must list each dimension once and have no tiles", what,
                 index);
}

/* Sets the argument's stored type and replaces its uses by a transpose. */
static void change_argument(struct module *module, struct value *argument)
{
    const struct type *declared = argument->type;
    int64_t permutation[SHAPE_MAX_RANK];
    int rank = declared->shape.rank;
    for (int p = 0; p < rank; p++)
        permutation[shape_minor_to_major(&declared->shape, rank - 1 - p)] = p;
    struct builder b = {module, argument->block, argument->block->first, NULL};
    argument->type = type_stored(module->arena, declared);
    struct value *logical = build_transpose(&b, argument, permutation);
    ir_replace_uses(module, argument, logical);
    ir_set_operand(module, logical->def, 0, argument);
}

/* Returns a transpose of the result instead. */
static void change_result(struct module *module, int index, const struct shape *shape)
{
    struct op *ret = module->entry->body->last;
    int64_t permutation[SHAPE_MAX_RANK];
    for (int p = 0; p < shape->rank; p++)
        permutation[p] = shape_minor_to_major(shape, shape->rank - 1 - p);
    struct builder b = rewrite_before(module, ret);
    ir_set_operand(module, ret, index, build_transpose(&b, ret->operands[index], permutation));
}

static bool is_aliased(const struct func *func, int result)
{
    for (int i = 0; i < func->body->argument_count; i++)
        if (func->argument_infos && func->argument_infos[i].alias_result == result)
            return true;
    return false;
}

/* Of a transposed value whose layout the compiler may choose, the layout in which the value is
 * stored as it was before the transpose. */
static void choose_layout(struct module *module, struct func *func, int index)
{
    const struct op *def = func->body->last->operands[index]->def;
    const struct type *type = func->result_types[index];
    if (!func->result_infos || !func->result_infos[index].layout_auto || !def ||
        def->code != OP_transpose || type->shape.minor_to_major || is_aliased(func, index))
        return;
    const int64_t *permutation = def->attrs.transpose.permutation.at;
    int rank = type->shape.rank;
    int64_t *order = ARENA_ARRAY(module->arena, int64_t, (size_t)rank);
    for (int i = 0; i < rank; i++)
        order[rank - 1 - permutation[i]] = i;
    struct type *chosen = arena_copy(module->arena, type, sizeof *type);
    chosen->shape.minor_to_major = order;
    func->result_types[index] = chosen;
    func->result_infos[index].layout_auto = false;
}

struct error *entry_layouts_run(struct module *module, const struct target *target)
{
    struct func *func = module->entry;
    struct block *body = func->body;
    (void)target;
    const struct type **types =
        ARENA_ARRAY(module->arena, const struct type *, (size_t)body->argument_count);
    for (int i = 0; i < body->argument_count; i++) {
        const struct type *type = types[i] = ir_argument_type(func, i);
        TRY(check(type, "argument", i));
        if (!shape_is_row_major(&type->shape))
            change_argument(module, &body->arguments[i]);
    }
    func->argument_types = types;
    for (int i = 0; i < func->result_count; i++) {
        choose_layout(module, func, i);
        const struct type *type = func->result_types[i];
        TRY(check(type, "result", i));
        if (!shape_is_row_major(&type->shape))
            change_result(module, i, &type->shape);
    }
    return NULL;
}
