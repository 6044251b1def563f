/* model_vector.h: instructions of the vector unit for elementwise operations and reductions. A
 * cycle begins up to accelerator.vector_slots arithmetic instructions, and one of the unit for
 * transcendental functions, each for a vector of sublanes x lanes 32-bit elements. So the busier
 * one decides how long a kernel takes. */
#ifndef GANTRY_COMPILER_MODEL_UNITS_MODEL_VECTOR_H
#define GANTRY_COMPILER_MODEL_UNITS_MODEL_VECTOR_H

#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"

struct model_vector { /* instructions of a kernel, times elements of a vector */
    double arithmetic, transcendental;
    double rows; /* that are reduced along the lanes */
};

/* Adds those of an operation on single elements, or of a reduction. O(rank + the reducer). */
void model_vector_add(const struct accelerator *accelerator, const struct op *op,
                      struct model_vector *work);

/* Adds the conversion of what a kernel reads from memory or writes there: arithmetic is of 32 bits,
 * so a vector of narrower elements is unpacked, and two results are packed by one instruction. */
void model_vector_add_read(enum dtype dtype, double elements, struct model_vector *work);
void model_vector_add_written(enum dtype dtype, double elements, struct model_vector *work);

/* Seconds of the busiest one of the two and of the unit that reduces rows along the lanes. */
double model_vector_seconds(const struct accelerator *accelerator, const struct model_vector *work);

#endif
