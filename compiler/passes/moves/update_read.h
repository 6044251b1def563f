/* update_read.h: reads of a small part of an updated array read the array and the update, so that
 * the array is not copied for the update:
 *
 *   dynamic_slice(dynamic_update_slice(x, u, i), j)
 *                    j is in the window ? dynamic_slice(u, j - i) : dynamic_slice(x, j)
 *   gather(dynamic_update_slice(x, row, i), rows)
 *                    rows == i ? row : gather(x, rows)
 *   gather(dynamic_update_slice(x, columns, i), rows)
 *                    dynamic_update_slice(gather(x, rows), gather(columns, rows), i)
 *
 * Slices without strides count as well, and scatters of one window are such updates. In each
 * dimension the window or what is read is one element or all of them; what is read of a dimension
 * that the window has a part of is updated there. Only where all that uses the updated array is
 * such reads, of no more elements than it has. Leaves dead operations. */
#ifndef GANTRY_COMPILER_PASSES_MOVES_UPDATE_READ_H
#define GANTRY_COMPILER_PASSES_MOVES_UPDATE_READ_H

#include "compiler/ir/ir.h"

struct target;
struct error *update_read_run(struct module *module, const struct target *target);

#endif
