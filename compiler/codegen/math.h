/* math.h: elementary functions of f32 and f64 (and through f32, of smaller floats), scalar or vector, as
 * polynomials without calls; what has none yet calls libm for each lane (elf.c knows the names). */
#ifndef GANTRY_COMPILER_CODEGEN_MATH_H
#define GANTRY_COMPILER_CODEGEN_MATH_H

#include "compiler/codegen/emitter.h"

/* The function of an operation (exponential, log, tanh, power ...) of x (and y); NULL when it is not one. */
LLVMValueRef math_emit(struct emitter *e, enum op_code code, LLVMValueRef x, LLVMValueRef y);

/* f32 only. Relative errors of a few 1e-7; special values as IEEE says. */
LLVMValueRef math_exp_f32(struct emitter *e, LLVMValueRef x);
LLVMValueRef math_log_f32(struct emitter *e, LLVMValueRef x);
LLVMValueRef math_tanh_f32(struct emitter *e, LLVMValueRef x);

#endif
