/* canonicalize_window.h: windows over arrays whose rows are shorter than a vector. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_WINDOW_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_WINDOW_H

#include "compiler/ir/ir.h"

/* A sum, maximum or minimum of small windows that overlap, as one of slices of the padded array:
 * their loops run over all rows at once, while those of windows are a row each. Elements are
 * combined in the same order. NULL where rows fill vectors, where the initial value may not be
 * repeated, or for floats that would be rounded at each step. */
struct value *canonicalize_window_of_slices(struct module *module, const struct op *reduce_window);

#endif
