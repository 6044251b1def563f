/* pattern.h: indices whose lanes differ by numbers that are known when code is generated, such as
 * the quotients and remainders of the lane number by a constant. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_PATTERN_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_PATTERN_H

#include "compiler/codegen/element/affine.h"

enum { PATTERN_LANES = 64 };

/* A variable with the value at[i], not negative, in lane i. Its range is that of the lanes that the
 * tail, a constant, enables. */
int pattern_var(struct emitter *e, const int64_t *at);
/* What is added to the uniform part of `a` in each lane. False if that is not known, or there are
 * more than PATTERN_LANES lanes. */
bool pattern_of(const struct emitter *e, const struct affine *a, int64_t *at);
/* The same index; if its lanes differ by a constant stride, the lane number is its only term that
 * varies. */
struct affine pattern_settled(struct emitter *e, const struct affine *a);
/* Loads the vector at an offset, in elements of type `scalar`, by shuffles of up to four vectors.
 * The buffer has `count` elements. `mask`: the lanes that are enabled; NULL: all. The others are
 * undefined. Returns NULL if the pattern is not known, or the lanes cover more elements. */
LLVMValueRef pattern_load(struct emitter *e, LLVMValueRef pointer, LLVMTypeRef scalar,
                          unsigned align, const struct affine *offset, int64_t count,
                          LLVMValueRef mask);

#endif
