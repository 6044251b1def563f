/* hlo_ops.h: HLO's instructions. Most are one operation of the IR under the same name: a row of
 * hlo_ops.c says which, and how its attributes are read; the others are made by hlo_special.h. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_OPS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_OPS_H

#include "compiler/frontend/hlo/hlo_body.h"

/* Appends what the instruction means to f->block. Errors don't name the instruction yet. */
struct error *hlo_ops_convert(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out);

/* Where the instruction comes from in the user's program; its own name when it has no metadata. */
const struct location *hlo_ops_location(struct hlo *h, const hlo_instruction *in);

#endif
