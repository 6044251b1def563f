/* lower_memory_copy.h: steps of copies between memory kinds (analysis/memory_copy.h). */
#ifndef GANTRY_COMPILER_LOWER_LOWER_MEMORY_COPY_H
#define GANTRY_COMPILER_LOWER_LOWER_MEMORY_COPY_H

#include "compiler/lower/lowerer.h"

/* The step that starts the copy. */
struct step lower_memory_copy_start(struct lowerer *l, const struct op *op);
/* The step that ends it, with the label of `op`: an OP_copy_done, or the copy itself. */
struct step lower_memory_copy_done(struct lowerer *l, const struct op *op);

#endif
