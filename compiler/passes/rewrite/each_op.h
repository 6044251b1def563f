/* each_op.h: the walks of passes that rewrite one operation at a time. All visit the operations of
 * every function, those in the regions of an operation before the operation itself, and end with
 * the first error. A visit may replace its operation or remove it. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_EACH_OP_H
#define GANTRY_COMPILER_PASSES_REWRITE_EACH_OP_H

#include "compiler/ir/ir.h"

struct target;

/* `target` is the one that the walk was given. */
typedef struct error *each_op_visit(struct module *module, struct op *op,
                                    const struct target *target);
/* The same with what the caller passes on, for passes that remember more. */
typedef struct error *each_op_visit_with(struct module *module, struct op *op, void *context);

/* From the first operation of a block to the last. What a visit inserts before its operation is not
 * visited. A visit may not remove the next operation. */
struct error *each_op(struct module *module, const struct target *target, each_op_visit *visit);
/* The same, but after a visit that removes its operation, the first one in its place is visited. A
 * visit may remove any later operation. */
struct error *each_op_again(struct module *module, const struct target *target,
                            each_op_visit *visit);
struct error *each_op_again_with(struct module *module, void *context, each_op_visit_with *visit);
/* From the last operation of a block to the first. A visit may not remove the previous one. */
struct error *each_op_backward(struct module *module, const struct target *target,
                               each_op_visit *visit);

#endif
