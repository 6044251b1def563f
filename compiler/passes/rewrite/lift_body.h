/* lift_body.h: the body of a reduction, a scatter or a map, which computes with scalars, applied to
 * whole tensors. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_LIFT_BODY_H
#define GANTRY_COMPILER_PASSES_REWRITE_LIFT_BODY_H

#include "compiler/ir/ir.h"

/* Whether a body has only scalar operations, so that it can be applied to tensors. */
bool lift_body_possible(const struct block *body);
/* Inserts, before op, the operations of its body on tensors of `shape`: one in `arguments` for each
 * argument of the body. Sets results[i] for each result of op. Errors: UNIMPLEMENTED if that is not
 * possible. */
struct error *lift_body_apply(struct module *module, struct op *op, const struct type *shape,
                              struct value *const *arguments, struct value **results);

#endif
