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

struct auto_plan_saving { /* a value that the answer does not keep in the device's memory */
    bool is_offloaded;    /* to the host's; else it is computed again */
    char what[200];       /* its type, and the operation that computes it, with its place */
    uint64_t bytes;       /* of a device; of a stack that a loop fills: all elements */
};

enum { AUTO_PLAN_ROWS = 16, AUTO_PLAN_CHANGES = 8, AUTO_PLAN_SAVINGS = 16 };

struct auto_plan {
    int64_t planned;       /* answers that were planned whole */
    bool was_cut;          /* the effort was spent before nothing improved */
    uint64_t memory_bytes; /* that a plan could need */
    /* The integer program, which knows nothing of fusion and overlap: the cost of its answer, and
     * what no answer undercuts. Nodes 0: it was not solved. */
    int64_t program_nodes;
    double program_seconds, bound_seconds;
    int row_count, change_count, saving_count;
    struct auto_plan_row rows[AUTO_PLAN_ROWS];          /* the first one is the answer */
    struct auto_plan_row changes[AUTO_PLAN_CHANGES];    /* of one group of values in it */
    struct auto_plan_saving savings[AUTO_PLAN_SAVINGS]; /* of the answer; the largest ones */
};

#endif
