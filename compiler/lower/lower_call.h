/* lower_call.h: records the metadata of a custom call: the types of its operands and results as
 * the program means them, and its attributes with their types (program.h, struct call_spec). */
#ifndef GANTRY_COMPILER_LOWER_LOWER_CALL_H
#define GANTRY_COMPILER_LOWER_LOWER_CALL_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* In the arena. Errors: UNIMPLEMENTED for an attribute or a value that no function could be
 * given. */
struct error *lower_call_spec(struct arena *arena, const struct op *op, struct call_spec *out);

#endif
