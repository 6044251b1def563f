/* vector_product.h: rewrites matrix-vector, vector-matrix and vector-vector products to a
 * multiplication and a sum in the layout of the matrix, also of complex numbers. Each element of
 * the matrix is used once, so a library is not faster than a loop, and the loop can be fused with
 * other operations. Products of c128 stay where a library is faster. A matrix that repeats a
 * vector, as in the gradient of a sum of products, counts as the vector. Also rewrites products of
 * a few long vectors with a few others (a covariance of two series), of 32- and 64-bit numbers, if
 * both are contiguous: a library's tiles would be almost empty. 8- and 16-bit floats are multiplied
 * and summed in f32. Products with a matrix of at most 4 x 4 elements, and outer products, are
 * written out as small_product.h says. A transposed matrix is read in its original layout. Other
 * products are unchanged, as are products of integers with a vector, except batches of short rows.
 * Requires canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_VECTOR_PRODUCT_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_VECTOR_PRODUCT_H

#include "compiler/ir/ir.h"

struct target;
struct error *vector_product_run(struct module *module, const struct target *target);

#endif
