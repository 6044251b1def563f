/* nest_schedule.h: the schedule of a loop nest: which loops store the elements of some expressions,
 * as a value that is chosen once, printed (schedule_print.h) and then emitted. A nest covers one
 * shape. Dimensions that all expressions access contiguously are collapsed. The outer dimensions
 * become work items, which the kernel's caller distributes over threads in ranges. The innermost
 * dimension becomes a loop over lanes: whole vectors, then one masked vector for the remainder. If
 * the only loops inside the expressions reduce the last dimensions of a row, a work item computes
 * all elements of its rows and finishes a row's reduction before it stores the row's first element.
 * The result may then overwrite the row that was reduced.
 *
 * A pure function of the IR and the target: nothing here knows how code is generated. */
#ifndef GANTRY_COMPILER_SCHEDULE_NEST_SCHEDULE_H
#define GANTRY_COMPILER_SCHEDULE_NEST_SCHEDULE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* What generated code does well: a store interleaves so many vectors; a load collects elements that
 * are so far apart, in elements, by shuffles. */
enum { NEST_SCHEDULE_INTERLEAVED_MOST = 16, NEST_SCHEDULE_STRIDE_MOST = 8 };

/* A loop over a dimension, or over several that are collapsed into the last of them. */
struct axis {
    int dim;
    int64_t size;
};

/* What a work item does with an axis. */
enum axis_kind {
    AXIS_GRID,  /* work items enumerate it */
    AXIS_LOOP,  /* a loop within an item */
    AXIS_TILE,  /* an item processes several of its rows, in tiles with the lanes */
    AXIS_LANE,  /* vectors, of which an item processes a chunk */
    AXIS_UNROLL /* each of its elements is code of its own */
};

/* How a nest is divided into loops and work items. */
struct schedule {
    int axes; /* loops, outermost first; the last one is vectorized */
    struct axis axis[SHAPE_MAX_RANK];
    int outer; /* axes that work items enumerate */
    int lanes;
    int tile;           /* an outer axis that is AXIS_TILE; -1: none */
    int64_t tile_block; /* the tiles of an item along that axis */
    /* Innermost dimensions that are too short to vectorize: each lane of the next dimension writes
     * all of them. How many they are, the product of their sizes (1: none), and whether they are
     * stored as periodic_shuffle.h says. Their axes follow the others. */
    int inner, interleave;
    bool periodic;
    bool reduces_inner; /* all loops of the roots are reductions over the interleaved dimension */
    bool odd_vector; /* the last axis is as odd_vector.h says: it has as many elements as lanes */
    /* elements of the last axis that one iteration of the loop over vectors stores: a few times the
     * lanes (lanes.h); of a periodic nest, rows that fill whole vectors */
    int step;
    int64_t chunk; /* steps of the last axis that a work item processes */
    /* In tiles of a copy, the last vector of a row begins earlier, so that it is a whole one and
     * has the others' code; it stores some elements again. Otherwise the rest of a row is code of
     * its own. */
    bool overlaps;
    /* The roots contain loops whose results differ along the lanes. Those of reductions over rows
     * are then computed for all vectors of a chunk, before the first is stored. */
    bool reduces;
    bool has_loop; /* the roots contain loops */
    bool bits;     /* the roots are only moved, and stay what they are in memory (moves.h) */
    int64_t work;  /* number of work items; 0: nothing to do */
};

/* What is stored or visited, which the caller sets, and its schedule. */
struct nest {
    const struct type *shape; /* shape of all roots */
    int count;
    const struct value *const *roots;
    /* The array that each root is stored into, whose last dimensions are those of the nest; NULL,
     * or an entry that is: the root fills an array of its own shape. */
    const struct type *const *into;
    const int64_t *origin; /* where the roots begin in it; NULL: that is known only at run time */
    const int *results;    /* of the kernel, that the roots are */
    /* Each index is visited (loops.h) instead of storing the roots. Dimensions are then not
     * collapsed, and lanes run along the last dimension only if `lanes_allowed`. */
    bool visited, lanes_allowed;
    /* Visits that may depend on each other, unless their indices differ in the first `apart`
     * dimensions, are made in order by the same work item: items divide only these dimensions. */
    bool in_order;
    int apart;
    bool few_apart; /* others are often of the same element, and wait for each other */
    bool by_rows;   /* each work item is one row: all elements along the last dimension */
    struct schedule schedule;
};

/* Sets nest->schedule from the rest of the nest. */
void nest_schedule_choose(const struct target *target, struct nest *nest);

/* The kind of an axis, below axes + inner. */
enum axis_kind nest_schedule_axis_kind(const struct schedule *schedule, int axis);
/* The steps of a row, without its rest. */
int64_t nest_schedule_steps_of_row(const struct schedule *schedule);
/* What a root is stored into, if that is not of the nest's shape; NULL if it is. */
const struct type *nest_schedule_target_of(const struct nest *nest, int root);
/* Whether all roots have, from a dimension on, the sizes of what they are stored into. */
bool nest_schedule_is_dense_from(const struct nest *nest, int dim);

#endif
