/* operand_slice.h: slices of arrays that are adjacent in memory, which a step can read where they
 * are (struct slice_offset, program.h) instead of a copy of them: one matrix of a stack of them, a
 * layer's part of a cache. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_OPERAND_SLICE_H
#define GANTRY_COMPILER_SCHEDULE_OPERAND_SLICE_H

#include "compiler/ir/ir.h"

enum { OPERAND_SLICE_INDICES = 8 };

struct operand_slice_index {   /* moves the slice by `stride` elements for each step in [0, last] */
    const struct value *value; /* a scalar of integers, which is clamped */
    int64_t last, stride;
};
struct operand_slice {
    const struct value *whole;
    int64_t first; /* its element, row-major, with which the slice begins where all indices are 0 */
    int count;
    struct operand_slice_index at[OPERAND_SLICE_INDICES];
};

/* Describes a value that is slices, dynamic or not, and reshapes of `whole`, one of them at least.
 * False for other values, and where elements of the slice are not adjacent in `whole`. */
bool operand_slice_of(const struct value *value, struct operand_slice *out);

#endif
