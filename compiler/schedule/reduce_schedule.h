/* reduce_schedule.h: how a reduction inside of a nest is computed: its loops, and what the lanes
 * do. A pure function of the IR and of where in the nest its code is. */
#ifndef GANTRY_COMPILER_SCHEDULE_REDUCE_SCHEDULE_H
#define GANTRY_COMPILER_SCHEDULE_REDUCE_SCHEDULE_H

#include "compiler/schedule/nest_schedule.h"

enum reduce_way {
    REDUCE_ROW,          /* a vector along the row, whose lanes are combined at the end */
    REDUCE_SIDE_BY_SIDE, /* the same for the rows of several lanes, combined together */
    REDUCE_TREE,         /* a row in each lane, in the order of a vector along it */
    REDUCE_UNROLLED,     /* a row in each lane, each of its elements code of its own */
    REDUCE_LANES         /* loops: each lane of the result has accumulators of its own */
};

/* Where the code of a reduction is. */
struct reduce_place {
    int lanes;         /* of the result at its index */
    bool side_by_side; /* lanes are adjacent rows, which analysis_side_by_side() accepts */
    bool unrolls_rows; /* the nest has schedule.reduces_inner */
    bool is_tail;      /* some lanes are masked */
    bool is_nested;    /* in a tile, a guarded branch or a region of another operation */
};

struct reduce_schedule {
    int loops; /* over reduced dimensions, outermost first; adjacent ones are one where they can */
    struct axis axis[SHAPE_MAX_RANK]; /* `dim`: of the operands */
    int64_t innermost;                /* size of the last loop; 1: there is none */
    int weight;                       /* operations for an element, those of the region included */
    int combine_weight; /* of a combination, as an estimate: large where short code is better */
    enum reduce_way way;
};

struct reduce_schedule reduce_schedule(const struct target *target, const struct op *reduce,
                                       const struct reduce_place *place);

#endif
