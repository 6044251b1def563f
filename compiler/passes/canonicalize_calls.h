/* canonicalize_calls.h: rules of canonicalize for custom calls that say nothing but StableHLO. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CALLS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CALLS_H

#include "compiler/ir/ir.h"

/* Annotations (Sharding, LayoutConstraint ...): their operand. ApproxTopK: an exact sort, of which
 * the first elements are taken, so that the recall is 1. Others stay. INVALID_ARGUMENT for an
 * ApproxTopK whose operands, computation and results do not fit together. */
struct error *canonicalize_calls_custom(struct module *module, struct op *op);

#endif
