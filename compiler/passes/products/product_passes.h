/* product_passes.h: products of f32 as matrix units compute them that multiply bf16 and sum in f32
 * (target.numerics). Each f32 operand of a product or convolution is split into a sum of bf16
 * parts, as many as its precision asks for: 1 at DEFAULT, 2 at HIGH, 3 at HIGHEST. Products of
 * parts are summed from the smallest, without those below the last part: 1, 3 or 6 products. Where
 * the first parts are infinite or NaN, the rest counts nothing. A dot's algorithm wins over its
 * precision. Parts are f32 values that bf16 can hold, since their products are exact in f32.
 * Complex operands are split alike. Other types, and targets that compute plain f32, are unchanged.
 * Requires canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_PRODUCT_PASSES_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_PRODUCT_PASSES_H

#include "compiler/ir/ir.h"

struct target;
struct error *product_passes_run(struct module *module, const struct target *target);

#endif
