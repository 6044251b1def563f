/* cached_row.c: see cached_row.h. */
#include "compiler/schedule/cached_row.h"

#include "compiler/schedule/access.h"
#include "compiler/schedule/analysis.h"
#include "compiler/schedule/arithmetic.h"

enum { ROW_BYTES = 32768 }; /* size limit of a row: the nearest cache */

static bool is_small_float(const struct value *value)
{
    return dtype_is_float(ir_dtype(value)) && dtype_bytes(ir_dtype(value)) < 4;
}

const struct value *cached_row_value(const struct op *reduce, int i)
{
    const struct value *value = reduce->operands[i];
    const struct op *op = value->def;
    bool widens = op && op->code == OP_convert && ir_dtype(value) == DTYPE_F32 &&
                  is_small_float(op->operands[0]);
    return widens && ir_has_one_use(value) ? op->operands[0] : value;
}

/* Whether each result is of one row: elements that are adjacent in the last dimension. */
static bool reduces_rows(const struct op *reduce)
{
    const struct shape *shape = &reduce->operands[0]->type->shape;
    for (int i = 0; i < shape->rank - 1; i++)
        if (analysis_is_reduced(reduce, i) && shape->dims[i] != 1)
            return false;
    return shape->rank && analysis_is_reduced(reduce, shape->rank - 1);
}

int64_t cached_row_bytes(const struct op *reduce)
{
    const struct shape *shape = &reduce->operands[0]->type->shape;
    return shape->dims[shape->rank - 1] * (dtype_bytes(shape->dtype) == 8 ? 8 : 4);
}

bool cached_row_is_stored(const struct op *reduce, int i)
{
    const struct value *value = cached_row_value(reduce, i);
    return reduces_rows(reduce) && value->def && dtype_is_float(ir_dtype(value)) &&
           !ir_has_one_use(value) && cached_row_bytes(reduce) <= ROW_BYTES &&
           arithmetic_weight(value) >= CACHED_ROW_WEIGHT;
}
