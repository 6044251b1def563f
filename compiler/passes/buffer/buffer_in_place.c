/* buffer_in_place.c: see buffer_in_place.h. */
#include "compiler/passes/buffer/buffer_in_place.h"

#include <stdint.h>

#include "compiler/schedule/concatenation.h"
#include "compiler/analysis/update_window.h"
#include "compiler/passes/buffer/buffer_copies.h"

/* How a value in a loop's body depends on the operand in question (value->note). */
enum reach {
    REACH_NONE,
    /* each element depends on elements of the same row of the operand, or on fewer */
    REACH_ELEMENT,
    REACH_ROW /* one value per row of the operand */
};

/* Propagates the dependence on an operand through the body, in program order. */
struct walk {
    const struct type *type; /* of the operand and of all results */
    /* dimensions that reductions keep, which index the rows; -1: no reduction so far */
    int leading;
    bool reduces, loops; /* reduces rows of the operand; has any other loop of its own */
};

static enum reach reach_of(const struct value *value)
{
    return (enum reach)(uintptr_t)value->note;
}

static void set_reach(struct op *op, enum reach reach)
{
    for (int i = 0; i < op->result_count; i++)
        op->results[i].note = (void *)(uintptr_t)reach;
}

static bool is_plain(const struct op *op)
{
    unsigned traits = op_info(op->code)->traits;
    return (traits & (OP_ELEMENTWISE | OP_INDEXED)) || op->code == OP_constant ||
           op->code == OP_iota || op->code == OP_bitcast_convert;
}

static bool starts_from_rows(const struct op *reduce)
{
    for (int i = reduce->operand_count / 2; i < reduce->operand_count; i++)
        if (reach_of(reduce->operands[i]))
            return true;
    return false;
}

/* Whether a reduction is over the last dimensions of values of the loop's shape, the same ones as
 * in all other reductions. */
static bool reduces_rows(struct walk *walk, const struct op *op)
{
    if (op->code != OP_reduce)
        return false;
    const struct type *from = op->operands[0]->type, *to = op->results[0].type;
    int leading = to->shape.rank;
    if (!type_same_shape(from, walk->type) || starts_from_rows(op) ||
        (walk->leading >= 0 && walk->leading != leading))
        return false;
    for (int i = 0; i < leading; i++)
        if (dims_contain(op->attrs.dimensions.dimensions, i))
            return false;
    walk->leading = leading;
    return true;
}

/* Whether an operation broadcasts a value per row to the elements of the row. */
static bool spreads_row(const struct walk *walk, const struct op *op)
{
    struct dims to = op->attrs.broadcast_in_dim.broadcast_dimensions;
    if (op->code != OP_broadcast_in_dim || !type_same_shape(op->results[0].type, walk->type))
        return false;
    for (int64_t i = 0; i < to.count; i++)
        if (to.at[i] != i)
            return false;
    return true;
}

/* The reach of an operation's results if all dependent operands have the same reach and the shape
 * of the results; otherwise REACH_NONE. */
static enum reach follow_elements(const struct op *op)
{
    enum reach reach = REACH_NONE;
    if (!(op_info(op->code)->traits & OP_ELEMENTWISE))
        return REACH_NONE;
    for (int i = 0; i < op->operand_count; i++) {
        enum reach of = reach_of(op->operands[i]);
        if (of && ((reach && of != reach) ||
                   !type_same_shape(op->operands[i]->type, op->results[0].type)))
            return REACH_NONE;
        reach = of ? of : reach;
    }
    return reach;
}

static bool depends(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (reach_of(op->operands[i]))
            return true;
    return false;
}

/* Whether an operation stores elements of the operand at their own index of a window, or only
 * renames them for that. */
static bool stores_window(const struct walk *walk, const struct op *op)
{
    const struct use *use = op->results[0].uses;
    if (op->code == OP_dynamic_update_slice) {
        for (int i = 0; i < op->operand_count; i++)
            if (i != 1 && reach_of(op->operands[i]))
                return false;
        return type_elements(op->operands[1]->type) == type_elements(walk->type);
    }
    return op->code == OP_reshape && ir_has_one_use(&op->results[0]) && use->operand == 1 &&
           use->user->code == OP_dynamic_update_slice;
}

