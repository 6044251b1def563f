/* signature.h: what makes two operations compile to the same code, as bytes: codes, types,
 * attributes, regions and how values are connected, but no names, locations or addresses. Equal
 * signatures mean equal kernels. */
#ifndef GANTRY_COMPILER_LOWER_SIGNATURE_H
#define GANTRY_COMPILER_LOWER_SIGNATURE_H

#include "compiler/ir/ir.h"

/* *bytes is in the arena. */
void signature_of_op(struct arena *arena, const struct op *op, const void **bytes, size_t *size);

#endif
