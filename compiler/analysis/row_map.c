/* row_map.c: see row_map.h. */
#include "compiler/analysis/row_map.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/reducer.h"

/* How a value in the region depends on the inputs (value->note). */
enum reach {
    REACH_NONE,
    REACH_ELEMENT, /* it has the elements of the inputs; each depends on one row of them */
    REACH_ROW      /* one value per row */
};

struct rows {
    int64_t count, columns; /* of the inputs */
};

static enum reach reach_of(const struct value *value)
{
    return (enum reach)(uintptr_t)value->note;
}

static bool has_rows(const struct type *type, const struct rows *rows, enum reach reach)
{
    const struct shape *shape = &type->shape;
    if (reach == REACH_ROW)
        return type_elements(type) == rows->count;
    return shape->rank && shape->dims[shape->rank - 1] == rows->columns &&
           type_elements(type) == rows->count * rows->columns;
}

/* Whether a reduction is over the last dimension of values of the inputs' shape. */
static bool reduces_rows(const struct op *op)
{
    int inputs = op->operand_count / 2;
    struct dims dims = op->attrs.dimensions.dimensions;
    for (int i = inputs; i < op->operand_count; i++)
        if (reach_of(op->operands[i]))
            return false;
    return dims.count == 1 && dims.at[0] == op->operands[0]->type->shape.rank - 1;
}

/* Whether a broadcast keeps the order of rows: it adds dimensions of size 1, or columns to rows. */
static bool spreads_rows(const struct op *op, enum reach from)
{
    struct dims to = op->attrs.broadcast_in_dim.broadcast_dimensions;
    const struct shape *in = &op->operands[0]->type->shape, *out = &op->results[0].type->shape;
    for (int64_t i = 0; i < to.count; i++)
        if ((i && to.at[i] <= to.at[i - 1]) ||
            (from == REACH_ROW && to.at[i] == out->rank - 1 && in->dims[i] != 1))
            return false;
    return true;
}

/* The reach of the results of an operation with an operand of that reach; REACH_NONE: it mixes
 * rows. Not yet checked: that all values have the sizes of their reach. */
static enum reach follow(const struct op *op, const struct rows *rows, enum reach from)
{
    switch (op->code) {
    case OP_reduce: return from == REACH_ELEMENT && reduces_rows(op) ? REACH_ROW : REACH_NONE;
    case OP_reshape: return from;
    case OP_broadcast_in_dim:
        if (!spreads_rows(op, from))
            return REACH_NONE;
        return has_rows(op->results[0].type, rows, REACH_ELEMENT) ? REACH_ELEMENT : from;
    default: return op_info(op->code)->traits & OP_ELEMENTWISE ? from : REACH_NONE;
    }
}

/* Sets the reach of the results; false if the operation mixes rows, or has other loops. */
static bool visit(struct op *op, const struct rows *rows, bool *reduces)
{
    enum reach from = REACH_NONE, to;
    bool is_plain =
        (op_info(op->code)->traits & (OP_ELEMENTWISE | OP_INDEXED)) || op->code == OP_constant;
    for (int i = 0; i < op->operand_count; i++) {
        enum reach reach = reach_of(op->operands[i]);
        if (from && reach && reach != from)
            return false;
        from = reach ? reach : from;
    }
    to = from ? follow(op, rows, from) : REACH_NONE;
    for (int i = 0; i < op->result_count; i++) {
        op->results[i].note = (void *)(uintptr_t)to;
        if (to && !has_rows(op->results[i].type, rows, to))
            return false;
    }
    *reduces |= from && op->code == OP_reduce;
    return from ? to != REACH_NONE : is_plain;
}

bool row_map_is(const struct op *fusion, uint64_t operands)
{
    struct block *body = fusion->regions[0];
    const struct shape *shape = &fusion->results[0].type->shape;
    struct rows rows = {.columns = shape->rank ? shape->dims[shape->rank - 1] : 0};
    bool reduces = false;
    if (!rows.columns)
        return false;
    rows.count = type_elements(fusion->results[0].type) / rows.columns;
    for (int i = 0; i < body->argument_count; i++) {
        enum reach reach = i < 64 && operands >> i & 1 ? REACH_ELEMENT : REACH_NONE;
        if (reach && !has_rows(fusion->operands[i]->type, &rows, reach))
            return false;
        body->arguments[i].note = (void *)(uintptr_t)reach;
    }
    for (struct op *op = body->first; op != body->last; op = op->next)
        if (!visit(op, &rows, &reduces))
            return false;
    return reduces && reach_of(body->last->operands[0]) == REACH_ELEMENT;
}

const struct value *row_map_reduced(const struct value *value, enum op_code code)
{
    while (value->def &&
           (value->def->code == OP_broadcast_in_dim || value->def->code == OP_reshape))
        value = value->def->operands[0];
    const struct op *op = value->def;
    if (!op || op->code != OP_reduce || reducer_of(op) != code)
        return NULL;
    bool begins = code != OP_add || constants_is_splat_of(op->operands[1], 0);
    return begins ? op->operands[0] : NULL;
}
