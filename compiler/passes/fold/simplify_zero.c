/* simplify_zero.c: see simplify_zero.h. */
#include "compiler/passes/fold/simplify_zero.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/minus_zero.h"

struct value *simplify_zero(struct builder *b, struct op *op)
{
    (void)b;
    double zero = op->code == OP_add ? 0.0 : -0.0;
    return constants_is_splat_of(op->operands[1], zero) && minus_zero_never(op->operands[0])
               ? op->operands[0]
               : NULL;
}
