/* math.h: maps operations to the elementary functions of vecmath.h, over f32 and f64 (smaller
 * floats are computed in f32), scalar or vector. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_MATH_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_MATH_H

#include "compiler/codegen/emitter/emitter.h"
#include "compiler/codegen/vecmath/vecmath.h"

/* Emits the function of an operation (exponential, log, tanh, power ...) of x, or of x and y. NULL
 * when the operation is not an elementary function. */
LLVMValueRef math_emit(struct emitter *e, enum op_code code, LLVMValueRef x, LLVMValueRef y);
/* The vecmath context for the type of `like`, at the builder's position. */
struct vecmath math_over(const struct emitter *e, LLVMValueRef like);

#endif
