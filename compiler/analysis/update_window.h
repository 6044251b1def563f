/* update_window.h: what fusions that update arrays in place store. Result i of a FUSION_UPDATE is
 * either an updated array, of which the fusion writes a window (dynamic_update_slice) or scattered
 * elements, or an array of its own that it stores whole. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_UPDATE_WINDOW_H
#define GANTRY_COMPILER_ANALYSIS_UPDATE_WINDOW_H

#include <stdbool.h>

#include "compiler/ir/ir.h"

/* The region's argument that result i overwrites in place; NULL: it is an array of its own. */
const struct value *update_window_array(const struct op *fusion, int i);

/* The dynamic_update_slice that result i is, or NULL. */
const struct op *update_window_op(const struct op *fusion, int i);

/* The value that a loop over the elements of result i computes: the window, or what that is a
 * reshape of which only adds leading dimensions of size 1; the array itself if it is the fusion's
 * own. NULL: result i is scattered. */
const struct value *update_window_root(const struct op *fusion, int i);

/* Whether one loop stores all results: the roots have the same shape. */
bool update_window_in_one_loop(const struct op *fusion);

#endif
