/* row_reductions.h: reductions of several short rows at once. Each row is read by a vector along
 * it, as if it were alone. Then the lanes of all rows' accumulators are combined together: a
 * shuffle of two vectors and one operation halve the lanes of two rows, or of all rows that two
 * vectors have already come to hold, until each lane is the result of a row. That takes fewer
 * instructions than combining the lanes of each row apart, and gives the same bits. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_ROW_REDUCTIONS_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_ROW_REDUCTIONS_H

#include "compiler/codegen/loops/reduction.h"

/* Whether the lanes of a reduce at an index reduce rows that are best read so. */
bool row_reductions_fits(struct emitter *e, const struct op *reduce, const struct index *index);
/* Sets *at to the index of one lane; false if indices differ in another way than by a constant. */
bool row_reductions_index(struct emitter *e, const struct index *index, int lane, struct index *at);

/* Called before the code of the row of a lane, with a reduction's context. */
typedef void row_reductions_row(struct emitter *e, void *context, int lane);
/* Emits a vector reduction (reduction_vectorize()) for the row of each lane that is enabled. `out`
 * has the results of the rows, in their lanes; those of other lanes are undefined. */
struct error *row_reductions_emit(struct emitter *e, const struct reduction *r,
                                  row_reductions_row *row, struct element *out);

#endif
