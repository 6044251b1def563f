/* canonicalize_calls.c: see canonicalize_calls.h. */
#include "compiler/passes/canonicalize_calls.h"

#include <string.h>

#include "compiler/passes/rewrite.h"

static bool is_target(const struct op *op, const char *name)
{
    struct string target = op->attrs.custom_call.call_target_name;
    return strlen(name) == target.size && !memcmp(name, target.data, target.size);
}

/* ---- calls that annotate ----------------------------------------------------------------------- */

static bool only_annotates(const struct op *op)
{
    static const char *const annotations[] = {"Sharding", "SPMDFullToShardShape",
                                              "SPMDShardToFullShape", "annotate_device_placement",
                                              "LayoutConstraint"};
    if (op->operand_count != 1 || op->result_count != 1 ||
        !type_same(op->operands[0]->type, op->results[0].type))
        return false;
    for (size_t i = 0; i < sizeof annotations / sizeof *annotations; i++)
        if (is_target(op, annotations[i]))
            return true;
    return false;
}

/* ---- layouts ----------------------------------------------------------------------------------- */

/* The layout of a value (minor to major) when it is another than row-major; else NULL. */
static const int64_t *layout_of(const struct type *type, struct layouts layouts, int64_t index)
{
    if (type->kind != TYPE_TENSOR || index >= layouts.count || layouts.at[index].count != type->rank)
        return NULL;
    const int64_t *layout = layouts.at[index].at;
    for (int i = 0; i < type->rank; i++)
        if (layout[i] != type->rank - 1 - i)
            return layout;
    return NULL;
}

static struct error *check_layout(struct module *module, const struct op *op,
                                  const struct type *type, const int64_t *layout)
{
    bool seen[TYPE_MAX_RANK] = {false};
    for (int i = 0; i < type->rank; i++) {
        if (layout[i] < 0 || layout[i] >= type->rank || seen[layout[i]])
            return ERROR(INVALID_ARGUMENT, "%s: a layout that is no permutation of %d dimensions",
                         ir_where(module->arena, op), type->rank);
        seen[layout[i]] = true;
    }
    return NULL;
}

static void permutation_of(const struct type *type, const int64_t *layout, int64_t *to_layout,
                           int64_t *back)
{
    for (int p = 0; p < type->rank; p++) {
        to_layout[p] = layout[type->rank - 1 - p];
        back[to_layout[p]] = p;
    }
}

static struct error *lay_out_operand(struct module *module, struct op *op, int i)
{
    const struct type *type = op->operands[i]->type;
    const int64_t *layout = layout_of(type, op->attrs.custom_call.operand_layouts, i);
    int64_t to_layout[TYPE_MAX_RANK], back[TYPE_MAX_RANK];
    struct builder b = rewrite_before(module, op);
    if (!layout)
        return NULL;
    TRY(check_layout(module, op, type, layout));
    permutation_of(type, layout, to_layout, back);
    ir_set_operand(module, op, i, build_transpose(&b, op->operands[i], to_layout));
    return NULL;
}

/* The type of result i as its bytes lie. */
static struct error *laid_out_type(struct module *module, const struct op *op, int i,
                                   const struct type **out)
{
    const struct type *type = *out = op->results[i].type;
    const int64_t *layout = layout_of(type, op->attrs.custom_call.result_layouts, i);
    int64_t to_layout[TYPE_MAX_RANK], back[TYPE_MAX_RANK], dims[TYPE_MAX_RANK];
    if (!layout)
        return NULL;
    TRY(check_layout(module, op, type, layout));
    permutation_of(type, layout, to_layout, back);
    for (int p = 0; p < type->rank; p++)
        dims[p] = type->dims[to_layout[p]];
    *out = type_tensor(module->arena, type->dtype, type->rank, dims);
    return NULL;
}

static struct value *in_order(struct module *module, const struct op *op, int i, struct value *made)
{
    const struct type *type = op->results[i].type;
    const int64_t *layout = layout_of(type, op->attrs.custom_call.result_layouts, i);
    int64_t to_layout[TYPE_MAX_RANK], back[TYPE_MAX_RANK];
    struct builder b = rewrite_before(module, op);
    if (!layout)
        return made;
    permutation_of(type, layout, to_layout, back);
    return build_transpose(&b, made, back);
}

