/* canonicalize_regions.h: canonicalizes operations with regions. Each function replaces `op` or
 * leaves it unchanged. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_REGIONS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_REGIONS_H

#include "compiler/ir/ir.h"

/* Applies the body to whole tensors, or in a loop over elements if it is not elementwise. */
struct error *canonicalize_regions_map(struct module *module, struct op *op);
/* Reducers: convert operands to the element type of the body. A reduce over dimensions of size 1 is
 * replaced by one application of the body. */
struct error *canonicalize_regions_reduce(struct module *module, struct op *op);
struct error *canonicalize_regions_reduce_window(struct module *module, struct op *op);
/* A scatter of one window whose position is constant becomes a dynamic_update_slice, or its operand
 * if the window is out of bounds; one of windows at constant positions next to each other, in their
 * order, becomes a dynamic_update_slice. Others: canonicalize_scatter.h. */
struct error *canonicalize_regions_scatter(struct module *module, struct op *op);
struct error *canonicalize_regions_select_and_scatter(struct module *module, struct op *op);
/* Replace a branch with a constant predicate by the taken region; remove a loop whose condition is
 * false. */
struct error *canonicalize_regions_branch(struct module *module, struct op *op);
struct error *canonicalize_regions_while(struct module *module, struct op *op);
/* Replaces a sort along a dimension of at most one element by its operands. */
struct error *canonicalize_regions_sort(struct module *module, struct op *op);

#endif
