/* thin_product.h: makes a product of few rows with a matrix whose numbers are decoded from fewer
 * bits one step, FUSION_THIN_DOT: the matrix is read as it is in memory, and decoded in registers
 * and the first cache (schedule/thin_dot.h says which products). Written out, the decoded matrix
 * takes several times the memory traffic of its numbers, which is what such a product costs.
 *
 * thin_product_decoded_run() is before passes that move operations out of loops, so that what
 * decodes a matrix stays with its product. thin_product_run(), after those that compute products of
 * all iterations at once, also takes products with a large matrix that needs no decoding: of a few
 * rows, for which libraries copy it first, and of a vector where the rows of the matrix are long
 * and adjacent. Both require canonical operations. No errors of their own. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_THIN_PRODUCT_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_THIN_PRODUCT_H

#include "compiler/ir/ir.h"

struct target;
struct error *thin_product_decoded_run(struct module *module, const struct target *target);
struct error *thin_product_run(struct module *module, const struct target *target);

#endif
