/* math.h: the elementary function of an operation, over f32 and f64 (and through f32, smaller
 * floats), scalar or vector; emitted with vecmath.h. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_MATH_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_MATH_H

#include "compiler/codegen/emitter/emitter.h"
#include "compiler/codegen/vecmath/vecmath.h"

/* The function of an operation (exponential, log, tanh, power ...) of x (and y); NULL when it is
 * not one. */
LLVMValueRef math_emit(struct emitter *e, enum op_code code, LLVMValueRef x, LLVMValueRef y);
/* Elementary functions over the type of `like`, at the builder's position. */
struct vecmath math_over(const struct emitter *e, LLVMValueRef like);

#endif
