/* reduction.h: loops inside an expression that carry accumulators: reduce, windows, matrix
 * products. There are two forms. Without `vector`, every lane of the result (or its one scalar) has
 * accumulators of its own. With `vector`, the result is a scalar: the innermost loop is vectorized,
 * and the lanes' accumulators are combined at the end. With `identity`, long loops add in blocks,
 * so the error of a sum does not grow with its length. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_REDUCTION_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_REDUCTION_H

#include "compiler/codegen/loops/expression.h"

enum { REDUCTION_GROUP = 8 }; /* rows of a chunk that are read together */

struct reduction {
    int rank;
    const int64_t *sizes; /* trip counts of the loops, outermost first */
    int count;            /* number of accumulators */
    const enum dtype *dtypes;
    const struct element *initial; /* uniform, or with `lanes` lanes */
    /* What the accumulators of a block begin with, of the same form; NULL: there are no blocks.
     * With `vector`, it is `initial`. */
    const struct element *identity;
    int lanes; /* of the accumulators; with `vector`, of the innermost loop */
    bool vector;
    bool apart; /* vector only: lanes are not combined: so many are those of the result */
    int sets;   /* vector only: sets of accumulators, which take turns, vector by vector; 0: one */
    /* Accumulates the element at position `at`. */
    struct error *(*step)(struct emitter *e, void *context, const struct affine *at,
                          struct element *accumulators);
    /* vector and identity only: a = combine(a, b). */
    struct error *(*combine)(struct emitter *e, void *context, struct element *a,
                             const struct element *b);
    void *context;
    int combine_weight; /* an estimate of the arithmetic of `combine`; 0: little */
    /* Not NULL: the results of all vectors of this chunk, as arrays (chunk.h). `step` is that of
     * the vector e->chunk; rows are read in pieces of a chunk. Not with `vector`; the last loop has
     * at least two iterations. */
    const struct chunk *chunk;
    const struct reduction_blocks *blocks; /* of each loop; set by reduction_emit */
};

/* Emits the loops at the builder's position; `out` has `count` elements. */
struct error *reduction_emit(struct emitter *e, const struct reduction *r, struct element *out);
/* The accumulators of which a vector exists at the same time for each result: in the order of the
 * levels of blocks, one for each. */
int reduction_levels(struct emitter *e, const struct reduction *r);
/* Makes `r` a vector reduction and chooses its lanes and sets of accumulators for an innermost loop
 * over `size` elements of `dtype`. `weight`, an estimate of the arithmetic for an element, and that
 * of a combination decide how the same accumulators are written: as one wide vector, which hides
 * latency, or as sets of narrower ones, which keep the code of long expressions short. So a sum has
 * the same bits whether its terms are computed in the same kernel or loaded from memory. */
void reduction_vectorize(const struct emitter *e, struct reduction *r, enum dtype dtype,
                         int64_t size, int weight);

#endif
