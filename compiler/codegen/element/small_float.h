/* small_float.h: converts floats of 16 bits and less to f32 and back with integer arithmetic.
 * Matches the reference conversions in base/dtype.h: rounds to nearest even, preserves denormals,
 * and handles overflow as the type defines it. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_SMALL_FLOAT_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_SMALL_FLOAT_H

#include "compiler/codegen/emitter/emitter.h"

/* `bits` are integers of the type's width in memory, scalar or vector. The result is f32 with the
 * same number of lanes. */
LLVMValueRef small_float_decode(struct emitter *e, enum dtype dtype, LLVMValueRef bits);
LLVMValueRef small_float_encode(struct emitter *e, enum dtype dtype, LLVMValueRef value);
/* The f32 (`type`) of f16, for processors that have the instruction. */
LLVMValueRef small_float_extend(struct emitter *e, LLVMValueRef f16, LLVMTypeRef type);
/* The bits that element_decode() made a value of: what was loaded and only moved, or rounded
 * before, needs no rounding. NULL if it was computed. */
LLVMValueRef small_float_loaded(struct emitter *e, enum dtype dtype, LLVMValueRef value, int lanes);
/* A bf16 (i16) of f32, by an instruction of the processor; NULL where it might give other bits: it
 * takes denormals as zero, which results of arithmetic are never where the processor flushes, nor
 * are integers and f16. */
LLVMValueRef small_float_narrow(struct emitter *e, LLVMValueRef value, int lanes);

#endif
