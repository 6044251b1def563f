/* lower_thin_dot.h: lowers a FUSION_THIN_DOT (passes/products/thin_product.h) to one step. Internal
 * to compiler/lower. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_THIN_DOT_H
#define GANTRY_COMPILER_LOWER_LOWER_THIN_DOT_H

#include "compiler/lower/lowerer.h"

/* Errors: INTERNAL when no specification describes it. */
struct error *lower_thin_dot(struct lowerer *l, const struct op *fusion, struct step *out);

#endif
