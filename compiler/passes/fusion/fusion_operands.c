/* fusion_operands.c: see fusion_operands.h. */
#include "compiler/passes/fusion/fusion_operands.h"

#include "compiler/ir/along_dim.h"
#include "compiler/schedule/concatenation.h"
#include "compiler/ir/build.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/fusion_op.h"
#include "compiler/passes/rewrite/fusion_make.h"

enum {
    SMALL_CONSTANT = 256, /* splats of at most this many bytes stay constants */
    SELECTED = 128,       /* most operands that one concatenation selects from */
    TREE_PARTS = 64,      /* operands of each concatenation in a tree */
    STORED_ELEMENTS = 64  /* of an operand, on average, that is worth a kernel of its own */
};

static void fill(struct module *module, struct op *op, int operand)
{
    struct value *value = op->operands[operand];
    struct op *fusion = fusion_make(module, FUSION_LOOP, op, 1, &value->def, 1, &value);
    ir_set_operand(module, op, operand, &fusion->results[0]);
    if (!value->uses) /* otherwise the constant would be stored */
        ir_remove(value->def);
}

void fusion_operands_splats(struct module *module, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next)
        for (int i = 0; i < op->operand_count; i++)
            if (op->code != OP_fusion && fusion_make_is_internal(op->operands[i]) &&
                type_bytes(op->operands[i]->type) > SMALL_CONSTANT)
                fill(module, op, i);
}

void fusion_operands_update(struct module *module, struct op *op, int written)
{
    for (int i = 0; i < written; i++) {
        if (fusion_make_is_internal(op->operands[i]))
            fill(module, op, i);
        for (int j = i + 1; j < op->operand_count; j++) {
            if (op->operands[j] != op->operands[i])
                continue;
            struct op *copy =
                ir_op(module, OP_copy, 1, &op->operands[i], 1, &op->operands[i]->type, 0);
            ir_insert_before(op, copy);
            ir_set_operand(module, op, i, &copy->results[0]);
            break;
        }
    }
}

void fusion_operands_standalone(struct module *module, struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (fusion_make_is_internal(op->operands[i]) && type_elements(op->operands[i]->type) != 1)
            fill(module, op, i);
}

/* Whether an operand is in memory whatever is fused, or worth to be stored. A slice that is no view
 * of its operand costs less where it is read. */
static bool may_be_copied(const struct op *op, const struct value *operand, bool long_enough,
                          const struct target *target)
{
    int64_t before;
    const struct value *value = concatenation_viewed(operand, &before);
    if (!value->def || value->def->block != op->block)
        return true;
    if (value->def->code == OP_constant)
        return long_enough || !fusion_make_is_internal(value);
    return fusion_op_role(value->def, target) != ROLE_LOOP ||
           (long_enough && value->def->code != OP_slice);
}

bool fusion_operands_are_copied(const struct op *op, const struct target *target)
{
    if (op->code != OP_concatenate || op->operand_count <= CONCATENATION_NESTS ||
        op->operand_count > CONCATENATION_OPERANDS)
        return false;
    bool long_enough =
        type_elements(op->results[0].type) >= (int64_t)STORED_ELEMENTS * op->operand_count;
    for (int i = 0; i < op->operand_count; i++)
        if (!may_be_copied(op, op->operands[i], long_enough, target))
            return false;
    return true;
}

static void store_constants(struct module *module, struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (fusion_make_is_internal(op->operands[i]))
            fill(module, op, i);
}

void fusion_operands_concatenate(struct module *module, struct op *op, const struct target *target)
{
    struct builder b = {module, op->block, op, op->location};
    int count = op->operand_count;
    if (fusion_operands_are_copied(op, target)) {
        store_constants(module, op);
        return;
    }
    if (count <= SELECTED)
        return;
    struct value **parts =
        arena_copy(module->arena, op->operands, (size_t)count * sizeof *op->operands);
    while (count > 1) {
        int made = 0;
        for (int i = 0; i < count; i += TREE_PARTS) {
            int size = count - i < TREE_PARTS ? count - i : TREE_PARTS;
            parts[made++] =
                along_dim_concatenate(&b, size, parts + i, (int)op->attrs.dimension.dimension);
        }
        count = made;
    }
    ir_replace_uses(module, &op->results[0], parts[0]);
}
