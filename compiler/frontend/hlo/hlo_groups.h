/* hlo_groups.h: the participants: replica groups of collectives, and shardings as text. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H

#include "compiler/frontend/hlo/hlo_body.h"

/* One row a group, short ones filled with -1; written out or as a permuted counting of devices. */
struct error *hlo_groups_read(struct hlo *h, const hlo_instruction *in, struct pairs *out);

/* The part of a value's sharding that is its leaf's: the whole of it unless it is a tuple's. */
const Gantry__Hlo__Sharding *hlo_groups_leaf(const Gantry__Hlo__Sharding *from, size_t leaf);

/* An array's sharding as "{devices=[2,2]<=[4]}"; NULL when there is none (also for forms that are
 * not known: a sharding is a hint). Its text is as long as `from`, so it is made once for all
 * leaves that share it. */
const struct sharding *hlo_groups_sharding(struct arena *arena, const Gantry__Hlo__Sharding *from);

#endif
