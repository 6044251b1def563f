/* signature.h: the signature of an operation: bytes that determine its code. It has codes, types,
 * attributes, regions and the data flow, but no names, locations or addresses. Operations with
 * equal signatures compile to equal kernels. */
#ifndef GANTRY_COMPILER_LOWER_SIGNATURE_H
#define GANTRY_COMPILER_LOWER_SIGNATURE_H

#include "compiler/ir/ir.h"

/* *bytes is in the arena. */
void signature_of_op(struct arena *arena, const struct op *op, const void **bytes, size_t *size);

/* The same, but equal for operations that differ only in some constants of their regions. `fields`
 * maps an operation to the set of what is left out, as bits: bit 0 of an OP_constant leaves out its
 * value, and which operands are the same constant; bit i of an OP_slice the start of dimension i
 * (and the limit, which follows from start and size). */
void signature_without(struct arena *arena, const struct op *op, const struct map *fields,
                       const void **bytes, size_t *size);

#endif
