/* thin_matrix.h: reads how the numbers of a product's matrix are decoded from what is in memory, by
 * the operations that thin_dot.h lists. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_THIN_MATRIX_H
#define GANTRY_COMPILER_SCHEDULE_THIN_MATRIX_H

#include "compiler/schedule/operand_view.h"
#include "compiler/schedule/thin_dot.h"

enum { THIN_MATRIX_ZERO, THIN_MATRIX_SCALE, THIN_MATRIX_OFFSET, THIN_MATRIX_PARAMETERS };

struct thin_matrix {
    struct op *dot;
    int side; /* operand of the product that is the matrix */
    struct operand_view numbers, parameters[THIN_MATRIX_PARAMETERS];
    struct value *table;  /* of which the numbers are indices, or NULL */
    struct thin_dot *out; /* borrowed: members, from the product backwards */
    bool is_full;         /* there are more members than it has room for */
};

/* Follows an operand of a product as far as its numbers are of types that are decoded. Sets `lhs`,
 * `source` and the members of *out, too. False if it has too many dimensions or operations, or one
 * number everywhere. */
bool thin_matrix_read(struct op *dot, int side, struct thin_dot *out, struct thin_matrix *m);

/* Whether there is a zero point, scale or offset. */
bool thin_matrix_has(const struct thin_matrix *m, int parameter);

/* The type of the numbers, which are elements or fields of these. */
enum dtype thin_matrix_dtype(const struct thin_matrix *m);

#endif
