/* fusion_operands.c: see fusion_operands.h. */
#include "compiler/passes/fusion/fusion_operands.h"

#include "compiler/analysis/concatenation.h"
#include "compiler/ir/build.h"

#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/rewrite/fusion_make.h"

enum {
    SMALL_CONSTANT = 256, /* splats of at most this many bytes stay constants */
    TREE_PARTS = 64       /* operands of each concatenation in a tree */
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

static struct value *concatenate(struct builder *b, const struct op *op, int count,
                                 struct value *const *parts)
{
    return count == 1 ? parts[0]
                      : build_declared(b, OP_concatenate, count, parts, NULL, &op->attrs);
}

void fusion_operands_concatenate(struct module *module, struct op *op)
{
    struct builder b = {module, op->block, op, op->location};
    int count = op->operand_count;
    if (count <= CONCATENATION_OPERANDS)
        return;
    struct value **parts =
        arena_copy(module->arena, op->operands, (size_t)count * sizeof *op->operands);
    while (count > 1) {
        int made = 0;
        for (int i = 0; i < count; i += TREE_PARTS) {
            int size = count - i < TREE_PARTS ? count - i : TREE_PARTS;
            parts[made++] = concatenate(&b, op, size, parts + i);
        }
        count = made;
    }
    ir_replace_uses(module, &op->results[0], parts[0]);
}
