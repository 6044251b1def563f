/* hlo_dynamic.h: sizes that are known at run time only, as far as they end in a scatter.
 * PyTorch/XLA counts what a mask selects, declares that only so many rows of an array count
 * (set-dimension-size), and scatters those. Such an array keeps its largest shape, with the sizes
 * beside it (hlo_node's `sizes`); the scatter's indices of rows that do not count are set out of
 * bounds, where a scatter ignores them. For every other use of such an array hlo_body_operand()
 * returns UNIMPLEMENTED. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_DYNAMIC_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_DYNAMIC_H

#include "compiler/frontend/hlo/hlo_body.h"

/* Whether the instruction gives an array with such a size. */
bool hlo_dynamic_is_set_size(const hlo_instruction *in);
struct error *hlo_dynamic_set_size(struct hlo_frame *f, const hlo_instruction *in,
                                   const struct hlo_node **out);

/* Operand i of a scatter, without such sizes. UNIMPLEMENTED for an input, or a dimension of a
 * window, that has one. */
struct error *hlo_dynamic_scatter_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                                          const struct hlo_node **out);

#endif
