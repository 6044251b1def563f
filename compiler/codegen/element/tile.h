/* tile.h: loads for transposes. When lanes read an argument with a stride, but the rows of a tile
 * are contiguous in its memory, in its order or the opposite one, a square of the argument is
 * loaded row by row, transposed in registers and stored on the stack. The tile's rows then load
 * vectors from the stack. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_TILE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_TILE_H

#include "compiler/codegen/element/affine.h"

/* The vector at an offset (in elements of `scalar`) if it is part of the current tile; else
 * NULL. */
LLVMValueRef tile_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                       const struct affine *offset);

#endif
