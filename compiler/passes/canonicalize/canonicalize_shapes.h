/* canonicalize_shapes.h: canonicalizes operations that move elements. Each function replaces `op`
 * by a simpler operation, merges its operand's definition into it, or leaves it unchanged. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_SHAPES_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_SHAPES_H

#include "compiler/ir/ir.h"

struct error *canonicalize_shapes_broadcast(struct module *module, struct op *op);
struct error *canonicalize_shapes_broadcast_in_dim(struct module *module, struct op *op);
struct error *canonicalize_shapes_reshape(struct module *module, struct op *op);
struct error *canonicalize_shapes_transpose(struct module *module, struct op *op);
struct error *canonicalize_shapes_slice(struct module *module, struct op *op);
struct error *canonicalize_shapes_pad(struct module *module, struct op *op);
struct error *canonicalize_shapes_concatenate(struct module *module, struct op *op);
struct error *canonicalize_shapes_reverse(struct module *module, struct op *op);
/* Replace a slice of everything by the operand, and an update of everything by the update. */
struct error *canonicalize_shapes_dynamic_slice(struct module *module, struct op *op);
struct error *canonicalize_shapes_dynamic_update_slice(struct module *module, struct op *op);
/* A gather at constant positions next to each other, in their order, becomes a slice. Others
 * gather narrow floating-point elements, then convert them, where the operand is a conversion and
 * no model awaits the module (the TPU's compiler stores the wide ones). */
struct error *canonicalize_shapes_gather(struct module *module, struct op *op);

#endif
