/* buffer_plan.h: the result of buffer assignment (buffer_assign.h): the allocations of a program or
 * of a region, and the slice of every value. All memory comes from the arena. Read-only once it is
 * complete. */
#ifndef GANTRY_COMPILER_PLAN_BUFFER_PLAN_H
#define GANTRY_COMPILER_PLAN_BUFFER_PLAN_H

#include "base/vec.h"
#include "compiler/ir/ir.h"
#include "compiler/plan/buffer_constants.h"
#include "compiler/program/program.h"

/* A slice that holds one value after another without a gap in time, and the time span. Positions
 * number the operations of the entry and of the control flow inside it, in program order. The
 * beginning of a block has a position, each operation has one, and an operation with control flow
 * has another one after its regions. */
struct buffer_range {
    struct slice slice;        /* in a result or in the temporaries */
    int64_t first, last;       /* positions, inclusive */
    const struct value *value; /* the first value; NULL for scratch */
};

struct buffer_plan {
    int allocation_count;
    /* Entry: as in program.h; the temporaries of a memory kind are the values whose types have that
     * kind. FUSION_REGION: operand 0.., result 0.., scratch (the last one, for values of all
     * kinds), in the kernel's order of buffers. */
    struct allocation *allocations;
    struct map *slices;  /* value -> struct slice */
    struct map *scratch; /* fusion -> struct slice */
    /* FUSION_REGION -> its own struct buffer_plan, whose temp is this plan's scratch */
    struct map *regions;
    VEC(struct buffer_range) ranges; /* entry only; sorted by `first` */
    int64_t position_count;          /* entry only */
    int *result_alias; /* entry only, per result: the parameter whose memory it may reuse, or -1 */
    /* entry only; lowering adds its own. NULL for regions, whose constants are part of the code */
    struct buffer_constants *constants;
};

/* The slice of a value; NULL for tokens and for values that need no memory. */
const struct slice *buffer_plan_slice(const struct buffer_plan *plan, const struct value *value);
/* Bytes of temporaries in a memory kind; the scratch of a region is in device memory. */
uint64_t buffer_plan_temp_size(const struct buffer_plan *plan, enum memory_kind memory);
/* Scratch of a fusion inside a plan: the slice reserved for it, or NULL. */
const struct slice *buffer_plan_scratch(const struct buffer_plan *plan, const struct op *fusion);

#endif
