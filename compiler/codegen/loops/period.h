/* period.h: rows of a few elements, such as the channels of an image, stored as vectors of adjacent
 * elements. As many vectors as a row has elements make whole rows; which element of which row a
 * lane has is a pattern (pattern.h), so that what is contiguous in the operands is loaded as it is,
 * and a value for each element of a row is a vector that does not change. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_PERIOD_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_PERIOD_H

#include "compiler/codegen/loops/loops.h"

/* Whether the expression reads no operand in an order that would need a gather, and computes
 * nothing expensive once for each row. dims[0] is the dimension that counts rows; the other `count`
 * - 1 dimensions, innermost last, have the elements of a row. *moves is set if lanes along the
 * innermost dimension alone would not read adjacent elements of an operand. */
bool period_fits(const struct value *value, const int *dims, int count, bool *moves);
/* The index of vector number `vector` of the rows at the index `at`, in which the interleaved
 * dimensions of the nest are not set: as many rows as there are lanes, all of which are enabled. */
struct index period_index(struct emitter *e, const struct nest *nest, const struct affine *at,
                          int vector);

#endif
