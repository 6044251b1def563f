/* canonicalize_layouts.c: see canonicalize_layouts.h. */
#include "compiler/passes/canonicalize/canonicalize_layouts.h"

#include <string.h>

#include "compiler/passes/rewrite/rewrite.h"

/* ---- layouts --------------------------------------------------------------------------------- */

/* The layout of a value (minor to major); NULL if it is row-major. */
static const int64_t *layout_of(const struct type *type, struct layouts layouts, int64_t index)
{
    if (type->kind != TYPE_TENSOR || index >= layouts.count ||
        layouts.at[index].count != type->shape.rank)
        return NULL;
    const int64_t *layout = layouts.at[index].at;
    for (int i = 0; i < type->shape.rank; i++)
        if (layout[i] != type->shape.rank - 1 - i)
            return layout;
    return NULL;
}

static struct error *check_layout(struct module *module, const struct op *op,
                                  const struct type *type, const int64_t *layout)
{
    bool seen[SHAPE_MAX_RANK] = {false};
    for (int i = 0; i < type->shape.rank; i++) {
        if (layout[i] < 0 || layout[i] >= type->shape.rank || seen[layout[i]])
            return ERROR(INVALID_ARGUMENT, "%s: a layout must list each of its %d dimensions once",
                         ir_where(module->arena, op), type->shape.rank);
        seen[layout[i]] = true;
    }
    return NULL;
}

static void permutation_of(const struct type *type, const int64_t *layout, int64_t *to_layout,
                           int64_t *back)
{
    for (int p = 0; p < type->shape.rank; p++) {
        to_layout[p] = layout[type->shape.rank - 1 - p];
        back[to_layout[p]] = p;
    }
}

static struct error *lay_out_operand(struct module *module, struct op *op, int i)
{
    const struct type *type = op->operands[i]->type;
    const int64_t *layout = layout_of(type, op->attrs.custom_call.operand_layouts, i);
    int64_t to_layout[SHAPE_MAX_RANK], back[SHAPE_MAX_RANK];
    struct builder b = rewrite_before(module, op);
    if (!layout)
        return NULL;
    TRY(check_layout(module, op, type, layout));
    permutation_of(type, layout, to_layout, back);
    ir_set_operand(module, op, i, build_transpose(&b, op->operands[i], to_layout));
    return NULL;
}

/* The type of result i with its dimensions in physical order. */
static struct error *laid_out_type(struct module *module, const struct op *op, int i,
                                   const struct type **out)
{
    const struct type *type = *out = op->results[i].type;
    const int64_t *layout = layout_of(type, op->attrs.custom_call.result_layouts, i);
    int64_t to_layout[SHAPE_MAX_RANK], back[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK];
    if (!layout)
        return NULL;
    TRY(check_layout(module, op, type, layout));
    permutation_of(type, layout, to_layout, back);
    for (int p = 0; p < type->shape.rank; p++)
        dims[p] = type->shape.dims[to_layout[p]];
    *out = type_tensor(module->arena, type->shape.dtype, type->shape.rank, dims);
    return NULL;
}

static struct value *in_order(struct module *module, const struct op *op, int i, struct value *made)
{
    const struct type *type = op->results[i].type;
    const int64_t *layout = layout_of(type, op->attrs.custom_call.result_layouts, i);
    int64_t to_layout[SHAPE_MAX_RANK], back[SHAPE_MAX_RANK];
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

/* Replaces a call by one on transposed operands and results. */
static struct error *lay_out(struct module *module, struct op *op)
{
    const struct type **types =
        ARENA_ARRAY(module->arena, const struct type *, op->result_count + 1);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, op->result_count + 1);
    for (int i = 0; i < op->result_count; i++)
        TRY(laid_out_type(module, op, i, &types[i]));
    for (int i = 0; i < op->operand_count; i++)
        TRY(lay_out_operand(module, op, i));
    struct op *call =
        ir_op(module, OP_custom_call, op->operand_count, op->operands, op->result_count, types, 0);
    call->attrs = op->attrs;
    call->attrs.custom_call.laid_out = true;
    call->location = op->location;
    call->discardable = op->discardable;
    ir_insert_before(op, call);
    for (int i = 0; i < op->result_count; i++)
        values[i] = in_order(module, op, i, &call->results[i]);
    return rewrite_replace(module, op, values);
}

/* ---- factorizations of other platforms ------------------------------------------------------- */

static struct layouts column_major(struct module *module, int count, const char *matrices,
                                   const struct type *const *types)
{
    struct dims *at = ARENA_ARRAY(module->arena, struct dims, count + 1);
    for (int i = 0; i < count; i++) {
        int rank = types[i]->kind == TYPE_TENSOR ? types[i]->shape.rank : 0;
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

static bool is_target(const struct op *op, const char *name)
{
    struct string target = op->attrs.custom_call.call_target_name;
    return strlen(name) == target.size && !memcmp(name, target.data, target.size);
}

/* Sets column-major layouts of matrices (M) for calls without layouts that LAPACK implements. */
static void set_library_layouts(struct module *module, struct op *op)
{
    static const struct {
        const char *target, *operands, *results;
    } known[] = {{"Qr", "M", "MV"},
                 {"ProductOfElementaryHouseholderReflectors", "MV", "M"},
                 {"LuDecomposition", "M", "MVV"},
                 {"Eigh", "M", "MV"}};
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

struct error *canonicalize_layouts_call(struct module *module, struct op *op)
{
    set_library_layouts(module, op);
    return !op->attrs.custom_call.laid_out && has_layouts(op) ? lay_out(module, op) : NULL;
}
