/* vector_product.h: a matrix times a vector, a vector times a matrix, and a product of two vectors
 * become a multiplication and a sum over the matrix as it is stored: each of its elements is used
 * once, so that no library is faster than a loop, and the loop can be fused with other operations.
 * Small floats are multiplied and summed in f32. Transposes of the matrix are skipped.
 *
 * Needs: canonical operations. Other products are unchanged. */
#ifndef GANTRY_COMPILER_PASSES_VECTOR_PRODUCT_H
#define GANTRY_COMPILER_PASSES_VECTOR_PRODUCT_H

#include "compiler/ir/ir.h"

struct target;
struct error *vector_product_run(struct module *module, const struct target *target);

#endif
