/* ir_digest.h: a hash of a module, by which compile.c notices that a pass has changed nothing. */
#ifndef GANTRY_COMPILER_IR_IR_DIGEST_H
#define GANTRY_COMPILER_IR_IR_DIGEST_H

#include "compiler/ir/ir.h"

/* A hash of the functions, blocks and operations, with the addresses of what they refer to: types,
 * operands, arrays of attributes. It changes with every change of the module, except for lists of
 * uses and notes, and is meaningless for other modules. Much cheaper than ir_verify(). Pure. */
uint64_t ir_digest(const struct module *module);

#endif
