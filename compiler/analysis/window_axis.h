/* window_axis.h: one dimension of an operation with windows (reduce_window, convolution,
 * select_and_scatter). Output position o and window position k meet at position
 * o * stride + k * window_dilation - low of the dilated operand, which has an element at every
 * multiple of base_dilation in [0, (size - 1) * base_dilation]. Everywhere else is padding or a gap
 * and contributes nothing. Pure functions. */
#ifndef GANTRY_COMPILER_ANALYSIS_WINDOW_AXIS_H
#define GANTRY_COMPILER_ANALYSIS_WINDOW_AXIS_H

#include "compiler/ir/ir.h"

struct window_axis {
    int64_t size;   /* elements of the operand; at least 1 */
    int64_t window; /* positions of the window; at least 1 */
    int64_t stride, low;
    int64_t base_dilation, window_dilation; /* at least 1 */
};

/* Dimension i of a reduce_window or select_and_scatter; spatial dimension i of a convolution. */
struct window_axis window_axis_of(const struct op *op, int i);

/* What the loop of one output position runs over. All visit the elements in ascending order. */
enum window_axis_loop {
    WINDOW_AXIS_POSITIONS, /* all positions of the window */
    WINDOW_AXIS_HITS,      /* every window_axis_period()-th, from the first that meets no gap */
    WINDOW_AXIS_REACH,     /* as many positions as can reach the operand, from the first that may */
    WINDOW_AXIS_ELEMENTS   /* all elements of the operand */
};

/* The positions, unless another loop has about half of the iterations or less: a window may be far
 * larger than its operand, and most positions over a dilated operand meet gaps. */
enum window_axis_loop window_axis_loop(const struct window_axis *axis);
int64_t window_axis_iterations(const struct window_axis *axis);

/* How far apart the positions of a window are that meet no gap: all of them or one in so many. */
int64_t window_axis_period(const struct window_axis *axis);

#endif
