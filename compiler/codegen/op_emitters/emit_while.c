/* emit_while.c: loops over scalars inside the region of a scatter or reduction. With several lanes
 * the loop goes on while any enabled lane does; the others keep their values. */
#include "compiler/codegen/op_emitters/op_emitters.h"

struct slot { /* of a value that the loop carries: a stack slot for each part */
    LLVMValueRef part[2];
};

struct while_loop {
    const struct op *op;
    int lanes;
    LLVMValueRef enabled; /* the mask of lanes that take part; NULL: all */
    struct slot *slots;
};

static bool is_inside(const struct block *block, const struct op *op)
{
    while (block && block->owner && block->owner != op)
        block = block->owner->block;
    return block && block->owner == op;
}

/* What the regions read from outside is computed before the loop. */
static struct error *emit_captured(struct emitter *e, const struct op *loop,
                                   const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        struct element unused;
        for (int i = 0; i < op->operand_count; i++)
            if (op->operands[i]->def && !is_inside(op->operands[i]->def->block, loop))
                TRY(expression_scalar(e, op->operands[i], &unused));
        for (int r = 0; r < op->region_count; r++)
            TRY(emit_captured(e, loop, op->regions[r]));
    }
    return NULL;
}

static void store(struct emitter *e, const struct while_loop *w, int i,
                  const struct element *element)
{
    struct element wide = element_widen(e, element, w->lanes);
    for (int part = 0; part < 2 && wide.part[part]; part++)
        LLVMBuildStore(e->builder, wide.part[part], w->slots[i].part[part]);
}

static struct element load(struct emitter *e, const struct while_loop *w, int i)
{
    LLVMTypeRef type = element_type(e, w->op->operands[i]->type->shape.dtype, w->lanes);
    struct element element = {.lanes = w->lanes};
    for (int part = 0; part < 2 && w->slots[i].part[part]; part++)
        element.part[part] = LLVMBuildLoad2(e->builder, type, w->slots[i].part[part], "");
    return element;
}

static struct error *emit_initial(struct emitter *e, struct while_loop *w)
{
    for (int i = 0; i < w->op->operand_count; i++) {
        enum dtype dtype = w->op->operands[i]->type->shape.dtype;
        struct element initial;
        TRY(expression_scalar(e, w->op->operands[i], &initial));
        for (int part = 0; part < 1 + dtype_is_complex(dtype); part++)
            w->slots[i].part[part] = emitter_alloca(e, element_type(e, dtype, w->lanes), 64);
        store(e, w, i, &initial);
    }
    return NULL;
}

/* Branches to `body` while an enabled lane's condition holds. *going: the lanes whose does. */
static struct error *emit_condition(struct emitter *e, const struct while_loop *w,
                                    const struct element *values, LLVMBasicBlockRef body,
                                    LLVMBasicBlockRef exit, struct element *going)
{
    TRY(expression_body(e, w->op->regions[0], values, going));
    *going = element_widen(e, going, w->lanes);
    if (w->enabled)
        going->part[0] = expression_and(e, going->part[0], w->enabled);
    LLVMValueRef more = emitter_any(e, going->part[0], w->lanes);
    if (e->stop_flag)
        more = LLVMBuildAnd(e->builder, more, emitter_goes_on(e, e->stop_flag), "");
    LLVMBuildCondBr(e->builder, more, body, exit);
    return NULL;
}

static struct error *emit_iterations(struct emitter *e, const struct while_loop *w)
{
    int count = w->op->operand_count;
    LLVMBasicBlockRef head = emitter_block(e), body = emitter_block(e), exit = emitter_block(e);
    struct element *values = ARENA_ARRAY(e->arena, struct element, (size_t)count + 1);
    struct element *next = ARENA_ARRAY(e->arena, struct element, (size_t)count + 1), going;
    LLVMBuildBr(e->builder, head);
    LLVMPositionBuilderAtEnd(e->builder, head);
    for (int i = 0; i < count; i++)
        values[i] = load(e, w, i);
    TRY(emit_condition(e, w, values, body, exit, &going));
    LLVMPositionBuilderAtEnd(e->builder, body);
    TRY(expression_body(e, w->op->regions[1], values, next));
    for (int i = 0; i < count; i++) {
        struct element kept = element_select(e, &going, &next[i], &values[i]);
        store(e, w, i, &kept);
    }
    LLVMBuildBr(e->builder, head);
    LLVMPositionBuilderAtEnd(e->builder, exit);
    return NULL;
}

static bool is_scalar_loop(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->kind != TYPE_TENSOR || op->operands[i]->type->shape.rank)
            return false;
    return true;
}

struct error *emit_while(struct emitter *e, const struct op *op, const struct index *index,
                         struct element *out)
{
    struct while_loop w = {.op = op, .lanes = e->lanes};
    if (!is_scalar_loop(op) || index->rank || !e->binding)
        return emitter_unimplemented(e, op, "a loop over arrays inside of a fusion");
    w.enabled = element_mask(e);
    w.slots = ARENA_ARRAY(e->arena, struct slot, (size_t)op->operand_count + 1);
    TRY(emit_captured(e, op, op->regions[0]));
    TRY(emit_captured(e, op, op->regions[1]));
    TRY(emit_initial(e, &w));
    TRY(emit_iterations(e, &w));
    for (int i = 0; i < op->result_count; i++)
        out[i] = load(e, &w, i);
    return NULL;
}
