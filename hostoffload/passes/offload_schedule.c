/* offload_schedule.c: see offload_schedule.h. */
#include "hostoffload/passes/offload_schedule.h"

#include "base/vec.h"
#include "compiler/schedule/cost.h"
#include "compiler/analysis/memory_copy.h"

/* maximum number of operations that a copy moves past, which bounds compile time */
enum { MAX_PASSED = 1000 };

/* The cost of operations (cost.h) that takes as long as copying one byte, with a margin. */
static const double cost_of_byte = 2;

static bool is_control(const struct op *op)
{
    return op_info(op->code)->traits & OP_CONTROL;
}

/* Whether `op` uses a value that `def` defines. */
static bool uses(const struct op *op, const struct op *def)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->def == def)
            return true;
    return false;
}

static bool may_move_before(const struct op *copy, const struct op *other)
{
    bool updates = copy->code == OP_dynamic_update_slice;
    return !is_control(other) && !uses(copy, other) &&
           !(updates && ir_operand_of(other, copy->operands[0]) >= 0);
}

/* Whether the wait for the copy may be moved after `other`. */
static bool may_move_behind(const struct op *copy, const struct op *other)
{
    return !is_control(other) && !(op_info(other->code)->traits & OP_TERMINATOR) &&
           !uses(other, copy);
}

static void start_early(struct op *copy, double cost)
{
    struct op *position = copy;
    double passed = 0;
    for (int i = 0; i < MAX_PASSED && position->previous && passed < cost &&
                    may_move_before(copy, position->previous);
         i++) {
        position = position->previous;
        passed += cost_of_op(position);
    }
    if (position != copy)
        ir_move_before(position, copy);
}

static void await_late(struct module *module, struct op *copy, double cost)
{
    struct op *position = copy->next;
    double passed = 0;
    for (int i = 0; i < MAX_PASSED && passed < cost && may_move_behind(copy, position); i++) {
        passed += cost_of_op(position);
        position = position->next;
    }
    struct value *result = &copy->results[0],
                 *operands[] = {result, copy->operands[memory_copy_source(copy)]};
    struct op *done = ir_op(module, OP_copy_done, 2, operands, 1, &result->type, 0);
    done->location = copy->location;
    ir_replace_uses(module, result, &done->results[0]);
    ir_set_operand(module, done, 0, result);
    ir_insert_before(position, done);
}

static void schedule(struct module *module, struct op *copy)
{
    int64_t bytes = type_bytes(copy->operands[memory_copy_source(copy)]->type),
            moved = type_bytes(copy->results[0].type);
    double cost = (double)(bytes < moved ? bytes : moved) * cost_of_byte;
    if (cost == 0 || !copy->results[0].uses)
        return;
    start_early(copy, cost);
    await_late(module, copy, cost);
}

static void schedule_block(struct module *module, struct block *block)
{
    VEC(struct op *) copies = {0};
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; is_control(op) && i < op->region_count; i++)
            schedule_block(module, op->regions[i]);
        if (memory_copy_is(op))
            VEC_PUSH(module->arena, &copies, op);
    }
    for (size_t i = 0; i < copies.count; i++)
        schedule(module, copies.items[i]);
}

struct error *offload_schedule_run(struct module *module, const struct target *target)
{
    (void)target;
    schedule_block(module, module->entry->body);
    return NULL;
}
