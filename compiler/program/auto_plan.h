/* auto_plan.h: how automatic sharding came to its answer: what was compared, how far from the best
 * it may be, and what changes would cost. Of a compilation; not serialized. Without pointers,
 * immutable once made. */
#ifndef GANTRY_COMPILER_PROGRAM_AUTO_PLAN_H
#define GANTRY_COMPILER_PROGRAM_AUTO_PLAN_H

#include <stdbool.h>
#include <stdint.h>

struct auto_plan_row {
    char name[120]; /* "one class along all axes: x, y divide 1024" */
    double seconds; /* of an execution, by a plan of the whole program */
    uint64_t peak_bytes;
};

enum { AUTO_PLAN_ROWS = 16, AUTO_PLAN_CHANGES = 8 };

struct auto_plan {
    int64_t planned;       /* answers that were planned whole */
    bool was_cut;          /* the effort was spent before nothing improved */
    uint64_t memory_bytes; /* that a plan could need */
    /* The integer program, which knows nothing of fusion and overlap: the cost of its answer, and
     * what no answer undercuts. Nodes 0: it was not solved. */
    int64_t program_nodes;
    double program_seconds, bound_seconds;
    int row_count, change_count;
    struct auto_plan_row rows[AUTO_PLAN_ROWS];       /* the first one is the answer */
    struct auto_plan_row changes[AUTO_PLAN_CHANGES]; /* of one group of values in it */
};

#endif
