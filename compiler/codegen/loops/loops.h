/* loops.h: the code of loop nests, as their schedules say (schedule/nest_schedule.h). */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_LOOPS_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_LOOPS_H

#include "compiler/schedule/concatenation.h"
#include "compiler/codegen/loops/expression.h"
#include "compiler/schedule/nest_schedule.h"

/* Larger results may be stored past the caches; pieces of concatenations never are. */
enum { LOOPS_STREAM_BYTES = CONCATENATION_MOST_BYTES };

/* Whether a result of the kernel would displace all else in the caches, and itself before the next
 * kernel reads it: it is stored past them. */
bool loops_exceeds_caches(const struct emitter *e, uint64_t bytes);

/* A scheduled nest, and what its code does at each index: it stores the roots, or visits. */
struct loops {
    struct nest nest;
    LLVMValueRef *pointers; /* the destination of each root */
    /* Where each root begins in the array that it is stored into (nest.into). */
    const struct affine *const *origins;
    /* Of a nest that is visited: called once for each index. */
    struct error *(*visit)(struct emitter *e, void *context, const struct index *index);
    void *context;
    /* If not NULL: sets the condition (i1; NULL: always) under which the elements of a row, those
     * along the last axis, are visited. The index is that of the row's first element. */
    struct error *(*visits_row)(struct emitter *e, void *context, const struct index *index,
                                LLVMValueRef *condition);
};

/* Emits nests for work items [begin, end) of [0, work), given as i64: an item of each nest, then
 * the next item. They have the same `work`. */
struct error *loops_emit(struct emitter *e, const struct loops *loops, int count,
                         LLVMValueRef begin, LLVMValueRef end);

#endif
