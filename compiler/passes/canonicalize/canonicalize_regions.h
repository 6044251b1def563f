/* canonicalize_regions.h: rules of canonicalize for operations with regions. Each replaces `op`,
 * or leaves it. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_REGIONS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_REGIONS_H

#include "compiler/ir/ir.h"

/* The body on whole tensors. UNIMPLEMENTED when the body is not elementwise. */
struct error *canonicalize_regions_map(struct module *module, struct op *op);
/* Over dimensions of one element, or none: the body once; operands get the element type that the
 * body combines. */
struct error *canonicalize_regions_reduce(struct module *module, struct op *op);
struct error *canonicalize_regions_reduce_window(struct module *module, struct op *op);
struct error *canonicalize_regions_scatter(struct module *module, struct op *op);
struct error *canonicalize_regions_select_and_scatter(struct module *module, struct op *op);
/* A constant predicate: the branch that is taken; no loop when it is false at first. */
struct error *canonicalize_regions_branch(struct module *module, struct op *op);
struct error *canonicalize_regions_while(struct module *module, struct op *op);
/* One element along the dimension: nothing to sort. */
struct error *canonicalize_regions_sort(struct module *module, struct op *op);

#endif
