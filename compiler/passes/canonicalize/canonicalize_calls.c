#include "compiler/passes/canonicalize/canonicalize_calls.h"

#include <string.h>

#include "compiler/frontend/functions/functions.h"
#include "compiler/passes/canonicalize/async_calls.h"
#include "compiler/passes/canonicalize/canonicalize_layouts.h"
#include "compiler/passes/canonicalize/ragged_exchange.h"
#include "compiler/analysis/call_config.h"
#include "compiler/passes/rewrite/rewrite.h"

static struct error *rule_annotation(struct module *module, struct op *op)
{
    static const char *const annotations[] = {"Sharding",
                                              "SPMDFullToShardShape",
                                              "SPMDShardToFullShape",
                                              "LayoutConstraint",
                                              "annotate_device_placement",
                                              "Pin",
                                              "Unpin"};
    if (op->operand_count != 1 || op->result_count != 1 ||
        !type_same(op->operands[0]->type, op->results[0].type))
        return NULL;
    for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
        if (call_config_is_called(op, annotations[i]))
            return rewrite_with(module, op, op->operands[0]);
    return NULL;
}

/* mhlo.erf is how exported HLO represents erf. */
static struct error *rule_erf(struct module *module, struct op *op)
{
    if (op->operand_count != 1 || op->result_count != 1 ||
        !type_same(op->operands[0]->type, op->results[0].type) ||
        !dtype_is_float(op->results[0].type->shape.dtype))
        return ERROR(INVALID_ARGUMENT,
                     "%s: mhlo.erf must have one array of floats as operand and as result",
                     ir_where(module->arena, op));
    struct builder b = rewrite_before(module, op);
    return rewrite_with(module, op, build_unary(&b, OP_erf, op->operands[0]));
}

/* Functions that clients would expand otherwise: operations, or functions of functions.h. */
static const struct function {
    const char *target;
    enum op_code code; /* OP_INVALID_CODE: the function with the name after the dot */
} functions[] = {
    {"gantry.sqrt", OP_sqrt},         {"gantry.log", OP_log},
    {"gantry.acos", OP_INVALID_CODE}, {"gantry.acosh", OP_INVALID_CODE},
    {"gantry.asin", OP_INVALID_CODE}, {"gantry.asinh", OP_INVALID_CODE},
    {"gantry.atan", OP_INVALID_CODE}, {"gantry.atanh", OP_INVALID_CODE},
};

static const struct function *function_of(const struct op *op)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (call_config_is_called(op, functions[i].target))
            return &functions[i];
    return NULL;
}

static struct error *rule_function(struct module *module, struct op *op,
                                   const struct function *function)
{
    struct value *value = NULL;
    struct builder b = rewrite_before(module, op);
    enum dtype dtype = op->operand_count ? op->operands[0]->type->shape.dtype : DTYPE_INVALID;
    if (op->operand_count != 1 || op->result_count != 1 ||
        !type_same(op->operands[0]->type, op->results[0].type) ||
        !(dtype_is_float(dtype) || dtype_is_complex(dtype)))
        return ERROR(INVALID_ARGUMENT,
                     "%s: %s must have one array of floats or complex numbers as operand and as "
                     "result",
                     ir_where(module->arena, op), function->target);
    if (function->code != OP_INVALID_CODE)
        value = build_unary(&b, function->code, op->operands[0]);
    else
        TRY(functions_apply(&b, strchr(function->target, '.') + 1, 1, op->operands, &value));
    return rewrite_with(module, op, value);
}

/* AllocateBuffer and CreateBuffer have undefined contents; zeros are deterministic. */
static struct error *rule_allocate(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    if (op->operand_count || op->result_count != 1 || op->results[0].type->kind != TYPE_TENSOR)
        return NULL;
    return rewrite_with(module, op, build_splat(&b, op->results[0].type, 0));
}

/* ---- ApproxTopK: operands, then an initial value for each ------------------------------------ */

/* True when the computation has two elements of each operand as arguments and returns a pred. */
static bool compares_pairs(const struct block *body, const struct op *op)
{
    if (body->argument_count != op->operand_count || body->last->operand_count != 1)
        return false;
    const struct type *result = body->last->operands[0]->type;
    if (result->kind != TYPE_TENSOR || result->shape.rank || result->shape.dtype != DTYPE_PRED)
        return false;
    for (int i = 0; i < body->argument_count; i++) {
        const struct type *argument = body->arguments[i].type;
        if (argument->kind != TYPE_TENSOR || argument->shape.rank ||
            argument->shape.dtype != op->operands[i / 2]->type->shape.dtype)
            return false;
    }
    return true;
}

