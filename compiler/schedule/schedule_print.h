/* schedule_print.h: schedules as text, for GANTRY_DUMP=schedules and for tests of the choices.
 *
 *   kernel_0 loop
 *     result.0 tensor<256x64xf32>, 256 items
 *       grid d0 of 256
 *       lane d1 of 64, 8 lanes, step 8, 8 steps an item
 *       reads arg.0 tensor<256x64xf32> at d0, d1
 *       reads arg.1 tensor<64xf32> at d1
 *
 * Below a nest are its axes, outermost first, then the reads of its expressions: an index for each
 * dimension of an argument, in terms of the nest's indices (d0), the operations' own loops (r0),
 * values of other operands (?) and parts of a reshape (~). For a nest that fills a part of an
 * array, the first element or the array is printed. */
#ifndef GANTRY_COMPILER_SCHEDULE_SCHEDULE_PRINT_H
#define GANTRY_COMPILER_SCHEDULE_SCHEDULE_PRINT_H

#include "base/text.h"
#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Adds the schedule of a fusion, and of those inside of it. Scratch memory is the arena's. */
void schedule_print(struct arena *arena, const struct target *target, const char *name,
                    const struct op *fusion, struct text *out);

#endif
