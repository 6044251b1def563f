/* transpose_sink.h: lets reductions read what was transposed for them as it is stored. A transpose
 * moves below the elementwise operations that only reductions use, and a reduction of a transpose
 * becomes a reduction over the dimensions from which it took its own, with the (much smaller)
 * result transposed where more than one dimension is left:
 *
 *   reduce(f(transpose(x), broadcast(y)))    transpose'(reduce'(f(x, broadcast'(y))))
 *
 * Never increases the number or size of transposes. Sums of floats are reassociated, which the
 * specification allows. Uses op->note. Requires canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_TRANSPOSE_SINK_H
#define GANTRY_COMPILER_PASSES_LAYOUT_TRANSPOSE_SINK_H

#include "compiler/ir/ir.h"

struct target;
struct error *transpose_sink_run(struct module *module, const struct target *target);

#endif