static bool has_layouts(const struct op *op)
{
    const struct attrs_custom_call *at = &op->attrs.custom_call;
    for (int i = 0; i < op->operand_count; i++)
        if (layout_of(op->operands[i]->type, at->operand_layouts, i))
            return true;
    for (int i = 0; i < op->result_count; i++)
        if (layout_of(op->results[i].type, at->result_layouts, i))
            return true;
    return false;
}

/* Every array is row-major, so a call that asks for another order gets transposed copies. */
static struct error *lay_out(struct module *module, struct op *op)
{
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, op->result_count + 1);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, op->result_count + 1);
    for (int i = 0; i < op->result_count; i++)
        TRY(laid_out_type(module, op, i, &types[i]));
    for (int i = 0; i < op->operand_count; i++)
        TRY(lay_out_operand(module, op, i));
    struct op *call = ir_op(module, OP_custom_call, op->operand_count, op->operands,
                            op->result_count, types, 0);
    call->attrs = op->attrs;
    call->attrs.custom_call.laid_out = true;
    call->location = op->location;
    call->extra = op->extra;
    ir_insert_before(op, call);
    for (int i = 0; i < op->result_count; i++)
        values[i] = in_order(module, op, i, &call->results[i]);
    return rewrite_replace(module, op, values);
}

/* ---- factorisations of other platforms --------------------------------------------------------- */

static struct layouts column_major(struct module *module, int count, const char *matrices,
                                   const struct type *const *types)
{
    struct dims *at = ARENA_ARRAY(module->arena, struct dims, count + 1);
    for (int i = 0; i < count; i++) {
        int rank = types[i]->kind == TYPE_TENSOR ? types[i]->rank : 0;
        int64_t *layout = ARENA_ARRAY(module->arena, int64_t, rank + 1);
        for (int p = 0; p < rank; p++)
            layout[p] = rank - 1 - p;
        if (matrices[i] == 'M' && rank >= 2) {
            layout[0] = rank - 2;
            layout[1] = rank - 1;
        }
        at[i] = (struct dims){.count = rank, .at = layout};
    }
    return (struct layouts){.count = count, .at = at};
}

/* What is answered by LAPACK but names no layouts gets its matrices (M) column by column. */
static void say_layouts(struct module *module, struct op *op)
{
    static const struct { const char *target, *operands, *results; } known[] = {
        {"Qr", "M", "MV"}, {"ProductOfElementaryHouseholderReflectors", "MV", "M"},
        {"LuDecomposition", "M", "MVV"}, {"Eigh", "M", "MV"}};
    struct attrs_custom_call *at = &op->attrs.custom_call;
    const struct type *types[3];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int operands = (int)strlen(known[i].operands), results = (int)strlen(known[i].results);
        if (!is_target(op, known[i].target) || at->laid_out || at->operand_layouts.count ||
            op->operand_count != operands || op->result_count != results)
            continue;
        for (int k = 0; k < operands; k++)
            types[k] = op->operands[k]->type;
        at->operand_layouts = column_major(module, operands, known[i].operands, types);
        for (int k = 0; k < results; k++)
            types[k] = op->results[k].type;
        at->result_layouts = column_major(module, results, known[i].results, types);
    }
}

/* ---- ApproxTopK -------------------------------------------------------------------------------- */

/* Integer `name` of the call's configuration, or `otherwise`. */
static int64_t configured(const struct op *op, const char *name, int64_t otherwise)
{
    static const char key[] = "mhlo.backend_config";
    for (int64_t i = 0; op->extra && i < op->extra->count; i++) {
        const struct dict_value *value = &op->extra->values[i];
        if (op->extra->names[i].size != sizeof key - 1 || value->kind != DICT_DICT ||
            memcmp(op->extra->names[i].data, key, sizeof key - 1))
            continue;
        for (int64_t k = 0; k < value->dict->count; k++)
            if (value->dict->names[k].size == strlen(name) &&
                !memcmp(value->dict->names[k].data, name, strlen(name)) &&
                value->dict->values[k].kind == DICT_INT)
                return value->dict->values[k].integer;
    }
    return otherwise;
}

