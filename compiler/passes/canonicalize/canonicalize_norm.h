/* canonicalize_norm.h: replaces batch normalization by elementwise operations and sums. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_NORM_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_NORM_H

#include "compiler/ir/ir.h"

struct error *canonicalize_norm_inference(struct module *module, struct op *op);
struct error *canonicalize_norm_training(struct module *module, struct op *op);
struct error *canonicalize_norm_grad(struct module *module, struct op *op);

#endif
