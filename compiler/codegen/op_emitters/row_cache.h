/* row_cache.h: stores rows (schedule/cached_row.h) on the stack while they are reduced. */
#ifndef GANTRY_COMPILER_CODEGEN_OP_EMITTERS_ROW_CACHE_H
#define GANTRY_COMPILER_CODEGEN_OP_EMITTERS_ROW_CACHE_H

#include "compiler/codegen/element/element.h"

struct row_cache {
    LLVMValueRef *memory; /* for each input of the reduction, or NULL; NULL: none is kept */
    enum dtype dtype;     /* of the elements there */
};

/* Chooses the rows of a reduce's inputs, and their places on the stack, which live in the arena. */
struct row_cache row_cache_plan(struct emitter *e, const struct op *reduce);
/* Stores an element of each row that is kept, at its position in the row. */
void row_cache_store(struct emitter *e, const struct row_cache *rows, const struct op *reduce,
                     const struct affine *at, const struct element *in);
/* After the reduction: later uses at this index of its result read the rows. */
void row_cache_publish(struct emitter *e, const struct row_cache *rows, const struct op *reduce,
                       const struct index *index);

#endif
