/* model_product.h: products on the matrix units of a modeled accelerator. Pure functions. */
#ifndef GANTRY_COMPILER_MODEL_UNITS_MODEL_PRODUCT_H
#define GANTRY_COMPILER_MODEL_UNITS_MODEL_PRODUCT_H

#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"

/* Seconds of the matrix units for a dot_general or convolution: its multiply-adds, with the sizes
 * rounded up to what the units take at once, at the rate of its types and passes. The columns of a
 * convolution are the result's features or, at each position, the batch, whichever pads less. At
 * least what the units need to load the weights (accelerator.h: matrix_load_cycles). */
double model_product_seconds(const struct accelerator *accelerator, const struct op *op);

/* Whether the dot_general has one row or one column, so that the modeled compiler makes it a sum of
 * multiplied vectors (XLA's dot strength reduction, whose source is public). */
bool model_product_has_one_row(const struct op *op);

/* What the modeled compiler expects when it decides where values are, before it chooses: features
 * are the columns. */
double model_product_estimate(const struct accelerator *accelerator, const struct op *op);

#endif
