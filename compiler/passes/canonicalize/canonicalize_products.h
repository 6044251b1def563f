/* canonicalize_products.h: canonicalizes deprecated and composite dots and gathers. Each function
 * replaces `op`. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PRODUCTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PRODUCTS_H

#include "compiler/ir/ir.h"

/* dot_general and convolution with both real and complex operands or result: converts all to
 * complex. */
struct error *canonicalize_products_mixed(struct module *module, struct op *op);
struct error *canonicalize_products_dot(struct module *module, struct op *op);
/* "ab,bc->ac"; UNIMPLEMENTED for repeated letters in an operand and for ellipses. */
struct error *canonicalize_products_einsum(struct module *module, struct op *op);
struct error *canonicalize_products_unary_einsum(struct module *module, struct op *op);
struct error *canonicalize_products_index_select(struct module *module, struct op *op);

#endif
