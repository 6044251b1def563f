/* model_collective_shape.h: the shapes of a partitioned module's collectives as the accelerator's
 * compiler would have made them, which has simplified the program in other ways before it
 * partitions. Pure functions. */
#ifndef GANTRY_COMPILER_MODEL_LINKS_MODEL_COLLECTIVE_SHAPE_H
#define GANTRY_COMPILER_MODEL_LINKS_MODEL_COLLECTIVE_SHAPE_H

#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"

struct model_collective_shape { /* on one participant */
    enum dtype dtype;
    int rank, result_rank;
    int64_t dims[SHAPE_MAX_RANK + 1], result_dims[SHAPE_MAX_RANK + 1];
    int dimension;     /* that an all_gather joins, and of which parts of an all_reduce are taken */
    bool is_broadcast; /* the result is only broadcast, and has none of those dimensions */
};

/* Of operand and result `i` of a collective. */
void model_collective_shape(const struct accelerator *accelerator, const struct op *op, int i,
                            struct model_collective_shape *out);

/* The product that is the only user of a value, or of the part of it that participants take; NULL:
 * there is none. */
const struct op *model_collective_user(const struct value *value);

/* Whether the compiler does not need the collective: of a sort whose first elements alone are used,
 * each participant's first elements are sorted, and only the keys are gathered. */
bool model_collective_is_omitted(const struct op *op);

#endif
