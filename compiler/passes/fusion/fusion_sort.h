/* fusion_sort.h: a sort of whose results only the first few of each row are used (top-k) is one
 * fusion with the slices that take them, so that its kernel finds those alone. A counter that
 * goes along (iota) is made inside. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_SORT_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_SORT_H

#include "compiler/ir/ir.h"

/* How many elements of each row the slices behind a sort keep; 0 when something else uses it. */
int64_t fusion_sort_kept(const struct op *sort);
/* The FUSION_STANDALONE of the sort and its slices, in their place; NULL, and nothing done, for any
 * other sort. */
struct op *fusion_sort_make(struct module *module, struct op *sort);

#endif
