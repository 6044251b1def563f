/* lower_call.h: records the metadata of a custom call: the types of its operands and results as
 * declared in the source program, and its attributes with their types (program.h, struct
 * call_spec). */
#ifndef GANTRY_COMPILER_LOWER_LOWER_CALL_H
#define GANTRY_COMPILER_LOWER_LOWER_CALL_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* In the arena. Errors: UNIMPLEMENTED for attributes and values of kinds that the functions of
 * custom calls cannot receive. */
struct error *lower_call_spec(struct arena *arena, const struct op *op, struct call_spec *out);

#endif
