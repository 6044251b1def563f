/* stride.h: lanes that read memory backwards, or every second to eighth element of it: whole
 * vectors are loaded and put together in registers, several times as fast as a gather. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_STRIDE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_STRIDE_H

#include "compiler/codegen/element/affine.h"

/* The vector at an offset (in elements of `scalar`, of which there are `count`), all of whose lanes
 * exist; NULL where the stride is another, or vectors would reach beyond the array. */
LLVMValueRef stride_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                         unsigned align, const struct affine *offset, int64_t count);

/* The other way: `many` vectors of equal length become as many that hold their lanes in turn: first
 * all first ones. */
void stride_interleave(struct emitter *e, LLVMValueRef *vectors, int many);

#endif