static struct op *sorted(struct module *module, struct op *op, int inputs, int64_t dimension,
                         const struct func *compare)
{
    struct builder b = rewrite_before(module, op);
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, inputs);
    const struct type **arguments = ARENA_ARRAY(module->arena, const struct type *, 2 * inputs);
    for (int i = 0; i < inputs; i++)
        types[i] = op->operands[i]->type;
    for (int i = 0; i < 2 * inputs; i++)
        arguments[i] = compare->body->arguments[i].type;
    struct op *sort = ir_op(module, OP_sort, inputs, op->operands, inputs, types, 1);
    sort->attrs.sort.dimension = dimension;
    sort->attrs.sort.is_stable = true;
    sort->location = op->location;
    ir_insert_before(op, sort);
    struct block *body = sort->regions[0] =
        ir_block(module, op->block->func, sort, 2 * inputs, arguments);
    struct value *answer = NULL, **values = ARENA_ARRAY(module->arena, struct value *, 2 * inputs);
    for (int i = 0; i < 2 * inputs; i++)
        values[i] = &body->arguments[i];
    b = (struct builder){module, body, NULL, op->location};
    struct op *end = build_return(&b, 1, values);
    ir_inline_block(module, compare->body, values, end, &answer);
    ir_set_operand(module, end, 0, answer);
    return sort;
}

/* Results have the operands' types but for the size along `dim`, which is not larger; the
 * computation compares pairs of elements. */
static bool top_k_fits(const struct op *op, int64_t dim)
{
    const struct type *operand = op->operands[0]->type;
    struct funcs called = op->attrs.custom_call.called_computations;
    if (op->operand_count != 2 * op->result_count || dim < 0 || dim >= operand->rank ||
        called.count != 1 || called.at[0]->body->argument_count != op->operand_count)
        return false;
    for (int i = 0; i < op->result_count; i++) {
        const struct type *from = op->operands[i]->type, *to = op->results[i].type;
        if (from->rank != operand->rank || to->rank != from->rank || to->dtype != from->dtype)
            return false;
        for (int d = 0; d < from->rank; d++)
            if (from->dims[d] != operand->dims[d] ||
                (d == dim ? to->dims[d] > from->dims[d] : to->dims[d] != from->dims[d]))
                return false;
    }
    return true;
}

/* Operands: inputs, then their initial values. The exact answer is allowed, and what other processors give, too. */
static struct error *take_top(struct module *module, struct op *op)
{
    int inputs = op->operand_count / 2;
    const struct type *type = inputs ? op->operands[0]->type : NULL;
    int64_t dimension = configured(op, "reduction_dim", -1);
    const struct funcs computations = op->attrs.custom_call.called_computations;
    int64_t start[TYPE_MAX_RANK] = {0}, strides[TYPE_MAX_RANK];
    if (!inputs || !top_k_fits(op, dimension))
        return ERROR(INVALID_ARGUMENT, "%s: ApproxTopK's operands, computation and results do not fit",
                     ir_where(module->arena, op));
    struct op *sort = sorted(module, op, inputs, dimension, computations.at[0]);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, inputs);
    struct builder b = rewrite_before(module, op);
    for (int i = 0; i < type->rank; i++)
        strides[i] = 1;
    for (int i = 0; i < inputs; i++)
        values[i] = build_slice(&b, &sort->results[i], start, op->results[i].type->dims, strides);
    return rewrite_replace(module, op, values);
}

struct error *canonicalize_calls_custom_call(struct module *module, struct op *op)
{
    if (only_annotates(op))
        return rewrite_with(module, op, op->operands[0]);
    if (is_target(op, "ApproxTopK"))
        return take_top(module, op);
    say_layouts(module, op);
    return !op->attrs.custom_call.laid_out && has_layouts(op) ? lay_out(module, op) : NULL;
}
