/* model_collectives.h: the collectives of a partitioned module, as the accelerator's partitioner
 * would have made them. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_COLLECTIVES_H
#define GANTRY_COMPILER_MODEL_MODEL_COLLECTIVES_H

#include "base/vec.h"
#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"
#include "compiler/program/model_plan.h"

struct model_collectives { /* in program order; in the module's arena */
    VEC(struct model_collective) items;
    VEC(const struct op *) ops; /* that made them, for their labels; one for each item */
    VEC(int64_t) numbers;
};

/* Lists the collectives of the entry function, those of loops once, with the number of times that
 * they are executed. A collective of which the compiler would make a loop over a product's parts is
 * listed as that loop's permutes. The module must be as the partitioner has left it: later passes
 * write an all_reduce of which each participant uses a part as a reduce_scatter. Linear in the
 * module and in the members of its collectives' groups. INVALID_ARGUMENT of
 * collective_groups(). */
struct error *model_collectives(struct module *module, const struct accelerator *accelerator,
                                struct model_collectives *out);

#endif
