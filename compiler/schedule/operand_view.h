/* operand_view.h: how the elements of an array are those of another one in memory: through
 * reshapes, transposes and broadcasts, each dimension of the array has pieces with strides.
 * Elements of 4 bits may also be the halves of bytes, through a bitcast. Pure functions of the IR.
 */
#ifndef GANTRY_COMPILER_SCHEDULE_OPERAND_VIEW_H
#define GANTRY_COMPILER_SCHEDULE_OPERAND_VIEW_H

#include "compiler/ir/ir.h"

enum { OPERAND_VIEW_PIECES = 16 };

/* The pieces of an array's index, in row-major order: a dimension of size a * b may be two pieces.
 * Pieces of size 1 are left out. */
struct operand_piece {
    int dim; /* of the array */
    int64_t size, stride;
    int place; /* operand_view.c's: in row-major order of `value`; -1: it has no such piece */
    bool is_half, high_first; /* of size 2: which half of a byte; its first one is the high one */
};
struct operand_view {
    const struct value *value; /* whose elements these are */
    enum dtype halves;         /* of elements that are halves of those; otherwise DTYPE_INVALID */
    int count;
    struct operand_piece at[OPERAND_VIEW_PIECES]; /* strides: of operand_view_finish() */
};

/* The view of an array as itself. False if it has more dimensions than a view has pieces. */
bool operand_view_begin(const struct value *array, struct operand_view *out);

/* Replaces the viewed value by the operand of the reshape, transpose or broadcast that defines it.
 * False, and nothing changes, for other values, and where pieces do not suffice to say how. */
bool operand_view_step(struct operand_view *view);

/* The same of a bitcast of bytes to pairs of halves, or of a reversal of the pairs of such a
 * bitcast, whose operand is viewed then; and, where elements are halves already, of bytes to bytes.
 */
bool operand_view_step_halves(struct operand_view *view);

/* Sets the strides, which are 0 where elements repeat. */
void operand_view_finish(struct operand_view *view);

/* Splits pieces of two finished views of arrays with the same dimensions, so that both have pieces
 * of the same sizes. False where they cannot. */
bool operand_view_align(struct operand_view *a, struct operand_view *b);

#endif
