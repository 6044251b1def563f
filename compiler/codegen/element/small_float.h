/* small_float.h: floats of 16 bits and less to f32 and back by integer arithmetic, as
 * base/dtype.h's reference conversions do: rounding to nearest even, denormals kept, overflow as
 * the type says. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_SMALL_FLOAT_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_SMALL_FLOAT_H

#include "compiler/codegen/emitter/emitter.h"

/* `bits` are integers of the type's width in memory, scalar or vector; the result is f32 of as many
 * lanes. */
LLVMValueRef small_float_decode(struct emitter *e, enum dtype dtype, LLVMValueRef bits);
LLVMValueRef small_float_encode(struct emitter *e, enum dtype dtype, LLVMValueRef value);

#endif
