/* buffer_in_place.c: see buffer_in_place.h. */
#include "compiler/passes/buffer/buffer_in_place.h"

#include "compiler/passes/buffer/buffer_copies.h"

static bool reads_marked(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->note)
            return true;
    return false;
}

static bool all_have_shape(const struct op *op, const struct type *type)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->note && !type_same_shape(op->operands[i]->type, type))
            return false;
    return type_same_shape(op->results[0].type, type);
}

/* What follows from argument `operand` of a loop's body, found by marks (value->note): every
 * element keeps its place. */
static bool keeps_place(struct block *body, int operand, const struct type *type)
{
    for (int i = 0; i < body->argument_count; i++)
        body->arguments[i].note = i == operand ? body : NULL;
    for (struct op *op = body->first; op != body->last; op = op->next) {
        bool follows = reads_marked(op);
        if (follows && (!(op_info(op->code)->traits & OP_ELEMENTWISE) || !all_have_shape(op, type)))
            return false;
        for (int i = 0; i < op->result_count; i++)
            op->results[i].note = follows ? body : NULL;
    }
    return true;
}

static const struct value *behind_copy(const struct value *value)
{
    return value->def && value->def->code == OP_copy ? value->def->operands[0] : value;
}

/* A region that carries its argument in a loop whose result it returns reads the argument once,
 * at its begin. */
static bool carries(const struct block *body, int operand, int result)
{
    const struct value *answer = behind_copy(body->last->operands[result]), *start;
    if (!answer->def || answer->def->code != OP_while)
        return false;
    start = behind_copy(answer->def->operands[answer->index]);
    return start == &body->arguments[operand] && ir_has_one_use(start);
}

bool buffer_in_place(const struct op *fusion, int operand, int result)
{
    const struct type *from = fusion->operands[operand]->type, *to = fusion->results[result].type;
    const struct block *body = fusion->regions[0];
    if (fusion->attrs.fusion.fusion_kind == FUSION_UPDATE)
        return buffer_copies_updated_operand(fusion, result) == operand;
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION)
        return carries(body, operand, result);
    for (int i = 0; i < fusion->result_count;
         i++) /* all are written in one loop, an index at a time */
        if (!type_same_shape(fusion->results[i].type, to))
            return false;
    return fusion->attrs.fusion.fusion_kind == FUSION_LOOP && type_same_shape(from, to) &&
           dtype_bytes(from->shape.dtype) == dtype_bytes(to->shape.dtype) &&
           keeps_place(fusion->regions[0], operand, to);
}
