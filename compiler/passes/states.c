/* states.c: visits every operation of the module once and checks it for each requested state. */
#include "compiler/passes/states.h"

#include "base/env.h"
#include "compiler/analysis/memory_copy.h"
#include "compiler/analysis/library_spec.h"
#include "compiler/passes/library/library_step.h"

struct walk {
    const struct module *module;
    const struct target *target;
    unsigned states;
    struct map *called; /* functions that a custom_call references */
};

static struct error *violated(const struct walk *w, const char *state, const struct op *op)
{
    return ERROR(INTERNAL, "the module is not in state %s, which does not allow %s", state,
                 ir_where(w->module->arena, op));
}

/* ---- FLAT ------------------------------------------------------------------------------------ */
static bool is_flat(const struct op *op)
{
    return !(op_info(op->code)->traits & OP_CALL) && op->code != OP_async_start &&
           op->code != OP_async_done;
}

static void note_called(struct walk *w, const struct op *op)
{
    const struct funcs *called = &op->attrs.custom_call.called_computations;
    for (int64_t i = 0; op->code == OP_custom_call && i < called->count; i++)
        map_put_pointer(w->called, called->at[i], called->at[i]);
}

static struct error *check_functions(const struct walk *w)
{
    for (struct func *func = w->module->first; func; func = func->next)
        if (func != w->module->entry && !map_get_pointer(w->called, func))
            return ERROR(INTERNAL,
                         "the module is not in state FLAT: no custom_call references function %s",
                         func->name);
    return NULL;
}

/* ---- STATIC ---------------------------------------------------------------------------------- */
static bool type_is_static(const struct type *type)
{
    for (int i = 0; type->kind == TYPE_TENSOR && i < type->shape.rank; i++)
        if (type->shape.dims[i] < 0)
            return false;
    for (int i = 0; i < type->element_count; i++)
        if (!type_is_static(type->elements[i]))
            return false;
    return true;
}

static bool is_static(const struct op *op)
{
    if ((op_info(op->code)->traits & OP_DYNAMIC) || op->code == OP_get_dimension_size)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (!type_is_static(op->operands[i]->type))
            return false;
    for (int i = 0; i < op->result_count; i++)
        if (!type_is_static(op->results[i].type))
            return false;
    return true;
}

/* ---- CANONICAL ------------------------------------------------------------------------------- */
/* Operand i is a scalar and the result is not. */
static bool is_scalar_operand(const struct op *op, int i)
{
    return op->operands[i]->type->shape.rank == 0 && op->results[0].type->shape.rank != 0;
}

static bool is_canonical(const struct walk *w, const struct op *op)
{
    switch (op->code) {
    case OP_batch_norm_grad:
    case OP_batch_norm_inference:
    case OP_batch_norm_training:
    case OP_broadcast:
    case OP_dot:
    case OP_einsum:
    case OP_map:
    case OP_torch_index_select:
    case OP_unary_einsum: return false;
    case OP_bitcast_convert:
    case OP_convert:
    case OP_real: return !type_same(op->operands[0]->type, op->results[0].type);
    case OP_clamp: return !is_scalar_operand(op, 0) && !is_scalar_operand(op, 2);
    case OP_select: return !is_scalar_operand(op, 0);
    case OP_partition_id: return w->module->num_partitions != 1;
    case OP_replica_id: return w->module->num_replicas != 1;
    default: return true;
    }
}

/* ---- LAYOUTS --------------------------------------------------------------------------------- */
static bool is_laid_out(const struct walk *w, const struct op *op)
{
    struct dot_spec spec;
    bool fused = op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_DOT;
    bool library = op->code == OP_dot_general && library_step_must_be(op, w->target);
    return !(fused || library) || library_spec_dot(op, &spec);
}

/* ---- FUSED ----------------------------------------------------------------------------------- */
static bool is_step(const struct op *op)
{
    unsigned traits = op_info(op->code)->traits;
    if (memory_copy_is(op))
        return true;
    switch (op->code) {
    case OP_constant:
    case OP_convolution:
    case OP_copy:
    case OP_copy_done:
    case OP_custom_call:
    case OP_dot_general:
    case OP_fusion:
    case OP_partition_id:
    case OP_replica_id:
    case OP_reshape: return true;
    default:
        return traits & (OP_CONTROL | OP_TERMINATOR | OP_TOKEN | OP_SIDE_EFFECT | OP_COLLECTIVE);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */
static struct error *check_op(struct walk *w, const struct op *op, bool step)
{
    note_called(w, op);
    if ((w->states & STATE_FLAT) && !is_flat(op))
        return violated(w, "FLAT", op);
    if ((w->states & STATE_STATIC) && !is_static(op))
        return violated(w, "STATIC", op);
    if ((w->states & STATE_CANONICAL) && !is_canonical(w, op))
        return violated(w, "CANONICAL", op);
    if ((w->states & STATE_LAYOUTS) && step && !is_laid_out(w, op))
        return violated(w, "LAYOUTS", op);
    if ((w->states & STATE_FUSED) && step && !is_step(op))
        return violated(w, "FUSED", op);
    return NULL;
}

/* `step`: whether the operations of the block become steps of the program. */
static struct error *check_block(struct walk *w, const struct block *block, bool step)
{
    for (const struct op *op = block->first; op; op = op->next) {
        bool control = op_info(op->code)->traits & OP_CONTROL;
        TRY(check_op(w, op, step));
        for (int r = 0; r < op->region_count; r++)
            TRY(check_block(w, op->regions[r], step && control));
    }
    return NULL;
}

struct error *states_verify(const struct module *module, unsigned states,
                            const struct target *target)
{
    struct walk w = {module, target, states, map_create(module->arena)};
    for (const struct func *func = module->first; func; func = func->next)
        if (func->body)
            TRY(check_block(&w, func->body, func == module->entry));
    return states & STATE_FLAT ? check_functions(&w) : NULL;
}

bool states_are_verified(void)
{
#ifndef __OPTIMIZE__
    return true;
#else
    return env_choice(ENV_GANTRY_VERIFY) == 1;
#endif
}
