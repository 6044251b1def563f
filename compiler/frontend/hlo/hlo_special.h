/* hlo_special.h: instructions that are no operation of their own (tuples, parameters, domains), or
 * several (rng, topk, bitcast), or take computations in a way of their own (call, conditional). */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_SPECIAL_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_SPECIAL_H

#include "compiler/frontend/hlo/hlo_body.h"

/* UNIMPLEMENTED for opcodes that are not known. */
struct error *hlo_special_convert(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out);

#endif
