#include "compiler/passes/canonicalize/canonicalize.h"

#include "compiler/passes/canonicalize/canonicalize_calls.h"
#include "compiler/passes/canonicalize/canonicalize_collectives.h"
#include "compiler/passes/canonicalize/canonicalize_convolution.h"
#include "compiler/passes/canonicalize/canonicalize_norm.h"
#include "compiler/passes/canonicalize/canonicalize_products.h"
#include "compiler/passes/canonicalize/canonicalize_regions.h"
#include "compiler/passes/canonicalize/canonicalize_shapes.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/rewrite/unused_functions.h"
#include "compiler/target.h"

/* ---- scalars among tensors ------------------------------------------------------------------- */

/* Broadcasts operand i, if it is a scalar, to the sizes of the result. */
static void broadcast_operand(struct module *module, struct op *op, int i)
{
    struct builder b = rewrite_before(module, op);
    if (op->operands[i]->type->shape.rank == 0 && op->results[0].type->shape.rank != 0)
        ir_set_operand(module, op, i,
                       rewrite_broadcast_scalar(&b, op->operands[i], op->results[0].type));
}

static struct error *rule_clamp(struct module *module, struct op *op)
{
    broadcast_operand(module, op, 0);
    broadcast_operand(module, op, 2);
    return NULL;
}

static struct error *rule_select(struct module *module, struct op *op)
{
    broadcast_operand(module, op, 0);
    return NULL;
}

/* ---- redundant operations -------------------------------------------------------------------- */

static struct error *rule_same_type(struct module *module, struct op *op)
{
    return type_same(op->operands[0]->type, op->results[0].type)
               ? rewrite_with(module, op, op->operands[0])
               : NULL;
}

static struct error *rule_imag(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    if (dtype_is_complex(op->operands[0]->type->shape.dtype))
        return NULL;
    return rewrite_with(module, op, build_splat(&b, op->results[0].type, 0));
}

static struct error *rule_iota(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    const struct type *type = op->results[0].type;
    return type->shape.dims[op->attrs.iota.iota_dimension] == 1
               ? rewrite_with(module, op, build_splat(&b, type, 0))
               : NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */

static struct error *(*const rules[OP_CODE_COUNT])(struct module *module, struct op *op) = {
    [OP_all_gather] = canonicalize_collectives,
    [OP_all_reduce] = canonicalize_collectives,
    [OP_all_to_all] = canonicalize_collectives,
    [OP_batch_norm_grad] = canonicalize_norm_grad,
    [OP_batch_norm_inference] = canonicalize_norm_inference,
    [OP_batch_norm_training] = canonicalize_norm_training,
    [OP_bitcast_convert] = rule_same_type,
    [OP_broadcast] = canonicalize_shapes_broadcast,
    [OP_broadcast_in_dim] = canonicalize_shapes_broadcast_in_dim,
    [OP_case] = canonicalize_regions_branch,
    [OP_clamp] = rule_clamp,
    [OP_collective_broadcast] = canonicalize_collectives,
    [OP_collective_reduce] = canonicalize_collectives,
    [OP_collective_permute] = canonicalize_collectives,
    [OP_concatenate] = canonicalize_shapes_concatenate,
    [OP_convert] = rule_same_type,
    [OP_convolution] = canonicalize_convolution,
    [OP_cross_replica_sum] = canonicalize_collectives,
    [OP_custom_call] = canonicalize_calls_custom,
    [OP_dot] = canonicalize_products_dot,
    [OP_dot_general] = canonicalize_products_mixed,
    [OP_dynamic_slice] = canonicalize_shapes_dynamic_slice,
    [OP_dynamic_update_slice] = canonicalize_shapes_dynamic_update_slice,
    [OP_einsum] = canonicalize_products_einsum,
    [OP_gather] = canonicalize_shapes_gather,
    [OP_if] = canonicalize_regions_branch,
    [OP_imag] = rule_imag,
    [OP_iota] = rule_iota,
    [OP_map] = canonicalize_regions_map,
    [OP_pad] = canonicalize_shapes_pad,
    [OP_partition_id] = canonicalize_collectives_id,
    [OP_real] = rule_same_type,
    [OP_reduce] = canonicalize_regions_reduce,
    [OP_reduce_scatter] = canonicalize_collectives,
    [OP_reduce_window] = canonicalize_regions_reduce_window,
    [OP_replica_id] = canonicalize_collectives_id,
    [OP_reshape] = canonicalize_shapes_reshape,
    [OP_reverse] = canonicalize_shapes_reverse,
    [OP_scatter] = canonicalize_regions_scatter,
    [OP_select] = rule_select,
    [OP_select_and_scatter] = canonicalize_regions_select_and_scatter,
    [OP_slice] = canonicalize_shapes_slice,
    [OP_sort] = canonicalize_regions_sort,
    [OP_torch_index_select] = canonicalize_products_index_select,
    [OP_transpose] = canonicalize_shapes_transpose,
    [OP_unary_einsum] = canonicalize_products_unary_einsum,
    [OP_while] = canonicalize_regions_while,
};

/* True for pure operations whose result is a tensor without elements. */
static bool is_empty(const struct op *op)
{
    return op->result_count == 1 && op->code != OP_constant &&
           op->results[0].type->kind == TYPE_TENSOR && type_elements(op->results[0].type) == 0 &&
           ir_is_pure(op) && !(op_info(op->code)->traits & OP_CONTROL) &&
           op->code != OP_custom_call;
}

static struct error *make_empty(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    const struct type *type = op->results[0].type;
    type = type_tensor(module->arena, type->shape.dtype, type->shape.rank, type->shape.dims);
    return rewrite_with(module, op, build_constant(&b, literal_dense(module->arena, type, "")));
}

static struct error *canonicalize(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    if (is_empty(op))
        return make_empty(module, op);
    return rules[op->code] ? rules[op->code](module, op) : NULL;
}

struct error *canonicalize_run(struct module *module, const struct target *target)
{
    module->awaits_model = target && target->accelerator && !module->model;
    TRY(each_op_again(module, target, canonicalize));
    unused_functions_remove(module); /* of custom calls that became operations */
    return NULL;
}
