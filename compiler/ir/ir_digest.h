/* ir_digest.h: a hash of a module, by which pipeline.c notices that a pass has changed nothing. */
#ifndef GANTRY_COMPILER_IR_IR_DIGEST_H
#define GANTRY_COMPILER_IR_IR_DIGEST_H

#include "compiler/ir/ir.h"

/* A hash of the functions, blocks and operations, with the addresses of what they refer to: types,
 * operands, arrays of attributes. What is behind those addresses is not hashed, nor are lists of
 * uses and notes: a pass that writes into such an array in place must change something else, too,
 * for its change to be noticed. Meaningless for other modules. Much cheaper than ir_verify(). Pure.
 */
uint64_t ir_digest(const struct module *module);

#endif
