/* attention_mask.c: see attention_mask.h. */
#include "compiler/passes/fusion/attention_mask.h"

#include "base/map.h"
#include "base/vec.h"
#include "compiler/analysis/constants.h"
#include "compiler/ir/literal.h"
#include "compiler/passes/fusion/attention_softmax.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/passes/rewrite/rewrite.h"

#define LOWEST (-1000.)

/* ---- recognition ----------------------------------------------------------------------------- */
/* Whether a value is a constant so low that the weights of its columns are zero, if a row has a
 * column of usual size. */
static bool is_lowest(const struct value *value)
{
    while (attention_softmax_defined_by(value, OP_broadcast_in_dim))
        value = value->def->operands[0];
    const struct literal *literal = constants_literal(value);
    return literal && literal_is_uniform(literal) &&
           dtype_to_double(literal->type->shape.dtype, literal->bytes) <= LOWEST;
}

/* Sets the note of the values in the block that `value` depends on, and clears the others. */
static void mark(struct block *body, struct value *value)
{
    for (int i = 0; i < body->argument_count; i++)
        body->arguments[i].note = NULL;
    for (struct op *op = body->first; op; op = op->next)
        for (int i = 0; i < op->result_count; i++)
            op->results[i].note = NULL;
    value->note = body->owner;
    for (struct op *op = body->last; op; op = op->previous)
        for (int i = 0; op->result_count && op->results[0].note && i < op->operand_count; i++)
            op->operands[i]->note = body->owner;
}

/* The value that a mask repeats for all indices of its outer dimensions, or the mask itself. */
static struct value *without_outer(struct value *mask)
{
    const struct op *op = attention_softmax_defined_by(mask, OP_broadcast_in_dim);
    if (!op)
        return mask;
    const struct shape *in = &op->operands[0]->type->shape, *out = &mask->type->shape;
    struct dims to = op->attrs.broadcast_in_dim.broadcast_dimensions;
    for (int i = 0; i < in->rank; i++)
        if (to.at[i] != out->rank - in->rank + i || in->dims[i] != out->dims[to.at[i]])
            return mask;
    return in->rank ? op->operands[0] : mask;
}

struct attention_mask attention_mask_find(const struct op *softmax, int scores_operand)
{
    struct block *body = softmax->regions[0];
    const struct op *quotient = attention_softmax_quotient(softmax);
    const struct op *select =
        quotient ? attention_softmax_defined_by(attention_softmax_input(quotient), OP_select)
                 : NULL;
    if (!select || (!is_lowest(select->operands[1]) && !is_lowest(select->operands[2])))
        return (struct attention_mask){0};
    mark(body, select->operands[0]);
    if (body->arguments[scores_operand].note)
        return (struct attention_mask){0};
    return (struct attention_mask){without_outer(select->operands[0]),
                                   !is_lowest(select->operands[2])};
}

/* ---- the number of columns ------------------------------------------------------------------- */
/* Clones what the mask is computed from; returns the clone of the mask. */
static struct value *clone_mask(struct module *module, struct op *softmax, struct value *visible)
{
    struct block *body = softmax->regions[0];
    struct map *values = map_create(module->arena);
    mark(body, visible);
    for (int i = 0; i < body->argument_count; i++)
        map_put_pointer(values, &body->arguments[i], softmax->operands[i]);
    for (const struct op *op = body->first; op != body->last; op = op->next)
        if (op->results[0].note)
            ir_insert_before(softmax, ir_clone(module, op, values));
    return map_get_pointer(values, visible);
}

/* max(select(visible, column + 1, 0)) along rows. */
static struct value *build_count(struct builder *b, struct value *visible, bool hides)
{
    int last = visible->type->shape.rank - 1;
    const struct type *type = type_with_dtype(b->module->arena, visible->type, DTYPE_S32);
    struct value *column = build_iota(b, type, last);
    struct value *zero = build_splat(b, type, 0);
    struct value *number = build_binary(b, OP_add, column, build_splat(b, type, 1));
    struct value *seen =
        hides ? build_select(b, visible, zero, number) : build_select(b, visible, number, zero);
    return build_reduce(b, seen, build_scalar(b, DTYPE_S32, 0), OP_maximum, 1, (int64_t[]){last});
}

/* Inserts a FUSION_LOOP before the softmax that counts. */
static struct value *count_columns(struct module *module, struct op *softmax,
                                   const struct attention_mask *mask)
{
    struct op *before = softmax->previous;
    struct value *visible = clone_mask(module, softmax, mask->visible);
    struct builder b = rewrite_before(module, softmax);
    struct value *count = build_count(&b, visible, mask->hides);
    VEC(struct op *) members = {0};
    for (struct op *op = before ? before->next : softmax->block->first; op != softmax;
         op = op->next)
        VEC_PUSH(module->arena, &members, op);
    struct op *fusion =
        fusion_make(module, FUSION_LOOP, softmax, (int)members.count, members.items, 1, &count);
    for (size_t i = members.count; i--;)
        ir_remove(members.items[i]);
    return &fusion->results[0];
}

/* The fusion with one more operand, which its region does not read; it replaces the fusion. */
static struct op *add_operand(struct module *module, struct op *fusion, struct value *operand)
{
    int count = fusion->operand_count;
    struct value **operands = ARENA_ARRAY(module->arena, struct value *, (size_t)count + 1);
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, (size_t)count + 1);
    for (int i = 0; i <= count; i++) {
        operands[i] = i < count ? fusion->operands[i] : operand;
        types[i] = operands[i]->type;
    }
    struct op *made = ir_op(module, OP_fusion, count + 1, operands, 1,
                            (const struct type *[]){fusion->results[0].type}, 1);
    made->attrs = fusion->attrs;
    made->location = fusion->location;
    struct block *body = made->regions[0] =
        ir_block(module, fusion->block->func, made, count + 1, types);
    struct map *values = map_create(module->arena);
    for (int i = 0; i < count; i++)
        map_put_pointer(values, &fusion->regions[0]->arguments[i], &body->arguments[i]);
    for (const struct op *op = fusion->regions[0]->first; op; op = op->next)
        ir_append(body, ir_clone(module, op, values));
    ir_insert_before(fusion, made);
    ir_replace_uses(module, &fusion->results[0], &made->results[0]);
    ir_remove(fusion);
    return made;
}

struct op *attention_mask_add(struct module *module, struct op *softmax,
                              const struct attention_mask *mask)
{
    return add_operand(module, softmax, count_columns(module, softmax, mask));
}
