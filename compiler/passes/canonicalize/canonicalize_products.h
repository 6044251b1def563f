/* canonicalize_products.h: rules of canonicalize for old and composed products. Each replaces
 * `op`. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PRODUCTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_PRODUCTS_H

#include "compiler/ir/ir.h"

/* dot_general and convolution of real and complex numbers, or of complex ones into real. */
struct error *canonicalize_products_mixed(struct module *module, struct op *op);
struct error *canonicalize_products_dot(struct module *module, struct op *op);
/* "ab,bc->ac": no letter twice in one operand, no ellipsis (UNIMPLEMENTED). */
struct error *canonicalize_products_einsum(struct module *module, struct op *op);
struct error *canonicalize_products_unary_einsum(struct module *module, struct op *op);
struct error *canonicalize_products_index_select(struct module *module, struct op *op);

#endif
