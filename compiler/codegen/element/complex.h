/* complex.h: operations on complex elements (two parts), and those that make or take them apart. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_COMPLEX_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_COMPLEX_H

#include "compiler/codegen/element/element.h"

/* An elementwise operation with a complex operand or result, or real/imag. Errors:
 * UNIMPLEMENTED. */
struct error *complex_emit(struct emitter *e, const struct op *op, const struct element *in,
                           struct element *out);
/* A binary operation (add, multiply ...) of two complex elements. */
struct error *complex_combine(struct emitter *e, enum op_code code, const struct element *a,
                              const struct element *b, struct element *out);

#endif
