/* window_position.h: the operand element that one iteration of a loop over a window accesses (see
 * window_axis.h). */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_WINDOW_POSITION_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_WINDOW_POSITION_H

#include "compiler/analysis/window_axis.h"
#include "compiler/codegen/loops/expression.h"

struct window_position {
    struct affine in_window, element; /* the position in the window; the index in the operand */
    LLVMValueRef inside;              /* whether that element exists; NULL: always */
};

/* For iteration `i` of window_axis_iterations(), at output position `out`. */
struct window_position window_position(struct emitter *e, const struct window_axis *axis,
                                       const struct affine *out, const struct affine *i);

#endif
