/* fusion_sort.h: top-k: fuses a sort with the slices that are its only users and select the first
 * elements of each row, so that the kernel needs to find only those. Argsort: an operand that is an
 * iota is computed inside the fusion. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_SORT_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_SORT_H

#include "compiler/ir/ir.h"

/* Replaces the sort, its slices if it has no other users, and operands that are iotas by a
 * FUSION_STANDALONE and returns it. Returns NULL, and changes nothing, if there is neither. */
struct op *fusion_sort_make(struct module *module, struct op *sort);

#endif
