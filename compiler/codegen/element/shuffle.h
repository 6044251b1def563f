/* shuffle.h: vectors made of the elements of others. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_SHUFFLE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_SHUFFLE_H

#include "compiler/codegen/emitter/emitter.h"

enum {
    SHUFFLE_LANES = 64,      /* of a vector at most */
    SHUFFLE_BLOCK_BITS = 128 /* elements move inside of blocks of so many, or blocks as a whole */
};

/* Returns the vector whose lane i is element from[i] of the concatenation of `many` vectors of
 * equal length, at most SHUFFLE_LANES each; any element if from[i] is negative. */
LLVMValueRef shuffle_pick(struct emitter *e, const LLVMValueRef *vectors, int many,
                          const int *from);

#endif
