/* operand_view.h: how the elements of an array are those of another one in memory: through
 * reshapes, transposes and broadcasts, each dimension of the array has pieces with strides.
 * Elements of 4 or 8 bits may also be fields of larger ones, through bitcasts. Pure functions of
 * the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_OPERAND_VIEW_H
#define GANTRY_COMPILER_SCHEDULE_OPERAND_VIEW_H

#include "compiler/ir/ir.h"

enum { OPERAND_VIEW_PIECES = 16, OPERAND_VIEW_LEAST_BITS = 4 /* of a field */ };

/* The pieces of an array's index, in row-major order: a dimension of size a * b may be two pieces.
 * Pieces of size 1 are left out. */
struct operand_piece {
    int dim; /* of the array */
    int64_t size, stride;
    int place; /* operand_view.c's: in row-major order of `value`; -1: it has no such piece */
    int bits;  /* between fields of an element, which have no stride; 0: these are elements */
    bool is_reversed; /* the first one is the last in memory */
};
struct operand_view {
    const struct value *value; /* whose elements these are, or have as fields; */
    enum dtype fields;         /* what their bits are taken for; DTYPE_INVALID: the same */
    int count;
    struct operand_piece at[OPERAND_VIEW_PIECES]; /* strides: of operand_view_finish() */
};

/* The view of an array as itself. False if it has more dimensions than a view has pieces. */
bool operand_view_begin(const struct value *array, struct operand_view *out);

/* Replaces the viewed value by the operand of the reshape, transpose or broadcast that defines it.
 * False, and nothing changes, for other values, and where pieces do not suffice to say how. */
bool operand_view_step(struct operand_view *view);

/* The same of a bitcast, and of a reversal. Fields of bytes have pieces of their own. */
bool operand_view_step_bits(struct operand_view *view);

/* Views of a concatenation that `view` is one of, of operands of the same size: of each operand, in
 * which the pieces that say which one it is have no place, and of an array of the operands'
 * numbers. False where they cannot be distinguished. */
bool operand_view_part(const struct operand_view *view, const struct op *concatenate,
                       struct operand_view *part, struct operand_view *which);

/* Sets the strides, which are 0 where elements repeat. */
void operand_view_finish(struct operand_view *view);

/* Splits pieces of two finished views of arrays with the same dimensions, so that both have pieces
 * of the same sizes. False where they cannot. */
bool operand_view_align(struct operand_view *a, struct operand_view *b);

#endif
