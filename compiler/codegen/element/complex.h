/* complex.h: operations on complex elements, which have two parts, and operations that convert
 * between complex and real elements. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_COMPLEX_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_COMPLEX_H

#include "compiler/codegen/element/element.h"

/* Emits an elementwise operation with a complex operand or result, or real/imag. Errors:
 * UNIMPLEMENTED. */
struct error *complex_emit(struct emitter *e, const struct op *op, const struct element *in,
                           struct element *out);
/* Emits a binary operation (add, multiply ...) on two complex elements. */
struct error *complex_combine(struct emitter *e, enum op_code code, const struct element *a,
                              const struct element *b, struct element *out);

#endif
