/* outline.c: see outline.h. */
#include "compiler/schedule/cost.h"
#include "compiler/analysis/memory_copy.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/fusion/outline.h"
#include "compiler/passes/library/library_step.h"
#include "compiler/passes/rewrite/dot_operand.h"
#include "compiler/passes/rewrite/fusion_make.h"

enum { MAX_OPERATIONS = 1200 }; /* operations of a region and its fusions, which bounds code size */

static bool is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}

static bool only_tensors(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (!is_tensor(op->operands[i]))
            return false;
    for (int i = 0; i < op->result_count; i++)
        if (!is_tensor(&op->results[i]))
            return false;
    return true;
}

static bool may_generate_block(const struct block *block, int *operations);

static bool may_generate(const struct op *op, int *operations)
{
    if (!only_tensors(op) || memory_copy_is(op) || ++*operations > MAX_OPERATIONS)
        return false;
    switch (op->code) {
    case OP_fusion:
        if (op->attrs.fusion.fusion_kind == FUSION_ATTENTION_BACKWARD ||
            op->attrs.fusion.fusion_kind == FUSION_THIN_DOT)
            return false;
        for (const struct op *inner = op->regions[0]->first; inner; inner = inner->next)
            ++*operations;
        return true;
    case OP_constant:
    case OP_copy:
    case OP_reshape:
    case OP_return:
    case OP_dot_general:
    case OP_convolution: return true;
    case OP_while:
    case OP_case:
    case OP_if:
        for (int i = 0; i < op->region_count; i++)
            if (!may_generate_block(op->regions[i], operations))
                return false;
        return true;
    default: return false;
    }
}

static bool may_generate_block(const struct block *block, int *operations)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (!may_generate(op, operations))
            return false;
    return true;
}

bool outline_is_cheap(const struct op *op, const struct target *target)
{
    return op->code == OP_while && cost_of_block(op->regions[0]) + cost_of_block(op->regions[1]) <=
                                       (double)target->region_cost;
}

static bool should_outline(const struct op *op, const struct target *target)
{
    int operations = 0;
    return outline_is_cheap(op, target) && may_generate(op, &operations);
}

static void make_standalone(struct module *module, struct op *op)
{
    struct value *result = &op->results[0];
    enum fusion_kind kind = op->code == OP_transpose ? FUSION_LOOP : FUSION_STANDALONE;
    struct op *fusion = fusion_make(module, kind, op, 1, &op, 1, &result);
    ir_replace_uses(module, result, &fusion->results[0]);
    ir_remove(op);
}

/* Makes a kernel of a product. The few columns of a thin result would be its only lanes: it adds
 * vectors of terms instead, which a transpose makes adjacent in both operands. */
static void make_product(struct module *module, struct op *dot)
{
    if (library_step_has_thin_result(dot)) {
        dot_operand_transpose(module, dot, 1);
        make_standalone(module, dot->operands[1]->def);
    }
    make_standalone(module, dot);
}

/* Splits a FUSION_DOT into fusions for its product and its transpose. */
static struct error *unpack_dot(struct module *module, struct op *fusion)
{
    struct value *result;
    TRY(ir_inline_block(module, fusion->regions[0], fusion->operand_count, fusion->operands, fusion,
                        1, &result));
    ir_replace_uses(module, &fusion->results[0], result);
    struct op *transpose = fusion->previous, *dot = transpose->previous;
    ir_remove(fusion);
    make_product(module, dot);
    make_standalone(module, transpose);
    return NULL;
}

/* Replaces library calls by kernels, and hoists constant arrays, which then become operands. */
static struct error *prepare_block(struct module *module, struct block *block, struct op *outside)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        if (op->code == OP_constant && type_elements(op->results[0].type) != 1)
            ir_move_before(outside, op);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                TRY(prepare_block(module, op->regions[i], outside));
        if (op->code == OP_dot_general)
            make_product(module, op);
        else if (op->code == OP_convolution)
            make_standalone(module, op);
        else if (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_DOT)
            TRY(unpack_dot(module, op));
    }
    return NULL;
}

static struct error *outline_loop(struct module *module, struct op *loop)
{
    struct value **results = ARENA_ARRAY(module->arena, struct value *, loop->result_count + 1);
    TRY(prepare_block(module, loop->regions[0], loop));
    TRY(prepare_block(module, loop->regions[1], loop));
    for (int i = 0; i < loop->result_count; i++)
        results[i] = &loop->results[i];
    struct op *fusion =
        fusion_make(module, FUSION_REGION, loop, 1, &loop, loop->result_count, results);
    fusion->location = loop->location;
    for (int i = 0; i < loop->result_count; i++)
        ir_replace_uses(module, &loop->results[i], &fusion->results[i]);
    ir_remove(loop);
    return NULL;
}

static struct error *outline_block(struct module *module, const struct target *target,
                                   struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        if (should_outline(op, target))
            TRY(outline_loop(module, op));
        else if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                TRY(outline_block(module, target, op->regions[i]));
    }
    return NULL;
}

struct error *outline_run(struct module *module, const struct target *target)
{
    for (struct func *func = module->first; func; func = func->next)
        TRY(outline_block(module, target, func->body));
    return NULL;
}
