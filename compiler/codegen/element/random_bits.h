/* random_bits.h: emits counter-based random number generators over u32, scalar or vector. The same
 * counter and key always give the same words. See Salmon, Moraes, Dror, Shaw: "Parallel random
 * numbers: as easy as 1, 2, 3", 2011. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_RANDOM_BITS_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_RANDOM_BITS_H

#include "compiler/codegen/emitter/emitter.h"

/* Threefry-2x32 with 20 rounds. `words` holds the counter, low word first, and is replaced by the
 * random words. The keys are i32 with the same number of lanes. */
void random_bits_threefry(struct emitter *e, LLVMValueRef words[2], LLVMValueRef const key[2]);
/* Philox-4x32 with 10 rounds; `words` and `key` as above. */
void random_bits_philox(struct emitter *e, LLVMValueRef words[4], LLVMValueRef const key[2]);

/* Splits an i64 (scalar or vector) into its halves, low first; random_bits_join() is the
 * inverse. */
void random_bits_split(struct emitter *e, LLVMValueRef wide, LLVMValueRef halves[2]);
LLVMValueRef random_bits_join(struct emitter *e, LLVMValueRef low, LLVMValueRef high);

#endif
