/* library_top_k.h: top-k is a call of a function that the device has built in
 * (devices/host/top_k/top_k_call.h), not generated code, because that takes longer to compile than
 * most selections run. A top-k is a sort of an array with the positions in its rows, by the
 * elements, of which only the first few of each row are used. Inside of loops it stays a sort:
 * there its compilation counts less, and a kernel may contain the whole loop. */
#ifndef GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_TOP_K_H
#define GANTRY_COMPILER_PASSES_LIBRARY_LIBRARY_TOP_K_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Whether a sort becomes a call: it is a top-k, the target has the function, and the function
 * supports its types and sizes (compiler/program/top_k_spec.h). `target` may be NULL: never. */
bool library_top_k_is_call(const struct op *sort, const struct target *target);
/* Replaces such a sort and its slices by the call, and returns that. */
struct op *library_top_k_make_call(struct module *module, struct op *sort);

#endif
