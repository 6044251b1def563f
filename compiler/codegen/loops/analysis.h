/* analysis.h: questions about expressions that decide how loops are made. Pure functions of the
 * IR. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_ANALYSIS_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_ANALYSIS_H

#include "compiler/ir/ir.h"

/* Whether a reduce takes away this dimension of its operands. */
bool analysis_is_reduced(const struct op *reduce, int64_t dim);
/* Whether dimensions `dim` and `dim` + 1 of a value may be counted as one: every access below
 * treats them as neighbours in memory, so that index (0, i * size + j) means (i, j). */
bool analysis_collapses(const struct value *value, int dim);
/* Whether the innermost dimension (larger than 1) of a reduce's operand is reduced. */
bool analysis_reduces_innermost(const struct op *reduce);
/* Whether lanes along a dimension of the value would meet an operation that wants lanes of its own,
 * along dimensions that it reduces: a reduce of rows, a product with the contracted dimension
 * innermost. */
bool analysis_wants_scalars(const struct value *value, int dim);
/* Whether an expression has a loop inside (a reduction) at all; and one whose results differ along
 * a dimension. */
bool analysis_has_loop(const struct value *value);
bool analysis_meets_loop(const struct value *value, int dim);
/* Whether lanes along dimension `lanes` of the value would read some argument with a stride while
 * dimension `rows` runs along that argument's memory: a transposition, which is best done in tiles
 * of both. */
bool analysis_transposes(const struct value *value, int lanes, int rows);
/* The deepest nesting of reductions. */
int analysis_loop_depth(const struct value *value);
/* A rough number of arithmetic operations that an element of a reduce's operands takes. */
int analysis_operations(const struct op *reduce);
/* The same of a value's own element, without the loops in it. */
int analysis_weight(const struct value *value);
/* Size in bytes of the widest element type that an expression computes with. */
int analysis_widest(const struct value *value);

#endif
