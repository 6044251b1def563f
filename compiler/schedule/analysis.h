/* analysis.h: queries about expressions that decide how loops are generated. Pure functions of the
 * IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_ANALYSIS_H
#define GANTRY_COMPILER_SCHEDULE_ANALYSIS_H

#include "compiler/ir/ir.h"

/* Whether a reduce reduces this dimension of its operands. */
bool analysis_is_reduced(const struct op *reduce, int64_t dim);
/* Whether the innermost dimension (of size > 1) of a reduce's operand is reduced. */
bool analysis_reduces_innermost(const struct op *reduce);
/* Whether vectorizing along a dimension of the value would conflict with an operation that is
 * itself vectorized along a dimension it reduces: a row reduction, or a dot whose contracted
 * dimension is innermost. */
bool analysis_uses_scalars(const struct value *value, int dim);
/* The same of row reductions of any length. Short ones do not use scalars: lanes along `dim` read
 * their elements with a stride. */
bool analysis_reduces_rows(const struct value *value, int dim);
/* The length of the rows that a reduce reduces, if each may be reduced in a lane of its own in the
 * order in which lanes along the row would; else 0. */
int64_t analysis_lane_row(const struct op *reduce);
/* Whether lanes along dimensions of a reduce's result, a bit each, reduce short rows as
 * row_reductions.h says. */
bool analysis_side_by_side(const struct op *reduce, uint64_t dims);
/* Whether an expression contains such a reduction, for lanes along dimension `dim` of the value. */
bool analysis_has_side_by_side(const struct value *value, int dim);
/* Whether an expression contains a loop (a reduction); and whether it contains one whose results
 * vary along a dimension. */
bool analysis_has_loop(const struct value *value);
bool analysis_meets_loop(const struct value *value, int dim);
/* Whether an expression contains a reduction over rows, of at least `bytes` (> 0), whose results
 * along dimension `dim` of the value are those of adjacent columns. */
bool analysis_reduces_columns(const struct value *value, int dim, int64_t bytes);
/* Whether lanes along dimension `lanes` of the value would read some argument with a stride while
 * dimension `rows` is contiguous in that argument's memory. Such a transpose is best done in tiles
 * of both dimensions. */
bool analysis_transposes(const struct value *value, int lanes, int rows);
/* Whether an expression has a concatenation of operands of size 1 along what dimension `dim` of the
 * value is there. */
bool analysis_alternates(const struct value *value, int dim);
/* Whether an expression gathers slices along dimension `dim` of the value: where they are is the
 * same for all elements along it. */
bool analysis_gathers_along(const struct value *value, int dim);
/* Whether a kernel that computes the value gathers anything. */
bool analysis_looks_up(const struct value *value);
/* After how many elements along dimension `dim` of the value the padding between elements of its
 * operands repeats; 1: there is none, or it does not repeat soon. */
int analysis_padding_period(const struct value *value, int dim);
/* The maximum nesting depth of reductions. */
int analysis_loop_depth(const struct value *value);

#endif
