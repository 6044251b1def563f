/* model_collectives.h: the collectives of a partitioned module, as the accelerator's partitioner
 * would have made them. */
#ifndef GANTRY_COMPILER_MODEL_LINKS_MODEL_COLLECTIVES_H
#define GANTRY_COMPILER_MODEL_LINKS_MODEL_COLLECTIVES_H

#include "base/vec.h"
#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"
#include "compiler/program/model_plan.h"
#include "compiler/program/program.h"

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

/* Whether an operation is a collective, and which one. */
bool model_collectives_has(enum op_code code);
enum collective_kind model_collectives_kind(enum op_code code);

/* The product with which a collective of `participants` is such a loop, whose whole operand or
 * result has `bytes` bytes; NULL: it is none. *seconds is what the loop takes in addition to the
 * product. `op` may be a reduce_scatter, too. */
const struct op *model_collectives_window(const struct accelerator *accelerator,
                                          const struct op *op, double bytes, int participants,
                                          double *seconds);

#endif
