/* shuffle.h: vectors made of the elements of others. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_SHUFFLE_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_SHUFFLE_H

#include "compiler/codegen/element/element.h"

enum {
    SHUFFLE_LANES = 64,      /* of a vector at most */
    SHUFFLE_BLOCK_BITS = 128 /* elements move inside of blocks of so many, or blocks as a whole */
};

/* Returns the vector whose lane i is element from[i] of the concatenation of `many` vectors of
 * equal length, at most SHUFFLE_LANES each; any element if from[i] is negative. */
LLVMValueRef shuffle_pick(struct emitter *e, const LLVMValueRef *vectors, int many,
                          const int *from);

/* The `count` lanes from[0], from[1] ... of `a`, then of `b` (NULL: none), which has as many lanes;
 * any value for negative ones. One lane of `a` is a scalar. */
LLVMValueRef shuffle_lanes(struct emitter *e, LLVMValueRef a, LLVMValueRef b, int count,
                           const int *from);
/* `count` adjacent lanes, the first of which is lane `first`. */
LLVMValueRef shuffle_part(struct emitter *e, LLVMValueRef value, int first, int count);
/* The same of elements; of a part as long as the element, the element itself. */
struct element shuffle_element(struct emitter *e, const struct element *a, const struct element *b,
                               int count, const int *from);
struct element shuffle_element_part(struct emitter *e, const struct element *element, int first,
                                    int count);
/* The lanes of both vectors, in turn. */
LLVMValueRef shuffle_in_turn(struct emitter *e, LLVMValueRef a, LLVMValueRef b);

#endif
