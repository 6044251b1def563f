/* computed_index.h: indices that a program computes from its loops' positions, as those of frames,
 * sliding windows and diagonals: sums of iotas times constants. A gather of such indices loads
 * vectors where one of indices in memory would load every lane by itself. */
#ifndef GANTRY_COMPILER_CODEGEN_OP_EMITTERS_COMPUTED_INDEX_H
#define GANTRY_COMPILER_CODEGEN_OP_EMITTERS_COMPUTED_INDEX_H

#include "compiler/codegen/element/affine.h"

/* Whether the integer element of `value` at `index` is an affine function of the index that is in
 * [0, max] and that no operation on the way to it wraps around; then *out is the function. May emit
 * divisions for reshapes. Takes constant time: expressions of many operations are not followed. */
bool computed_index(struct emitter *e, const struct value *value, const struct index *index,
                    int64_t max, struct affine *out);

#endif
