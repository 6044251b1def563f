/* canonicalize_products.h: canonicalizes deprecated and composite dots and gathers. Each function
 * replaces `op`. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PRODUCTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PRODUCTS_H

#include "compiler/ir/ir.h"

/* dot_general and convolution whose result has not every value that the operands' products have, as
 * a real or narrower result of complex or wider operands, or an integer of floats: computes sums in
 * the wider type, and converts them. Products of real and complex numbers are of complex ones.
 * Products of integers that are converted from narrower ones are products of these. */
struct error *canonicalize_products_mixed(struct module *module, struct op *op);
struct error *canonicalize_products_dot(struct module *module, struct op *op);
/* "ab,bc->ac"; UNIMPLEMENTED for repeated letters in an operand and for ellipses. */
struct error *canonicalize_products_einsum(struct module *module, struct op *op);
struct error *canonicalize_products_unary_einsum(struct module *module, struct op *op);
struct error *canonicalize_products_index_select(struct module *module, struct op *op);

#endif
