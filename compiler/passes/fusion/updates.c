/* updates.c: see updates.h. */
#include "compiler/passes/fusion/updates.h"

#include "compiler/analysis/update_window.h"
#include "compiler/passes/fusion/fusion_group.h"
#include "compiler/passes/fusion/fusion_op.h"
#include "compiler/passes/fusion/fusion_pair.h"

enum {
    MAX_OPERATIONS = 200, /* of both bodies together */
    MAX_RESULTS = 24,     /* each of which the loop has an address of */
    MAX_USES = 16         /* uses of an array among which a kernel is looked for */
};

static bool is_of_kind(const struct op *op, enum fusion_kind kind)
{
    return op->code == OP_fusion && op->attrs.fusion.fusion_kind == kind;
}

/* ---- what may be joined ---------------------------------------------------------------------- */
/* Whether an update's array is written by it alone, and read by nothing. */
static bool is_alone(const struct op *fusion, int result)
{
    const struct value *array = update_window_array(fusion, result);
    return array && ir_has_one_use(array) && ir_has_one_use(fusion->operands[array->index]);
}

static bool is_update_of_window(const struct op *op)
{
    return is_of_kind(op, FUSION_UPDATE) && op->result_count == 1 && update_window_op(op, 0) &&
           is_alone(op, 0);
}

/* Whether one loop stores all results of a fusion, elements of its own or windows of arrays that
 * nothing else reads. */
static bool is_kernel(const struct op *op)
{
    if (!is_of_kind(op, FUSION_LOOP) && !is_of_kind(op, FUSION_UPDATE))
        return false;
    for (int i = 0; i < op->result_count; i++) {
        const struct value *answer = op->regions[0]->last->operands[i];
        bool updates = is_of_kind(op, FUSION_UPDATE) && update_window_array(op, i);
        if (!answer->def || answer->def->code == OP_concatenate || (updates && !is_alone(op, i)))
            return false;
    }
    return update_window_in_one_loop(op);
}

/* Whether an argument of an update is read for the window's element at the same index alone. */
static bool is_read_by_element(const struct value *argument, const struct type *type)
{
    for (const struct use *use = argument->uses; use; use = use->next) {
        const struct op *user = use->user;
        bool is_window = user->code == OP_reshape || user->code == OP_dynamic_update_slice;
        if (!is_window && (!(op_info(user->code)->traits & OP_ELEMENTWISE) ||
                           !type_same_shape(user->results[0].type, type)))
            return false;
    }
    return type_same_shape(argument->type, type);
}

/* Whether all operands of an update are there where a kernel is, or are results of it that the
 * update reads element by element. */
static bool is_computable_at(const struct op *update, const struct op *kernel)
{
    const struct type *type = update_window_root(update, 0)->type;
    for (int i = 0; i < update->operand_count; i++) {
        const struct op *def = update->operands[i]->def;
        if (def == kernel ? !is_read_by_element(&update->regions[0]->arguments[i], type)
                          : def && def->block == update->block &&
                                fusion_pair_position(def) >= fusion_pair_position(kernel))
            return false;
    }
    return true;
}

static bool may_join(const struct op *kernel, const struct op *update)
{
    struct fusion_body a, b;
    const struct type *type = update_window_root(update, 0)->type;
    return is_kernel(kernel) && kernel->result_count < MAX_RESULTS &&
           kernel->operand_count + update->operand_count <= FUSION_GROUP_OPERANDS &&
           type_same_shape(update_window_root(kernel, 0)->type, type) && type_elements(type) > 0 &&
           is_computable_at(update, kernel) && fusion_pair_describe(kernel, MAX_OPERATIONS, &a) &&
           fusion_pair_describe(update, MAX_OPERATIONS, &b) &&
           a.operations + b.operations <= MAX_OPERATIONS && a.code + b.code <= FUSION_OP_CODE &&
           a.positions == b.positions;
}

/* ---- the pass -------------------------------------------------------------------------------- */
/* The kernel that computes an operand of the update, or one that reads it, too; NULL: none. */
static struct op *kernel_of_operand(const struct op *update, int operand)
{
    const struct value *value = update->operands[operand];
    int uses = 0;
    if (value->def && value->def->block == update->block && may_join(value->def, update))
        return value->def;
    if (!type_same_shape(value->type, update_window_root(update, 0)->type))
        return NULL;
    for (const struct use *use = value->uses; use && uses < MAX_USES; use = use->next, uses++) {
        struct op *user = use->user;
        if (user->block == update->block &&
            fusion_pair_position(user) < fusion_pair_position(update) && may_join(user, update))
            return user;
    }
    return NULL;
}

static struct op *kernel_of(struct arena *arena, const struct op *update)
{
    struct op *kernel = NULL;
    bool updates = is_update_of_window(update);
    (void)arena;
    for (int i = 0; updates && i < update->operand_count && !kernel; i++)
        kernel = kernel_of_operand(update, i);
    return kernel;
}

struct error *updates_run(struct module *module, const struct target *target)
{
    (void)target;
    return fusion_pair_join_all(module, FUSION_UPDATE, kernel_of);
}
