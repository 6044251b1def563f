/* matrix_product.h: rewrites sums of products of two broadcast arrays, such as
 * sum(x[:, :, None] * y[:, None, :], 0), to a dot_general: each factor has all summed dimensions,
 * and each other dimension belongs to one factor. A library reads an element once for many results;
 * a loop over the results reads it for each. Only f32 and f64, and only where both factors have
 * enough elements for each summed one; what vector_product makes of a dot_general is unchanged.
 * The terms are added in another order. Requires canonical operations. No errors of its own. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_MATRIX_PRODUCT_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_MATRIX_PRODUCT_H

#include "compiler/ir/ir.h"

struct target;
struct error *matrix_product_run(struct module *module, const struct target *target);

#endif
