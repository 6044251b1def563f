/* contract.h: decides which products are fused into a sum (multiply-add), or into an exponential,
 * which multiplies its argument by a constant anyway, and are not rounded. It sets the attribute
 * `contracts` of the multiplication. Runs before fusion and looks at the operations only, never at
 * what will share a kernel: so a program gives the same bits whether a value in it is also a
 * result, saved in the host's memory, donated, or computed again.
 *
 * A product contracts into a sum, or a sum's reduction, if
 *   - neither of them is ever below zero (nonnegative.h): what is left of a term that cancels the
 *     rounded product is not zero then, and may have any sign, so that sqrt(1 - 3 x) is NaN at the
 *     float beside 1/3;
 *   - nothing else uses it, and the other term is no such product: all users of a product see the
 *     same number, as in x x - max(x x);
 *   - the result is a polynomial of one other value, and of its square root: of d in a sum of d d.
 *     Programs do not store products inside polynomials. But the products of a x + y, say
 *     activations by weights, may be results of one program and not of another.
 * The polynomials of functions.h, which have no such roots, contract as they were built.
 * A product contracts into its distance from a constant, as in |c d - 1|, whatever else uses it: a
 * loop that ends when a rounding error is small enough needs the error itself, and ends so with
 * XLA. For that a copy of the product is made, and of the sum, if they have other uses.
 * A product of f32 contracts into an exponential if nothing else uses it, and one factor is a
 * constant, as in exp(-x / 2).
 *
 * Products of the pass vector_product have the attribute already. */
#ifndef GANTRY_COMPILER_PASSES_ARITHMETIC_CONTRACT_H
#define GANTRY_COMPILER_PASSES_ARITHMETIC_CONTRACT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *contract_run(struct module *module, const struct target *target);

#endif
