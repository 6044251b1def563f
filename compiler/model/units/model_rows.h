/* model_rows.h: gathers and scatters on a modeled accelerator, which move rows one by one, at
 * addresses that the kernel computes: from vector memory, or by a copy from HBM for each row. Rows
 * are together: an array whose layout has another dimension as the minor one is copied before, and
 * a scatter's result copied back. */
#ifndef GANTRY_COMPILER_MODEL_UNITS_MODEL_ROWS_H
#define GANTRY_COMPILER_MODEL_UNITS_MODEL_ROWS_H

#include "compiler/model/model_graph.h"

/* Whether the array has another layout than one with rows, in which a gather or scatter of rows
 * needs it. */
bool model_rows_are_apart(const struct model *model, const struct value *value);

/* Whether the OP_gather or OP_scatter moves rows, rather than elements of the minor dimension. */
bool model_rows_moves(const struct op *op);

/* Of an OP_gather or OP_scatter of the group: seconds of its kernel beside the traffic of the rows,
 * and bytes in HBM of the copies before and after it. model_memory() has run. */
double model_rows_seconds(const struct model *model, const struct op *op);
double model_rows_copies(const struct model *model, const struct op *op);

#endif
