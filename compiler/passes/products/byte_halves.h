/* byte_halves.h: numbers of 4 bits that share bytes, which clients spell with shifts and masks. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_BYTE_HALVES_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_BYTE_HALVES_H

#include "compiler/ir/ir.h"

/* The result of a concatenation of two arrays that are computed of the low bits and, in the same
 * way, of the high bits of the same bytes, such as p & 15 and p >> 4, as a bitcast of the bytes to
 * s4 or u4, from which a number may be subtracted. Builds it before the concatenation. NULL, and
 * nothing is built, for others. The computation is evaluated for every byte: any spelling counts.
 */
struct value *byte_halves_build(struct module *module, struct op *concatenate);

#endif
