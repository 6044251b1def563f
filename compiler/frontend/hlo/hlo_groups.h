/* hlo_groups.h: reads replica groups of collectives, and shardings. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H

#include "compiler/frontend/hlo/hlo_module.h"

/* Reads the groups of an instruction from a list, an iota description or axes of a mesh: one row
 * for each group, padded with -1. */
struct error *hlo_groups_read(struct hlo *h, const hlo_instruction *in, struct pairs *out);

/* The sharding of a leaf: an element of a tuple's sharding, else `from` itself. */
const Gantry__Hlo__Sharding *hlo_groups_leaf(const Gantry__Hlo__Sharding *from, size_t leaf);

/* The sharding of an array as text: "{devices=[2,2]<=[4]}". NULL when there is none or its form is
 * unknown (shardings are hints). Linear in the size of `from`; callers share the result between the
 * leaves that share `from`. */
const struct sharding *hlo_groups_sharding(struct arena *arena, const Gantry__Hlo__Sharding *from);

#endif
