/* narrow_positions.h: comparisons of 64-bit positions, as those of a mask, in as many bits as the
 * positions need: 16, where what the comparison selects has no more bits, or 32. So a vector has as
 * many lanes as that of what is selected.
 *
 *   iota[700] >= iota[700] + 3      in 16 bits; sums, products and magnitudes of positions as well
 *   iota[700] < n                   n, the same for all elements of a row, is first clamped to
 *                                   [-1, 700]
 *
 * Requires canonical operations; leaves dead ones. */
#ifndef GANTRY_COMPILER_PASSES_ARITHMETIC_NARROW_POSITIONS_H
#define GANTRY_COMPILER_PASSES_ARITHMETIC_NARROW_POSITIONS_H

#include "compiler/ir/ir.h"

struct target;
struct error *narrow_positions_run(struct module *module, const struct target *target);

#endif
