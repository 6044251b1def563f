/* update_sum.c: see update_sum.h. */
#include "compiler/passes/moves/update_sum.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/minus_zero.h"
#include "compiler/analysis/reducer.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

/* x + 0, which is x but for -0. */
static struct value *plus_zero(struct builder *b, struct value *x)
{
    bool is_same = dtype_is_integer(x->type->shape.dtype) || minus_zero_never(x);
    return is_same ? x : build_binary(b, OP_add, x, build_splat(b, x->type, 0));
}

/* Whether no element gets several updates, which would be added in another order: one window, or
 * windows at different indices that are one element wide along the indexed dimensions. */
static bool updates_are_unique(const struct op *scatter)
{
    const struct attrs_scatter *attrs = &scatter->attrs.scatter;
    struct dims indexed = attrs->scatter_dims_to_operand_dims;
    if (indexed.count && type_elements(scatter->operands[1]->type) <= indexed.count)
        return true;
    for (int64_t i = 0; i < indexed.count; i++)
        if (!dims_contain(attrs->inserted_window_dims, indexed.at[i]))
            return false;
    return attrs->unique_indices;
}

static bool adds_to_zeros(const struct op *op)
{
    bool adds = op->code == OP_dynamic_update_slice ||
                (op->code == OP_scatter && reducer_of(op) == OP_add && updates_are_unique(op));
    return adds && constants_is_splat_of(op->operands[0], 0);
}

/* The window of x, with the update added. */
static struct value *add_to_window(struct builder *b, const struct op *update, struct value *x)
{
    struct value *term = update->operands[1], *const *starts = &update->operands[2];
    struct value *window = build_dynamic_slice(b, x, starts, term->type->shape.dims);
    return build_update(b, plus_zero(b, x), build_binary(b, OP_add, window, term), starts);
}

/* The scatter, to x in place of zeros. */
static struct value *scatter_to(struct builder *b, const struct op *scatter, struct value *x)
{
    struct op *made = ir_clone(b->module, scatter, map_create(arena_scratch(b->module->arena)));
    ir_set_operand(b->module, made, 0, plus_zero(b, x)); /* which may be the updates, too */
    ir_insert_before(b->before, made);
    return &made->results[0];
}

static struct error *visit(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    if (op->code != OP_add)
        return NULL;
    for (int i = 0; i < 2; i++) {
        const struct op *update = op->operands[i]->def;
        struct value *x = op->operands[1 - i];
        if (!update || !adds_to_zeros(update))
            continue;
        struct builder b = rewrite_before(module, op);
        return rewrite_with(module, op,
                            update->code == OP_scatter ? scatter_to(&b, update, x)
                                                       : add_to_window(&b, update, x));
    }
    return NULL;
}

struct error *update_sum_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