/* True when results have the operands' types, with at most the operands' size along `dim`. */
static bool top_k_fits(const struct op *op, int64_t dim)
{
    const struct type *operand = op->operand_count ? op->operands[0]->type : NULL;
    struct funcs called = op->attrs.custom_call.called_computations;
    if (!operand || op->operand_count != 2 * op->result_count || dim < 0 ||
        dim >= operand->shape.rank || called.count != 1 || !compares_pairs(called.at[0]->body, op))
        return false;
    for (int i = 0; i < op->result_count; i++) {
        const struct type *from = op->operands[i]->type, *to = op->results[i].type;
        if (from->shape.rank != operand->shape.rank || to->shape.rank != from->shape.rank ||
            to->shape.dtype != from->shape.dtype)
            return false;
        for (int d = 0; d < from->shape.rank; d++)
            if (from->shape.dims[d] != operand->shape.dims[d] ||
                (d == dim ? to->shape.dims[d] > from->shape.dims[d]
                          : to->shape.dims[d] != from->shape.dims[d]))
                return false;
    }
    return true;
}

static struct error *sort_before(struct module *module, struct op *op, int64_t dim, struct op **out)
{
    const struct block *compare = op->attrs.custom_call.called_computations.at[0]->body;
    struct op *sort =
        ir_op(module, OP_sort, op->result_count, op->operands, op->result_count, NULL, 1);
    sort->location = op->location;
    sort->attrs.sort.dimension = dim;
    sort->attrs.sort.is_stable = true;
    for (int i = 0; i < op->result_count; i++)
        sort->results[i].type = op->operands[i]->type;
    const struct type **types =
        ARENA_ARRAY(module->arena, const struct type *, (size_t)compare->argument_count);
    for (int i = 0; i < compare->argument_count; i++)
        types[i] = compare->arguments[i].type;
    struct block *body = ir_block(module, op->block->func, sort, compare->argument_count, types);
    sort->regions[0] = body;
    struct value **arguments =
        ARENA_ARRAY(module->arena, struct value *, (size_t)compare->argument_count);
    for (int i = 0; i < compare->argument_count; i++)
        arguments[i] = &body->arguments[i];
    struct builder b = {module, body, NULL, op->location};
    struct op *ret = build_return(&b, 0, NULL);
    struct value *result = NULL;
    TRY(ir_inline_block(module, compare, compare->argument_count, arguments, ret, 1, &result));
    ir_remove(ret);
    build_return(&b, 1, &result);
    ir_insert_before(op, sort);
    *out = sort;
    return NULL;
}

static struct error *rule_top_k(struct module *module, struct op *op)
{
    int64_t dim = call_config_integer(op, "reduction_dim", -1);
    if (!top_k_fits(op, dim))
        return ERROR(
            INVALID_ARGUMENT,
            "%s: the operands, computation and results of ApproxTopK do not match: each "
            "result must have its operand's type and at most its size, and the computation "
            "must compare two elements of each operand",
            ir_where(module->arena, op));
    struct op *sort;
    TRY(sort_before(module, op, dim, &sort));
    struct builder b = rewrite_before(module, op);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    const int64_t start[SHAPE_MAX_RANK] = {0};
    for (int i = 0; i < op->result_count; i++)
        values[i] =
            build_slice(&b, &sort->results[i], start, op->results[i].type->shape.dims, NULL);
    return rewrite_replace(module, op, values);
}

/* Handlers get row-major arrays, or the layouts that the call asks for. */
static struct error *check_tilings(const struct module *module, const struct op *op)
{
    struct layouts tilings = op->attrs.custom_call.result_tilings;
    for (int64_t i = 0; i < tilings.count; i++)
        if (tilings.at[i].count)
            return ERROR(UNIMPLEMENTED,
                         "%s: has result_tilings; tiled results of custom calls are unsupported",
                         ir_where(module->arena, op));
    return NULL;
}

struct error *canonicalize_calls_custom(struct module *module, struct op *op)
{
    if (call_config_is_called(op, "control_dep") &&
        !op->result_count) /* only an ordering constraint */
        return rewrite_replace(module, op, NULL);
    if (call_config_is_called(op, "ApproxTopK"))
        return rule_top_k(module, op);
    if (call_config_is_called(op, "mhlo.erf"))
        return rule_erf(module, op);
    const struct function *function = function_of(op);
    if (function)
        return rule_function(module, op, function);
    if (call_config_is_called(op, "ragged_all_to_all"))
        return ragged_exchange(module, op);
    bool is_async;
    TRY(async_calls_replace(module, op, &is_async));
    if (is_async)
        return NULL;
    if (call_config_is_called(op, "AllocateBuffer") || call_config_is_called(op, "CreateBuffer"))
        return rule_allocate(module, op);
    TRY(rule_annotation(module, op));
    TRY(check_tilings(module, op));
    return op->block ? canonicalize_layouts_call(module, op) : NULL;
}
