/* period.h: rows of a few elements, such as the channels of an image, stored as vectors of adjacent
 * elements. As many vectors as a row has elements make whole rows; which element of which row a
 * lane has is a pattern (pattern.h), so that what is contiguous in the operands is loaded as it is,
 * and a value for each element of a row is a vector that does not change. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_PERIOD_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_PERIOD_H

#include "compiler/codegen/loops/loops.h"

/* Whether the expression reads no operand in an order that would need a gather, and computes
 * nothing expensive once for each row: its dimension `inner` has the elements of the rows that
 * dimension `row` counts. */
bool period_fits(const struct value *value, int row, int inner);
/* Stores as many rows as there are lanes, all of which are enabled: those at the index `at`, whose
 * dimension nest->interleave_dim is not set. */
struct error *period_store(struct emitter *e, const struct nest *nest, const struct affine *at);

#endif
