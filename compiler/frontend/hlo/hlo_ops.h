/* hlo_ops.h: converts HLO's instructions. Most become the operation of the same name: a table in
 * hlo_ops.c has the operation and the function that reads its attributes. hlo_special.h converts
 * the others. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_OPS_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_OPS_H

#include "compiler/frontend/hlo/hlo_body.h"

/* Appends the converted instruction to f->block. The caller adds the instruction to errors. */
struct error *hlo_ops_convert(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out);

/* The instruction's location in the user's program; its own name when it has no metadata. */
const struct location *hlo_ops_location(struct hlo *h, const hlo_instruction *in);

#endif
