/* loops.h: loop nests that store the elements of expressions. A nest belongs to one shape: its
 * dimensions (those that all expressions treat as neighbours counted as one) become work items, of
 * which a kernel's caller hands out ranges to threads, around a loop over lanes of the innermost
 * dimension: whole vectors, then one masked vector for what is left. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_LOOPS_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_LOOPS_H

#include "compiler/codegen/loops/expression.h"

struct nest {
    const struct type *shape; /* of all roots */
    int count;
    const struct value *const *roots;
    LLVMValueRef *pointers; /* where each root goes */
    /* The shape that the roots are written into, from element `origin` on; NULL: they fill their
     * own shape. */
    const int64_t *into;
    const struct affine *origin;
    /* Takes the place of storing roots: called once for each index. Dimensions are then not joined,
     * and lanes run along the last dimension only when `lanes_allowed`. NULL: roots are stored. */
    struct error *(*visit)(struct emitter *e, void *context, const struct index *index);
    void *context;
    bool lanes_allowed;
    /* the plan, by loops_plan() */
    int axes; /* loops, outermost first; the last one carries the lanes */
    int axis_dim[SHAPE_MAX_RANK];
    int64_t axis_size[SHAPE_MAX_RANK];
    /* axes that work items count; those between them and the last are loops of an item */
    int outer;
    int lanes;
    /* an outer axis of which an item takes several rows, as tiles with the lanes; -1: none */
    int tile;
    /* the size of an innermost dimension that is too short for lanes, so that each lane of the next
     * one writes all of it; 1: none */
    int interleave, interleave_dim;
    int64_t chunk; /* vectors of the last axis that a work item takes at once */
    int64_t work;  /* number of work items; 0: nothing to do */
};

void loops_plan(const struct target *target, struct nest *nest);
/* Writes the nest for work items [begin, end) of [0, work), given as i64. */
struct error *loops_emit(struct emitter *e, const struct nest *nest, LLVMValueRef begin,
                         LLVMValueRef end);

#endif
