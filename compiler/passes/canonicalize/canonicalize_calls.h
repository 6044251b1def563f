/* canonicalize_calls.h: canonicalizes custom calls that StableHLO can express. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CALLS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_CALLS_H

#include "compiler/ir/ir.h"

/* Replaces annotations (Sharding, LayoutConstraint, Pin ...) by their operand, ApproxTopK by the
 * first elements of an exact sort (a recall of 1), AllocateBuffer and CreateBuffer by zeros,
 * mhlo.erf of exported HLO by erf, and gantry.sqrt, log, acos, acosh, asin, asinh, atan and atanh
 * by these functions, which JAX's client would expand (python/gantry_pjrt/complex_functions.py).
 * Leaves other calls unchanged. INVALID_ARGUMENT when operands, computation and results of such a
 * call do not match. */
struct error *canonicalize_calls_custom(struct module *module, struct op *op);

#endif
