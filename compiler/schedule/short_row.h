/* short_row.h: from how many elements on a row is worth what: the one definition for passes and
 * code generation.
 *
 *   up to SHORT_ROW_MOST     points and colors: lanes along many rows, and code of its own for each
 *                            element of a row (interleave.h); so fusion knows which
 *                            operand of a concatenation such an element is of
 *                            unless an element takes SHORT_ROW_WORK operations
 *   below SHORT_ROW_REDUCED  reduced with a row in each lane
 *   from there               reduced in a vector, with lanes along the row */
#ifndef GANTRY_COMPILER_SCHEDULE_SHORT_ROW_H
#define GANTRY_COMPILER_SCHEDULE_SHORT_ROW_H

enum {
    SHORT_ROW_MOST = 4,  /* longer rows fill enough of a vector along them */
    SHORT_ROW_WORK = 16, /* from here all lanes should have some of a row's arithmetic */
    SHORT_ROW_ROWS = 8,  /* fewer rows do not fill the lanes */
    SHORT_ROW_REDUCED =
        8, /* from here a vector along the row takes fewer steps than its elements */
};

#endif
