/* small_product.h: products with small matrices, of at most 4 x 4 elements, and outer products,
 * written out as sums of products that the elements of one operand have with those of the other. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_SMALL_PRODUCT_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_SMALL_PRODUCT_H

#include "compiler/ir/ir.h"

struct target;

/* Whether a dot_general should be written out before operations are fused, because it needs no call
 * and no transposes then: each element of the result is one product; or, in f32, f64, a complex
 * type or integers of 32 or 64 bits, one operand is a small matrix, by which vectors along a
 * dimension of the other are multiplied, as by a rotation or a gate of qubits; or one is small in
 * each batch, and batches are along the innermost dimension of all three arrays. */
bool small_product_pays_early(const struct op *dot);

/* Replaces a product that contracts one dimension, or several of size 1, by the sum, in the order
 * of the dimensions that a transpose makes of the result, if that is all the product is for. 8- and
 * 16-bit floats are multiplied and summed in f32. The operation, and its transpose, are removed. */
void small_product_write_out(struct module *module, struct op *dot);

/* Writes out batches of products of two small matrices that are fusions of their own: their rows
 * are too short for lanes, but what is written out takes several rows at once (interleave.h). What
 * uses them stays apart, as it may take lanes along much more. Requires fusion. */
struct error *small_product_run(struct module *module, const struct target *target);

#endif
