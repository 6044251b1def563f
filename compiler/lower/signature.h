/* signature.h: the signature of an operation: bytes that determine its code. It has codes, types,
 * attributes, regions and the data flow, but no names, locations or addresses. Operations with
 * equal signatures compile to equal kernels. */
#ifndef GANTRY_COMPILER_LOWER_SIGNATURE_H
#define GANTRY_COMPILER_LOWER_SIGNATURE_H

#include "compiler/ir/ir.h"

/* *bytes is in the arena. */
void signature_of_op(struct arena *arena, const struct op *op, const void **bytes, size_t *size);

#endif
