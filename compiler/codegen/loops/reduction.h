/* reduction.h: loops inside an expression that carry accumulators: reduce, windows, products of
 * matrices. Two forms. Without `vector` every lane (or the one scalar) of the result has
 * accumulators of its own. With `vector`, for a result that is a scalar, the innermost loop runs
 * over lanes of its own, and the lanes' accumulators are combined at the end. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_REDUCTION_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_REDUCTION_H

#include "compiler/codegen/loops/expression.h"

struct reduction {
    int rank;
    const int64_t *sizes; /* of the loops, outermost first */
    int count;            /* accumulators */
    const enum dtype *dtypes;
    const struct element *initial; /* uniform, or of `lanes` */
    int lanes;                     /* of the accumulators; of the innermost loop when `vector` */
    bool vector;
    /* Takes the element at a position into the accumulators. */
    struct error *(*step)(struct emitter *e, void *context, const struct affine *at,
                          struct element *accumulators);
    /* vector: a = a combined with b. */
    struct error *(*combine)(struct emitter *e, void *context, struct element *a,
                             const struct element *b);
    void *context;
};

/* Emits the loops at the builder's position; `out` has `count` elements. */
struct error *reduction_emit(struct emitter *e, const struct reduction *r, struct element *out);
/* A good number of lanes for a vector reduction over so many elements of a type, each of so many
 * operations. */
int reduction_lanes(const struct emitter *e, enum dtype dtype, int64_t size, int operations);

#endif
