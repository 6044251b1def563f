/* cached_row.h: rows that are expensive to compute and read again after they have been reduced, as
 * the exponentials of a softmax: a kernel stores them on the stack while the reduction runs, and
 * computes them once. Pure functions of the IR; thread-safe. */
#ifndef GANTRY_COMPILER_SCHEDULE_CACHED_ROW_H
#define GANTRY_COMPILER_SCHEDULE_CACHED_ROW_H

#include "compiler/ir/ir.h"

enum { CACHED_ROW_WEIGHT = 16 }; /* amount of arithmetic from which a row is stored */

/* The value whose row is stored for input i of a reduce: a small float that is converted for the
 * reduction alone, as where the sum of a softmax is in f32, is in registers what it is converted
 * to. */
const struct value *cached_row_value(const struct op *reduce, int i);
/* Its size in bytes. Elements are f32, or f64. */
int64_t cached_row_bytes(const struct op *reduce);
/* Whether the row of input i is stored. */
bool cached_row_is_stored(const struct op *reduce, int i);

#endif
