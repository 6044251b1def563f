/* short_row.h: rows of few elements, such as points and colors. Kernels have lanes along the rows,
 * and code of its own for each element of a row (codegen/loops/interleave.h); so fusion knows which
 * operand of a concatenation such an element is of. */
#ifndef GANTRY_COMPILER_ANALYSIS_SHORT_ROW_H
#define GANTRY_COMPILER_ANALYSIS_SHORT_ROW_H

enum {
    SHORT_ROW_MOST = 4, /* elements; longer rows fill enough of a vector along them */
    SHORT_ROW_ROWS = 8  /* fewer rows do not fill the lanes */
};

#endif
