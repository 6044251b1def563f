/* loops.h: loop nests that store the elements of expressions. A nest covers one shape. Dimensions
 * that all expressions access contiguously are collapsed. The outer dimensions become work items,
 * which the kernel's caller distributes over threads in ranges. The innermost dimension becomes a
 * loop over lanes: whole vectors, then one masked vector for the remainder. If the only loops
 * inside the expressions reduce the last dimensions of a row, a work item computes all elements of
 * its rows and finishes a row's reduction before it stores the row's first element. The result may
 * then overwrite the row that was reduced. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_LOOPS_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_LOOPS_H

#include "compiler/codegen/loops/expression.h"

/* Larger results may be stored past the caches. */
enum { LOOPS_STREAM_BYTES = 16 << 20 };

/* Whether a result of the kernel would displace all else in the caches, and itself before the next
 * kernel reads it: it is stored past them. */
bool loops_exceeds_caches(const struct emitter *e, uint64_t bytes);

/* Where a root is stored: at element `origin` of an array whose last dimensions are those of the
 * nest; along others the root has size 1. */
struct placement {
    const struct type *into; /* NULL: the root fills its own shape */
    const struct affine *origin;
};

/* How a nest is divided into loops and work items. */
struct nest_plan {
    int axes; /* loops, outermost first; the last one is vectorized */
    int axis_dim[SHAPE_MAX_RANK];
    int64_t axis_size[SHAPE_MAX_RANK];
    /* axes that work items enumerate; those between them and the last are loops within an item */
    int outer;
    int lanes;
    /* an outer axis of which an item processes several rows, in tiles with the lanes; -1: none */
    int tile;
    int64_t tile_block; /* the tiles of an item along that axis */
    /* Innermost dimensions that are too short to vectorize: each lane of the next dimension writes
     * all of them. How many they are, the product of their sizes (1: none), and whether they are
     * stored as period.h says. Their axes follow the others. */
    int inner, interleave;
    bool periodic;
    bool reduces_inner; /* all loops of the roots are reductions over the interleaved dimension */
    bool record; /* the last axis is as record.h says: it has as many elements as there are lanes */
    /* elements of the last axis that one iteration of the loop over vectors stores: a few times the
     * lanes (lanes.h); of a periodic nest, rows that fill whole vectors */
    int step;
    int64_t chunk; /* steps of the last axis that a work item processes */
    /* The last vector of a row begins earlier, so that it is a whole one and has the others' code;
     * what the one before has stored it leaves out, or in tiles of a copy stores again. Otherwise
     * the rest of a row is code of its own. */
    bool overlaps;
    /* The roots contain loops whose results differ along the lanes. Those of reductions over rows
     * are then computed for all vectors of a chunk, before the first is stored. */
    bool reduces;
    bool has_loop; /* the roots contain loops */
    bool bits;     /* the roots are only moved, and stay what they are in memory (moves.h) */
    int64_t work;  /* number of work items; 0: nothing to do */
};

/* What is stored, which the caller sets, and the plan, which loops_plan() sets. */
struct nest {
    const struct type *shape; /* shape of all roots */
    int count;
    const struct value *const *roots;
    LLVMValueRef *pointers;         /* the destination of each root */
    const struct placement *places; /* of each root; NULL: all fill their own shape */
    /* If not NULL, called once for each index instead of storing the roots. Dimensions are then not
     * collapsed, and lanes run along the last dimension only if `lanes_allowed`. */
    struct error *(*visit)(struct emitter *e, void *context, const struct index *index);
    void *context;
    bool lanes_allowed;
    bool visits_together; /* a visit is a few instructions: those of a short row need no loop */
    /* If not NULL: sets the condition (i1; NULL: always) under which the elements of a row, those
     * along the last axis, are visited. The index is that of the row's first element. */
    struct error *(*visits_row)(struct emitter *e, void *context, const struct index *index,
                                LLVMValueRef *condition);
    /* Visits that may depend on each other, unless their indices differ in the first `apart`
     * dimensions, are made in order by the same work item: items divide only these dimensions. */
    bool in_order;
    int apart;
    bool few_apart; /* others are often of the same element, and wait for each other */
    bool by_rows;   /* each work item is one row: all elements along the last dimension */
    struct nest_plan plan;
};

/* What a root is stored into, if that is not of the nest's shape; NULL if it is. */
const struct type *loops_target_of(const struct nest *nest, int root);
/* Whether all roots have, from a dimension on, the sizes of what they are stored into. */
bool loops_is_dense_from(const struct nest *nest, int dim);
/* The steps of a row, without its rest. */
int64_t loops_steps_of_row(const struct nest_plan *plan);

/* Sets nest->plan from the rest of the nest. */
void loops_plan(const struct target *target, struct nest *nest);
/* Emits nests for work items [begin, end) of [0, work), given as i64: an item of each nest, then
 * the next item. They have the same `work`. */
struct error *loops_emit(struct emitter *e, const struct nest *nests, int count, LLVMValueRef begin,
                         LLVMValueRef end);

#endif
