/* auto_sharding.h: chooses the shardings of a program whose client leaves them to the compiler. A
 * part of the pipeline between import and propagation: it writes closed shardings on the types of
 * arguments, results and values, and the partitioner does the rest. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SHARDING_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_SHARDING_H

#include "compiler/passes/spmd/auto/auto_score.h"

/* The mesh of the request; without one, the program's own, else one axis of all partitions. In the
 * module's arena. INVALID_ARGUMENT for sizes or ids that are not the module's partitions. */
struct error *auto_sharding_mesh(struct module *module, const struct auto_request *request,
                                 const struct mesh **out);

/* `mesh`: of auto_sharding_mesh(). Requires the state FLAT. Errors: RESOURCE_EXHAUSTED with the
 * smallest peak found, if no plan fits `planner->memory_bytes` and `must_fit`; those of the
 * compiler, if it accepts no answer. */
struct error *auto_sharding_run(struct module *module, const struct mesh *mesh,
                                const struct auto_request *request,
                                const struct auto_planner *planner, bool must_fit);

#endif
