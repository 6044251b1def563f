/* moved_index.h: the index of an element in the operand of an operation that only moves elements.
 */
#ifndef GANTRY_COMPILER_CODEGEN_OP_EMITTERS_MOVED_INDEX_H
#define GANTRY_COMPILER_CODEGEN_OP_EMITTERS_MOVED_INDEX_H

#include "compiler/codegen/element/affine.h"

/* The index in operand 0 of a broadcast, reshape, transpose, slice or reverse, if that in its
 * result is `index`; of a gather, that within the slice that it reads. */
struct index moved_index(struct emitter *e, const struct op *op, const struct index *index);

#endif
