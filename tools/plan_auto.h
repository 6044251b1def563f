/* plan_auto.h: the shardings that the compiler has chosen, as lines to paste into a program, and
 * the alternatives. Reads the JSON of PJRT_Gantry_Plan. Not thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_AUTO_H
#define GANTRY_TOOLS_PLAN_AUTO_H

#include "tools/partition_spec.h"
#include "tools/topo_view.h"

/* Seconds and peaks of the compared plans, the bound, the cost of changes; for each argument and
 * result its shape on a device and JAX's PartitionSpec, and for sharded arguments the call of
 * PyTorch/XLA's mark_sharding. As text, or as sections of an HTML page. */
void plan_auto_print(const cJSON *json, const struct partition_mesh *mesh, bool html,
                     struct text *out);

/* Adds `partition_spec` and `mark_sharding` to the arguments and results in the JSON. */
struct error *plan_auto_add(cJSON *json, const struct partition_mesh *mesh);

#endif
