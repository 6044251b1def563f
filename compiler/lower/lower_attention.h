/* lower_attention.h: lowers a FUSION_ATTENTION (passes/fusion/attention.h) to one step, which calls
 * the kernel of the fusion between the products. Equal fusions share a kernel. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_ATTENTION_H
#define GANTRY_COMPILER_LOWER_LOWER_ATTENTION_H

#include "compiler/lower/lowerer.h"

/* INTERNAL if the specification does not describe the operation. */
struct error *lower_attention(struct lowerer *l, const struct op *attention, struct step *out);

#endif
