/* concatenation.c: see concatenation.h. */
#include "compiler/analysis/concatenation.h"

enum {
    MIN_ELEMENTS = 1024, /* of a result; a small one is not worth the code of several nests */
    MIN_RUN = 16         /* adjacent elements of an operand, on average */
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
    return concatenate->operand_count <= CONCATENATION_PIECES &&
           concatenation_has_long_runs(concatenate) && type_elements(type) >= MIN_ELEMENTS &&
           type_bytes(type) < CONCATENATION_MOST_BYTES;
}
