/* scatter_window.h: scatters whose updates are one window of the operands. */
#ifndef GANTRY_COMPILER_ANALYSIS_SCATTER_WINDOW_H
#define GANTRY_COMPILER_ANALYSIS_SCATTER_WINDOW_H

#include <stdbool.h>

#include "compiler/ir/ir.h"

/* Sizes, of each dimension of the operands, of the window that a scatter updates: those of
 * dimensions that are not in a window are 1, or the number of windows where these are numbered
 * along one dimension. False if there are several windows at positions of several dimensions. Pure
 * function of the IR. */
bool scatter_window_sizes(const struct op *scatter, int64_t *sizes);

/* Whether dimension `dim` of the operands is one of the windows that are updated. */
bool scatter_window_has_dim(const struct op *scatter, int64_t dim);

#endif
