/* stride.h: strided vector loads. Lanes that read memory in reverse, or with a stride of 2 to
 * NEST_SCHEDULE_STRIDE_MOST, forward or back, are assembled by shuffles from contiguous vector
 * loads, which is several times as fast as a gather. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_STRIDE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_STRIDE_H

#include "compiler/codegen/element/affine.h"
#include "compiler/schedule/nest_schedule.h"

/* Loads the vector at an offset, in elements of type `scalar`; the buffer has `count` elements. All
 * lanes must be enabled. NULL if the stride is unsupported or the vector loads would go out of
 * bounds. */
LLVMValueRef stride_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                         unsigned align, const struct affine *offset, int64_t count);

enum { STRIDE_INTERLEAVED_MAX = 16 };
/* Interleaves `many` (1 to STRIDE_INTERLEAVED_MAX) vectors of equal length in place: the outputs,
 * concatenated, hold lane 0 of every input, then lane 1 of every input, and so on. */
void stride_interleave(struct emitter *e, LLVMValueRef *vectors, int many);

#endif
