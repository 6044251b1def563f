/* canonicalize_calls.h: rules of canonicalize for custom calls that say nothing but StableHLO. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CALLS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CALLS_H

#include "compiler/ir/ir.h"

/* Annotations (Sharding, LayoutConstraint ...): their operand. ApproxTopK: an exact sort, of which
 * the first elements are taken, so that the recall is 1. AllocateBuffer: zeros. mhlo.erf, as
 * exported HLO has it: erf. Others stay. INVALID_ARGUMENT for those whose operands, computation and
 * results do not fit. */
struct error *canonicalize_calls_custom(struct module *module, struct op *op);

#endif
