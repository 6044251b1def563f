/* hlo_special.h: converts instructions that become no operation (tuples, parameters, domains) or
 * several (rng, topk, bitcast), and calls and conditionals. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_SPECIAL_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_SPECIAL_H

#include "compiler/frontend/hlo/hlo_body.h"

/* UNIMPLEMENTED for unknown opcodes. */
struct error *hlo_special_convert(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out);

#endif
