/* hlo_groups.h: who takes part: replica groups of collectives, and shardings as text. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H

#include "compiler/frontend/hlo/hlo_body.h"

/* One row a group, short ones filled with -1; written out or as a permuted counting of devices. */
struct error *hlo_groups_read(struct arena *arena, const hlo_instruction *in, struct pairs *out);

/* The sharding of leaf i of a value as "{devices=[2,2]<=[4]}"; NULL when there is none (also for
 * forms that are not known: a sharding is advice). */
const struct sharding *hlo_groups_sharding(struct arena *arena, const Gantry__Hlo__Sharding *from,
                                           size_t leaf);

#endif
