/* padded_sum.c: see padded_sum.h. */
#include "compiler/passes/moves/padded_sum.h"

#include "compiler/analysis/constants.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { MAX_PERIOD = 8, NESTING = 8 };

/* A sum: the element at `period` * i + k of each row is that of pads[k], or 0 if that is NULL. */
struct padded_sum {
    int dim;
    int64_t period;
    const struct op *pads[MAX_PERIOD];
    int count;
};

/* Whether zeros are between real elements along dimension `dim`, and nowhere else but at its ends,
 * where nothing is cut off. */
static bool is_padded_along(const struct op *pad, int dim)
{
    const struct attrs_pad *attrs = &pad->attrs.pad;
    for (int i = 0; i < pad->results[0].type->shape.rank; i++) {
        int64_t low = attrs->edge_padding_low.at[i], high = attrs->edge_padding_high.at[i],
                inside = attrs->interior_padding.at[i];
        if (i == dim ? low < 0 || high < 0 || inside < 1 : low || high || inside)
            return false;
    }
    return constants_is_splat_of(pad->operands[1], 0) && type_elements(pad->operands[0]->type) &&
           !dtype_is_complex(pad->operands[0]->type->shape.dtype);
}

/* Adds a term to the sum; false if it is no pad like the others, with a place of its own. */
static bool add_pad(struct padded_sum *sum, const struct op *pad)
{
    int64_t size = pad->results[0].type->shape.dims[sum->dim];
    if (!is_padded_along(pad, sum->dim))
        return false;
    int64_t inside = pad->attrs.pad.interior_padding.at[sum->dim];
    if (inside >= MAX_PERIOD)
        return false;
    int64_t period = inside + 1, place = pad->attrs.pad.edge_padding_low.at[sum->dim] % period;
    if (size % period || (sum->count && period != sum->period) || sum->pads[place])
        return false;
    sum->period = period;
    sum->pads[place] = pad;
    sum->count++;
    return true;
}

/* Whether all terms of a sum of sums that nothing else uses are pads. */
static bool add_terms(struct padded_sum *sum, const struct op *op, int nesting)
{
    for (int i = 0; i < 2; i++) {
        const struct value *term = op->operands[i];
        if (!term->def || nesting == NESTING)
            return false;
        bool is_sum = term->def->code == OP_add && ir_has_one_use(term);
        if (term->def->code == OP_pad ? !add_pad(sum, term->def)
            : is_sum                  ? !add_terms(sum, term->def, nesting + 1)
                                      : true)
            return false;
    }
    return true;
}

/* The elements of a place as a column, which has a dimension of its own. */
static struct value *column(struct builder *b, const struct padded_sum *sum, int place,
                            const struct type *type)
{
    const struct op *pad = sum->pads[place];
    if (!pad)
        return build_splat(b, type, 0);
    const struct type *from = pad->operands[0]->type;
    int64_t before = pad->attrs.pad.edge_padding_low.at[sum->dim] / sum->period,
            after = type->shape.dims[sum->dim] - before - from->shape.dims[sum->dim];
    struct value *terms = along_dim_pad(b, pad->operands[0], sum->dim, before, after, 0, NULL);
    return build_reshape(b, terms, type->shape.rank, type->shape.dims);
}

/* ---- what follows ---------------------------------------------------------------------------- */
/* An argument or a splat with other dimensions, which takes no time. */
static struct value *reshaped(struct builder *b, struct value *value, const struct shape *shape)
{
    return value->def ? build_splat_like(b, value, shape)
                      : build_reshape(b, value, shape->rank, shape->dims);
}

/* The operation on the elements of `op`, the only one that uses them, with operands that are
 * reshaped in no time; else NULL. */
static struct op *next_elementwise(const struct op *op)
{
    const struct value *result = &op->results[0];
    struct op *user = ir_has_one_use(result) ? result->uses->user : NULL;
    if (!user || user->block != op->block || user->result_count != 1 || user->region_count ||
        !(op_info(user->code)->traits & OP_ELEMENTWISE))
        return NULL;
    for (int i = 0; i < user->operand_count; i++) {
        const struct value *operand = user->operands[i];
        if (!type_same_shape(operand->type, result->type) ||
            (operand != result && operand->def && !constants_is_splat(operand)))
            return NULL;
    }
    return user;
}

/* Computes what follows `op`, whose value is `rows` but for its shape, in the shape of the rows.
 * Returns the last operation for which that is so. */
static struct op *follow(struct module *module, struct op *op, struct value **rows)
{
    struct value *operands[3];
    for (struct op *next; (next = next_elementwise(op)) && next->operand_count <= 3; op = next) {
        struct builder b = rewrite_before(module, next);
        const struct type *type = (*rows)->type;
        for (int i = 0; i < next->operand_count; i++)
            operands[i] = next->operands[i] == &op->results[0]
                              ? *rows
                              : reshaped(&b, next->operands[i], &type->shape);
        type = type_with_dtype(module->arena, type, next->results[0].type->shape.dtype);
        *rows = build_declared(&b, next->code, next->operand_count, operands, type, &next->attrs);
    }
    return op;
}

/* Columns side by side have the elements of the result in order. */
static struct error *interleave(struct module *module, struct op *op, const struct padded_sum *sum)
{
    struct builder b = rewrite_before(module, op);
    const struct type *result = op->results[0].type;
    int rank = result->shape.rank;
    int64_t dims[SHAPE_MAX_RANK];
    struct value *columns[MAX_PERIOD];
    for (int i = 0; i <= rank; i++)
        dims[i] = i < sum->dim    ? result->shape.dims[i]
                  : i == sum->dim ? result->shape.dims[i] / sum->period
                                  : 1;
    const struct type *type = type_with_dims(module->arena, result, rank + 1, dims);
    for (int i = 0; i < sum->period; i++)
        columns[i] = column(&b, sum, i, type);
    struct value *rows = build_concatenate(&b, (int)sum->period, columns, sum->dim + 1);
    rows = build_binary(&b, OP_add, rows, build_splat(&b, rows->type, 0));
    TRY(build_check(module, rows));
    op = follow(module, op, &rows);
    b = rewrite_before(module, op);
    return rewrite_with(module, op, build_reshape(&b, rows, rank, result->shape.dims));
}

static struct error *rewrite(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    if (op->code != OP_add || op->results[0].type->shape.rank < 1 ||
        op->results[0].type->shape.rank == SHAPE_MAX_RANK || !op->results[0].uses)
        return NULL;
    struct padded_sum sum = {.dim = type_innermost(op->results[0].type)};
    return add_terms(&sum, op, 0) ? interleave(module, op, &sum) : NULL;
}

struct error *padded_sum_run(struct module *module, const struct target *target)
{
    return each_op_backward(module, target, rewrite);
}
