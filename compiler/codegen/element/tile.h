/* tile.h: loads for transpositions. Where lanes read an argument with a stride but the rows of a
 * tile run along its memory, a square of the argument is loaded by its own rows, transposed in
 * registers and stored on the stack; the rows of the tile then load vectors from there. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_TILE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_TILE_H

#include "compiler/codegen/element/affine.h"

/* The vector at an offset (in elements of `scalar`), when the current tile holds it; else NULL. */
LLVMValueRef tile_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar, unsigned align,
                       const struct affine *offset);

#endif
