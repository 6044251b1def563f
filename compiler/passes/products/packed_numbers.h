/* packed_numbers.h: arrays that clients unpack from bytes or words, with shifts and masks, or find
 * in tables, in the form that schedule/thin_dot.h knows: bitcasts, and look-ups of 16 or 256
 * numbers. */
#ifndef GANTRY_COMPILER_PASSES_PRODUCTS_PACKED_NUMBERS_H
#define GANTRY_COMPILER_PASSES_PRODUCTS_PACKED_NUMBERS_H

#include "compiler/ir/ir.h"

/* An array with the elements of `array`, if each of these is the same function of 4 or 8 bits of an
 * element of another array, and each of that one's bits is used once, such as (q[:, None] >> [0,
 * 4]) & 15. The function is evaluated for all those bits, so that any spelling counts; the result
 * is
 *
 *   convert(bitcast_convert(q)) - number    for integers that follow one another, or
 *   table[bitcast_convert(q)]               for others,
 *
 * reshaped, reversed and transposed; q is another value than the array. Builds it before the
 * operation that defines the array. NULL, and nothing is built, for others. */
struct value *packed_numbers_build(struct module *module, struct value *array);

#endif
