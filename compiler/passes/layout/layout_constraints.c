#include "compiler/passes/layout/layout_constraints.h"

#include <string.h>

static bool is_constraint(const struct op *op)
{
    static const char name[] = "LayoutConstraint";
    struct string target = op->attrs.custom_call.call_target_name;
    return op->operand_count == 1 && op->result_count == 1 && target.size == sizeof name - 1 &&
           !memcmp(target.data, name, target.size);
}

/* The constraint of a value, perhaps under constraints of its sharding; NULL: there is none. */
static const struct op *constraint_of(const struct value *value)
{
    const struct op *op = value->def;
    while (op && op->code == OP_sharding_constraint)
        op = op->operands[0]->def;
    return op && op->code == OP_custom_call && is_constraint(op) ? op : NULL;
}

static void declare(struct module *module, int index)
{
    struct func *func = module->entry;
    const struct type *type = func->result_types[index];
    const struct op *constraint = constraint_of(func->body->last->operands[index]);
    if (!constraint || type->kind != TYPE_TENSOR || type->shape.minor_to_major)
        return;
    struct layouts layouts = constraint->attrs.custom_call.result_layouts;
    if (layouts.count != 1 || layouts.at[0].count != type->shape.rank ||
        !shape_is_permutation(type->shape.rank, layouts.at[0].at))
        return;
    struct type *declared = arena_copy(module->arena, type, sizeof *type);
    declared->shape.minor_to_major = layouts.at[0].at;
    func->result_types[index] = declared;
    func->result_infos[index].layout_auto = false;
}

struct error *layout_constraints_run(struct module *module, const struct target *target)
{
    struct func *func = module->entry;
    (void)target;
    for (int i = 0; func->result_infos && i < func->result_count; i++)
        if (func->result_infos[i].layout_auto)
            declare(module, i);
    return NULL;
}
