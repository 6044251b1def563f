/* vector_product.h: a matrix times a vector, a vector times a matrix, and a product of two vectors
 * become a multiplication and a sum over the matrix as it lies: each of its elements is used once,
 * so that no library does better than a loop, and the loop shares a kernel with what is around it.
 * Small floats are multiplied and summed in f32. Transposes of the matrix are looked through.
 *
 * Needs: canonical operations. Leaves all other products alone. */
#ifndef GANTRY_COMPILER_PASSES_VECTOR_PRODUCT_H
#define GANTRY_COMPILER_PASSES_VECTOR_PRODUCT_H

#include "compiler/ir/ir.h"

struct target;
struct error *vector_product_run(struct module *module, const struct target *target);

#endif
