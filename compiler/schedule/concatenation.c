/* concatenation.c: see concatenation.h. */
#include "compiler/schedule/concatenation.h"

#include "compiler/schedule/access.h"

enum {
    MIN_ELEMENTS = 1024, /* of a result; a small one is not worth the code of several nests */
    MIN_RUN = 16,        /* adjacent elements of an operand, on average */
    FEW_COPIES = 8,      /* fewer operands are nests */
    COPIED_BYTES = 1024  /* average run of those that could be nests as well */
};

bool concatenation_has_long_runs(const struct op *concatenate)
{
    const struct shape *shape = &concatenate->results[0].type->shape;
    int64_t run = 1;
    for (int i = (int)concatenate->attrs.dimension.dimension; i < shape->rank; i++)
        run *= shape->dims[i];
    return run >= (int64_t)MIN_RUN * concatenate->operand_count;
}

bool concatenation_selects_runs(const struct op *concatenate)
{
    return concatenate->operand_count == 2 || concatenation_has_long_runs(concatenate);
}

bool concatenation_is_divided(const struct op *concatenate)
{
    const struct type *type = concatenate->results[0].type;
    return concatenate->operand_count <= CONCATENATION_NESTS &&
           concatenation_has_long_runs(concatenate) && type_elements(type) >= MIN_ELEMENTS &&
           type_bytes(type) < CONCATENATION_MOST_BYTES;
}

/* Whether the elements of a slice are adjacent in its operand. */
static bool is_one_run(const struct op *slice)
{
    const struct shape *from = &slice->operands[0]->type->shape,
                       *to = &slice->results[0].type->shape;
    int outermost = 0;
    while (outermost < to->rank && to->dims[outermost] == 1)
        outermost++;
    for (int i = 0; i < to->rank; i++)
        if ((i > outermost && to->dims[i] != from->dims[i]) ||
            (to->dims[i] > 1 && access_of(slice, 0, i).scale != 1))
            return false;
    return true;
}

bool concatenation_is_view(const struct op *op, int64_t *bytes)
{
    *bytes = 0;
    if (op->code != OP_slice || !is_one_run(op))
        return op->code == OP_reshape;
    const struct shape *from = &op->operands[0]->type->shape;
    for (int i = 0; i < from->rank; i++)
        *bytes = *bytes * from->dims[i] + access_of(op, 0, i).offset;
    *bytes *= dtype_bytes(from->dtype);
    return true;
}

const struct value *concatenation_viewed(const struct value *operand, int64_t *bytes)
{
    int64_t before;
    *bytes = 0;
    for (; operand->def && concatenation_is_view(operand->def, &before);
         operand = operand->def->operands[0])
        *bytes += before;
    return operand;
}

bool concatenation_is_copied(const struct op *concatenate)
{
    int64_t runs = concatenate->operand_count, before;
    const struct shape *shape = &concatenate->results[0].type->shape;
    for (int i = 0; i < (int)concatenate->attrs.dimension.dimension; i++)
        runs *= shape->dims[i];
    if (concatenate->operand_count <= CONCATENATION_NESTS &&
        (concatenate->operand_count < FEW_COPIES ||
         type_bytes(concatenate->results[0].type) < COPIED_BYTES * runs))
        return false;
    for (int i = 0; i < concatenate->operand_count; i++)
        if (concatenation_viewed(concatenate->operands[i], &before)->def)
            return false;
    return true;
}