/* Whether the walk may continue after the operation. */
static bool visit(struct walk *walk, struct op *op)
{
    bool rows = reduces_rows(walk, op);
    enum reach reach = REACH_NONE;
    walk->loops |= !rows && !is_plain(op);
    if (depends(op)) {
        walk->reduces |= rows;
        reach = rows                                               ? REACH_ROW
                : spreads_row(walk, op) || stores_window(walk, op) ? REACH_ELEMENT
                                                                   : follow_elements(op);
        if (!reach)
            return false;
    }
    set_reach(op, reach);
    return true;
}

/* Whether argument `operand` of a loop's body is read only for the element at the same index, or
 * for reductions of the row that contains it: a work item of such a loop handles whole rows, and
 * reduces a row before it writes its first element (loops.h). */
static bool reads_own_index(struct block *body, int operand, const struct type *type)
{
    struct walk walk = {.type = type, .leading = -1};
    for (int i = 0; i < body->argument_count; i++)
        body->arguments[i].note = (void *)(uintptr_t)(i == operand ? REACH_ELEMENT : REACH_NONE);
    for (struct op *op = body->first; op != body->last; op = op->next)
        if (!visit(&walk, op))
            return false;
    return !walk.reduces || !walk.loops;
}

static const struct value *copy_source(const struct value *value)
{
    return value->def && value->def->code == OP_copy ? value->def->operands[0] : value;
}

/* A region whose loop carries the argument and returns the loop's result reads the argument once,
 * before the loop. */
static bool carries(const struct block *body, int operand, int result)
{
    const struct value *answer = copy_source(body->last->operands[result]), *start;
    if (!answer->def || answer->def->code != OP_while)
        return false;
    start = copy_source(answer->def->operands[answer->index]);
    return start == &body->arguments[operand] && ir_has_one_use(start);
}

/* A loop that writes one element has read all that it reads before. */
static bool writes_once(const struct op *fusion)
{
    return fusion->result_count == 1 && shape_elements(&fusion->results[0].type->shape) == 1;
}

/* Whether all results are written in one loop, index by index. A concatenation among several may be
 * stored an operand at a time, before what reads the same indices for the other results. */
static bool writes_in_one_loop(const struct op *fusion)
{
    const struct op *end = fusion->regions[0]->last;
    for (int i = 0; i < fusion->result_count; i++) {
        const struct op *def = end->operands[i]->def;
        if (!type_same_shape(fusion->results[i].type, fusion->results[0].type) ||
            (fusion->result_count > 1 && def && def->code == OP_concatenate &&
             concatenation_is_divided(def)))
            return false;
    }
    return true;
}

/* Whether one loop may write a result over an operand. */
static bool overwrites_own_index(const struct op *fusion, int operand, int result)
{
    const struct type *from = fusion->operands[operand]->type, *to = fusion->results[result].type;
    return type_same_shape(from, to) &&
           dtype_bytes(from->shape.dtype) == dtype_bytes(to->shape.dtype) &&
           (writes_once(fusion) || reads_own_index(fusion->regions[0], operand, to));
}

bool buffer_in_place(const struct op *fusion, int operand, int result)
{
    const struct block *body = fusion->regions[0];
    if (fusion->attrs.fusion.fusion_kind == FUSION_UPDATE &&
        buffer_copies_updated_operand(fusion, result) >= 0)
        return buffer_copies_updated_operand(fusion, result) == operand;
    if (fusion->attrs.fusion.fusion_kind == FUSION_UPDATE)
        return update_window_in_one_loop(fusion) && overwrites_own_index(fusion, operand, result);
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION)
        return carries(body, operand, result);
    return fusion->attrs.fusion.fusion_kind == FUSION_LOOP && writes_in_one_loop(fusion) &&
           overwrites_own_index(fusion, operand, result);
}
