/* random_bits.h: counter-based generators (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as
 * easy as 1, 2, 3", 2011) as code over u32, scalar or vector: the same counter and key always give
 * the same words. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_RANDOM_BITS_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_RANDOM_BITS_H

#include "compiler/codegen/emitter/emitter.h"

/* Threefry-2x32 of 20 rounds. `words` are the counter, low word first, and become the random words.
 * Keys are i32 and of as many lanes. */
void random_bits_threefry(struct emitter *e, LLVMValueRef words[2], LLVMValueRef const key[2]);
/* Philox-4x32 of 10 rounds. */
void random_bits_philox(struct emitter *e, LLVMValueRef words[4], LLVMValueRef const key[2]);

/* The halves of an i64 (scalar or vector), low first; and back. */
void random_bits_split(struct emitter *e, LLVMValueRef wide, LLVMValueRef halves[2]);
LLVMValueRef random_bits_join(struct emitter *e, LLVMValueRef low, LLVMValueRef high);

#endif
