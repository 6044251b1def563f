/* model_update.h: updates of a part of an array at a position that the program computes, such as
 * of a cache by a decode step, on a modeled accelerator. In final schedules of v5e, v6e and 7x:
 *
 * An array that a loop takes from a stack, and of which a product's result replaces a part, gets
 * the layout of that result, whose rows and columns are the minor dimensions, if the products that
 * read the array have one row each. It is copied to this layout, and back to the stack's
 * afterwards. Other arrays keep their layout, and the part is copied to it.
 *
 * A part at a position along the lanes is written by a mask in each tile that it touches. */
#ifndef GANTRY_COMPILER_MODEL_UNITS_MODEL_UPDATE_H
#define GANTRY_COMPILER_MODEL_UNITS_MODEL_UPDATE_H

#include "compiler/model/model_graph.h"

/* Whether the OP_dynamic_update_slice has its array copied to another layout and back. */
bool model_update_is_relaid(const struct op *update);

/* Bytes of the array in that layout, with padding. */
uint64_t model_update_bytes(const struct model *model, const struct op *update);

/* Seconds of these copies, and of that of an array that may not be overwritten, with their bytes
 * in HBM in `*bytes`; 0: there are none.
 * model_memory() has run. */
double model_update_copies(const struct model *model, const struct op *update, double *bytes);

/* Seconds of the vector unit for writing the part, beside one operation for each element. */
double model_update_seconds(const struct model *model, const struct op *update);

/* Seconds of the vector unit for a product of one row (model_product_has_one_row()), which is a sum
 * of multiplied vectors. */
double model_update_row_seconds(const struct model *model, const struct op *product);

#endif
