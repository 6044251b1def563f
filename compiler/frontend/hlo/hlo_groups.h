/* hlo_groups.h: reads the replica groups of collectives. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_GROUPS_H

#include "compiler/frontend/hlo/hlo_module.h"

/* Reads the groups of an instruction from a list, an iota description or axes of a mesh: one row
 * for each group, padded with -1. */
struct error *hlo_groups_read(struct hlo *h, const hlo_instruction *in, struct pairs *out);

#endif
