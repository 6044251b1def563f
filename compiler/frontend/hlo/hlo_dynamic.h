/* hlo_dynamic.h: dynamic sizes of the operands of a scatter. PyTorch/XLA counts the elements that a
 * mask selects, sets the count as the dynamic size of an array (set-dimension-size), and scatters
 * the array. Such an array keeps its maximum shape; `sizes` of its hlo_node has the dynamic sizes.
 * The scatter indices beyond the dynamic size are set out of bounds, where a scatter ignores them.
 * Other uses of such an array are UNIMPLEMENTED (hlo_body_operand()). */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_DYNAMIC_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_DYNAMIC_H

#include "compiler/frontend/hlo/hlo_body.h"

/* True when the instruction returns an array with a dynamic size. */
bool hlo_dynamic_is_set_size(const hlo_instruction *in);
struct error *hlo_dynamic_set_size(struct hlo_frame *f, const hlo_instruction *in,
                                   const struct hlo_node **out);

/* Operand i of a scatter with its dynamic sizes resolved. UNIMPLEMENTED for dynamic sizes of inputs
 * and of window dimensions. */
struct error *hlo_dynamic_scatter_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                                          const struct hlo_node **out);

#endif
