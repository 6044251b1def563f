/* model_narrow.c: see model_narrow.h. Backward over each block, so that the users of a value are
 * decided before it. A loop is tried with all that it may carry narrow, then without what was found
 * to be read as f32. */
#include "compiler/model/kernels/model_narrow.h"

#include "compiler/model/kernels/model_role.h"

enum {
    TRIED_DEPTH = 2, /* of loops in loops */
    MAX_TRIALS = 4   /* of a loop */
};

static void mark(struct model *model, const struct value *value, bool is_narrow)
{
    if (is_narrow || map_get_pointer(model->narrow, value))
        map_put_pointer(model->narrow, value, is_narrow ? (void *)(uintptr_t)value : NULL);
}

bool model_narrow_has(const struct model *model, const struct value *value)
{
    return map_get_pointer(model->narrow, value) != NULL;
}

struct shape model_narrow_shape(const struct model *model, const struct value *value)
{
    struct shape shape = value->type->shape;
    if (model_narrow_has(model, value))
        shape.dtype = DTYPE_BF16;
    return shape;
}

/* ---- who reads a value ----------------------------------------------------------------------- */
static bool rounds_operands(const struct op *product)
{
    const struct precisions *precisions = product->code == OP_dot_general
                                              ? &product->attrs.dot.precision_config
                                              : &product->attrs.convolution.precision_config;
    return precisions->lhs == PRECISION_DEFAULT && precisions->rhs == PRECISION_DEFAULT;
}

/* Whether the elements of the result are some of operand i's, so that they may both be narrow. */
static bool passes_on(const struct op *op, int i)
{
    switch (op->code) {
    case OP_abs:
    case OP_broadcast_in_dim:
    case OP_clamp:
    case OP_concatenate:
    case OP_copy:
    case OP_maximum:
    case OP_minimum:
    case OP_pad:
    case OP_reshape:
    case OP_reverse:
    case OP_slice:
    case OP_transpose: return true;
    case OP_dynamic_slice:
    case OP_gather: return i == 0;
    case OP_dynamic_update_slice: return i <= 1;
    case OP_select: return i > 0;
    default: return false;
    }
}

/* Whether the block's operation keeps, as its result or argument, what the block returns at i. */
static bool owner_is_narrow(const struct model *model, const struct block *block, int i)
{
    const struct op *owner = block->owner;
    if (!owner || owner->code != OP_while)
        return false;
    return block == owner->regions[1] && model_narrow_has(model, &block->arguments[i]);
}

bool model_narrow_reads(const struct model *model, const struct use *use)
{
    const struct op *user = use->user;
    if (model_role(user) == MODEL_PRODUCT)
        return rounds_operands(user);
    if (user->code == OP_convert)
        return user->results[0].type->shape.dtype == DTYPE_BF16;
    if (user->code == OP_while)
        return model_narrow_has(model, &user->regions[1]->arguments[use->operand]);
    if (user->code == OP_return)
        return owner_is_narrow(model, user->block, use->operand);
    return passes_on(user, use->operand) && model_narrow_has(model, &user->results[0]);
}

static bool all_read_narrow(const struct model *model, const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (!model_narrow_reads(model, use))
            return false;
    return true;
}

static bool may_be_narrow(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR && value->type->shape.dtype == DTYPE_F32;
}

/* ---- loops ----------------------------------------------------------------------------------- */
static void visit_block(struct model *model, const struct block *block, int depth);

static bool begins_narrow(const struct model *model, const struct op *loop, int i)
{
    const struct value *result = &loop->results[i];
    return may_be_narrow(result) && loop->regions[1]->arguments[i].uses &&
           !loop->regions[0]->arguments[i].uses && all_read_narrow(model, result);
}

/* Takes the mark from what the body reads as f32; false if nothing was. */
static bool drop_wide(struct model *model, const struct block *body)
{
    bool dropped = false;
    for (int i = 0; i < body->argument_count; i++) {
        const struct value *argument = &body->arguments[i];
        if (!model_narrow_has(model, argument) || all_read_narrow(model, argument))
            continue;
        mark(model, argument, false);
        dropped = true;
    }
    return dropped;
}

static void mark_carried(struct model *model, const struct op *loop, bool may)
{
    for (int i = 0; i < loop->operand_count; i++)
        mark(model, &loop->regions[1]->arguments[i], may && begins_narrow(model, loop, i));
}

/* Visits the body until what it carries is as it was assumed. */
static void try_body(struct model *model, const struct op *loop, int depth)
{
    const struct block *body = loop->regions[1];
    mark_carried(model, loop, true);
    for (int trial = 0; trial < MAX_TRIALS && depth < TRIED_DEPTH; trial++) {
        visit_block(model, body, depth + 1);
        if (!drop_wide(model, body))
            return;
    }
    mark_carried(model, loop, false);
    visit_block(model, body, depth + 1);
}

static void visit_loop(struct model *model, const struct op *loop, int depth)
{
    try_body(model, loop, depth);
    for (int i = 0; i < loop->operand_count; i++)
        mark(model, &loop->results[i], model_narrow_has(model, &loop->regions[1]->arguments[i]));
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static void visit(struct model *model, const struct op *op, int depth)
{
    if (op->code == OP_while) {
        visit_loop(model, op, depth);
        return;
    }
    for (int i = 0; i < op->result_count; i++) {
        const struct value *result = &op->results[i];
        bool is_control = model_role(op) == MODEL_CONTROL;
        if (may_be_narrow(result))
            mark(model, result, !is_control && result->uses && all_read_narrow(model, result));
    }
    for (int k = 0; model_role(op) == MODEL_CONTROL && k < op->region_count; k++)
        visit_block(model, op->regions[k], depth + 1);
}

static void visit_block(struct model *model, const struct block *block, int depth)
{
    for (const struct op *op = block->last; op; op = op->previous)
        visit(model, op, depth);
}

void model_narrow(struct model *model)
{
    model->narrow = map_create(model->arena);
    visit_block(model, model->module->entry->body, 0);
}

bool model_narrow_is_read(const struct model *model, const struct value *value)
{
    return may_be_narrow(value) && value->uses && all_read_narrow(model, value);
}
