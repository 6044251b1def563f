/* affine_divide.h: division of symbolic indices, as reshapes need it. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_AFFINE_DIVIDE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_AFFINE_DIVIDE_H

#include "compiler/codegen/element/affine.h"

/* Floor division and remainder, for divisor > 0. */
void affine_divide(struct emitter *e, const struct affine *a, int64_t divisor,
                   struct affine *quotient, struct affine *remainder);
/* Undoes divisions: an index that a reshape has split, and that is linear again, as in the address
 * of an operand, is a vector load where the index was one. A dividend has older variables than its
 * quotient and remainder, so this ends. */
struct affine affine_rejoin(struct emitter *e, const struct affine *a);

#endif
