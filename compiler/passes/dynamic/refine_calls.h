/* refine_calls.h: custom calls of programs with unknown sizes, which exist because StableHLO has no
 * dynamic form of some operations. Their operands have static types, and constant sizes:
 *
 *   shape_assertion                              is checked and removed
 *   stablehlo.shape_refinement_operand_wrapper   becomes its first operand
 *   stablehlo.dynamic_reduce_window              reduce_window
 *   stablehlo.dynamic_rng_bit_generator          rng_bit_generator
 *   stablehlo.dynamic_top_k                      a sort and slices
 *   stablehlo.dynamic_approx_top_k               the custom call ApproxTopK
 *   others with indices_of_shape_operands        the same call without these operands, which are
 *                                                the sizes of the results
 */
#ifndef GANTRY_COMPILER_PASSES_DYNAMIC_REFINE_CALLS_H
#define GANTRY_COMPILER_PASSES_DYNAMIC_REFINE_CALLS_H

#include "compiler/ir/ir.h"

/* Replaces the custom call `op` if it is one of the above. *done: whether it was. INVALID_ARGUMENT
 * with the message of an assertion that does not hold; UNIMPLEMENTED for sizes that are not
 * constant. */
struct error *refine_calls_replace(struct module *module, struct op *op, bool *done);

#endif
