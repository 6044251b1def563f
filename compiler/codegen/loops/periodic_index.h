/* periodic_index.h: indices of rows that are stored as schedule/periodic_shuffle.h says. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_PERIODIC_INDEX_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_PERIODIC_INDEX_H

#include "compiler/codegen/element/affine.h"
#include "compiler/schedule/nest_schedule.h"

/* The index of vector number `vector` of the rows at the index `at`, in which the interleaved
 * dimensions of the nest are not set: as many rows as there are lanes, all of which are enabled. */
struct index periodic_index(struct emitter *e, const struct nest *nest, const struct affine *at,
                            int vector);

#endif
