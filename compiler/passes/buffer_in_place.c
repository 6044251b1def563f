/* buffer_in_place.c: see buffer_in_place.h. */
#include "compiler/passes/buffer_in_place.h"

#include "compiler/passes/buffer_copies.h"

/* Forward from argument `operand` of a region every element keeps its place. */
static bool keeps_place(const struct value *value, const struct type *type, int depth)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        const struct op *user = use->user;
        if (user->code == OP_return)
            continue;
        if (!(op_info(user->code)->traits & OP_ELEMENTWISE) || depth > 64 ||
            !type_same_shape(user->results[0].type, type) || !type_same_shape(value->type, type) ||
            !keeps_place(&user->results[0], type, depth + 1))
            return false;
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
           dtype_bytes(from->dtype) == dtype_bytes(to->dtype) &&
           keeps_place(&body->arguments[operand], to, 0);
}
