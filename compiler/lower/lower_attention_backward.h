/* lower_attention_backward.h: lowers a FUSION_ATTENTION_BACKWARD
 * (passes/fusion/attention_backward.h) to one step, which calls the kernels of the fusions between
 * the products. Equal fusions share a kernel. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_ATTENTION_BACKWARD_H
#define GANTRY_COMPILER_LOWER_LOWER_ATTENTION_BACKWARD_H

#include "compiler/lower/lowerer.h"

/* INTERNAL if the specification does not describe the operation. */
struct error *lower_attention_backward(struct lowerer *l, const struct op *fusion,
                                       struct step *out);

#endif
