/* lower_memory_copy.c: see lower_memory_copy.h. */
#include "compiler/lower/lower_memory_copy.h"

#include "compiler/analysis/memory_copy.h"
#include "compiler/lower/lower_step.h"

/* The operand that is the first index. */
static int first_index(const struct op *op)
{
    return op->code == OP_dynamic_update_slice ? 2 : 1;
}

static struct copy_spec describe(const struct op *op)
{
    bool updates = op->code == OP_dynamic_update_slice;
    const struct shape *array = &op->operands[0]->type->shape,
                       *box = updates ? &op->operands[1]->type->shape : &op->results[0].type->shape;
    struct copy_spec copy = {.rank = array->rank, .updates = updates, .index = DTYPE_S32};
    if (op->code == OP_copy || !array->rank)
        return (struct copy_spec){.element = type_bytes(op->results[0].type), .index = DTYPE_S32};
    copy.element = dtype_bytes(array->dtype);
    copy.is_indexed = op->code != OP_slice;
    if (copy.is_indexed)
        copy.index = op->operands[first_index(op)]->type->shape.dtype;
    for (int i = 0; i < array->rank; i++) {
        copy.sizes[i] = box->dims[i];
        copy.dims[i] = array->dims[i];
        copy.starts[i] = copy.is_indexed ? 0 : op->attrs.slice.start_indices.at[i];
    }
    return copy;
}

/* "dynamic-slice-start", as XLA names it */
static const char *label(const struct lowerer *l, const struct op *op, const char *end)
{
    char *name = arena_format(l->arena, "%s-%s", op_info(op->code)->name, end);
    for (char *at = name; *at; at++)
        *at = *at == '_' ? '-' : *at;
    return name;
}

struct step lower_memory_copy_start(struct lowerer *l, const struct op *op)
{
    struct step step = lower_step(l, STEP_COPY_START, label(l, op, "start"), op);
    step.copy = describe(op);
    step.copy.number = l->copy_count++;
    int indices = step.copy.is_indexed ? step.copy.rank : 0;
    step.slices = ARENA_ARRAY(l->arena, struct slice, indices + 2);
    lower_step_add_slice(&step, buffer_plan_slice(l->plan, op->operands[memory_copy_source(op)]));
    for (int i = 0; i < indices; i++)
        lower_step_add_slice(&step, buffer_plan_slice(l->plan, op->operands[first_index(op) + i]));
    step.operand_count = step.slice_count;
    lower_step_add_slice(&step, buffer_plan_slice(l->plan, &op->results[0]));
    map_put_pointer(l->copies, &op->results[0], (void *)(uintptr_t)(step.copy.number + 1));
    return step;
}

struct step lower_memory_copy_done(struct lowerer *l, const struct op *op)
{
    bool waits = op->code == OP_copy_done;
    const struct value *started = waits ? op->operands[0] : &op->results[0];
    const struct op *copy = waits ? started->def : op;
    struct step step = lower_step(l, STEP_COPY_DONE, label(l, copy, "done"), copy);
    step.cost = 0;
    step.copy.number = (int)(uintptr_t)map_get_pointer(l->copies, started) - 1;
    return step;
}
