#include "compiler/passes/spmd/propagate_constants.h"

enum { MOST_COST = 8, COPIES_PER_OPERATION = 2, SOME_COPIES = 64 };

struct splitter {
    struct module *module;
    int64_t operations, copies_left;
};

/* ---- which operations ------------------------------------------------------------------------ */

/* The number of operations that make the value from scalars, which are always shared; more than
 * MOST_COST: too many, or it is not made from scalars. */
static int64_t cost_of(const struct value *value)
{
    if (value->type->kind == TYPE_TENSOR && !value->type->shape.rank)
        return 0;
    if (!value->def)
        return MOST_COST + 1;
    return (int64_t)(intptr_t)value->def->note;
}

/* All uses of a value of a sharding group are sharded as the group is. */
static bool is_in_group(const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (use->user->code == OP_sharding_group)
            return true;
    return false;
}

static int64_t own_cost(const struct op *op)
{
    int64_t cost = 1;
    bool is_simple = op->code == OP_constant || op->code == OP_iota ||
                     op->code == OP_broadcast_in_dim || op->code == OP_reshape ||
                     op->code == OP_transpose || op_info(op->code)->traits & OP_ELEMENTWISE;
    if (!is_simple || op->result_count != 1 || is_in_group(&op->results[0]))
        return MOST_COST + 1;
    for (int i = 0; i < op->operand_count && cost <= MOST_COST; i++)
        cost += cost_of(op->operands[i]);
    return cost <= MOST_COST ? cost : MOST_COST + 1;
}

/* Notes the cost of each operation, in program order. */
static void measure(struct splitter *s, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        s->operations++;
        op->note = (void *)(intptr_t)own_cost(op);
        for (int r = 0; r < op->region_count; r++)
            measure(s, op->regions[r]);
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copy_for(struct splitter *s, struct op *op, struct use *use)
{
    struct op *copy = ir_clone(s->module, op, map_create(s->module->arena));
    copy->note = op->note;
    ir_insert_after(op, copy);
    ir_set_operand(s->module, use->user, use->operand, &copy->results[0]);
    s->copies_left--;
}

/* All uses but one get a copy. */
static void split(struct splitter *s, struct op *op)
{
    struct use *next;
    if (!op->results[0].type->shape.rank)
        return;
    for (struct use *use = op->results[0].uses; use && use->next && s->copies_left > 0;
         use = next) {
        next = use->next;
        copy_for(s, op, use);
    }
}

/* Last operations first: by then the copies of its users have added uses to an operation. */
static void split_all(struct splitter *s, struct block *block)
{
    for (struct op *op = block->last; op; op = op->previous) {
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int r = op->region_count - 1; r >= 0; r--)
                split_all(s, op->regions[r]);
        if ((int64_t)(intptr_t)op->note <= MOST_COST)
            split(s, op);
    }
}

void propagate_constants_split(struct module *module)
{
    struct splitter s = {.module = module};
    measure(&s, module->entry->body);
    s.copies_left = s.operations * COPIES_PER_OPERATION + SOME_COPIES;
    if (module->operation_limit && s.copies_left > module->operation_limit - s.operations)
        s.copies_left = module->operation_limit - s.operations;
    split_all(&s, module->entry->body);
}
