/* buffer_assign.h: assigns a slice of memory to every value of a block and of the control-flow
 * blocks inside it. Values whose live ranges do not overlap share temporary memory. Results are
 * computed in place in the result allocations. A value carried by a while shares one slice between
 * its initial value, the loop and the result. An in-place update shares the slice of its operand if
 * this is the operand's last use. Otherwise the pass inserts an OP_copy before the update, so the
 * plan is always correct. Each FUSION_REGION gets its own plan (buffer_plan.regions). Donated
 * parameters may be overwritten after their last reader. Requires that fusion has run (every
 * operation is a fusion, dot_general, convolution, custom_call, constant, copy, while, case, if or
 * return). */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_ASSIGN_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_ASSIGN_H

#include "compiler/plan/buffer_plan.h"
#include "compiler/target.h"

/* Returns the scratch size of a fusion in bytes (codegen_library). A NULL function means that no
 * fusion needs scratch. */
typedef uint64_t buffer_scratch_function(const struct op *fusion, const struct target *target);
struct error *buffer_assign_entry(struct module *module, const struct target *target,
                                  buffer_scratch_function *scratch_size, struct buffer_plan **out);

#endif
