/* reduce_scatter_match.h: an all_reduce of which each participant only uses its own part, by a
 * dynamic_slice, becomes a reduce_scatter. Which part that is, is found by computing the index for
 * every participant: the parts of a group must be different and equally large. Results are the same
 * bits where parts are in the order of the group's members, as in programs that slice by an
 * axis_index; otherwise sums are in the order of the parts.
 *
 * Not recognized: several uses, types that a reducer widens, more than 1024 participants, and
 * indices of more than 64 operations. Linear in the module, times participants where it is applied.
 * Requires the states FLAT and CANONICAL. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_REDUCE_SCATTER_MATCH_H
#define GANTRY_COMPILER_PASSES_SPMD_REDUCE_SCATTER_MATCH_H

#include "compiler/ir/ir.h"

struct target;

/* Errors: those of collective_groups(). */
struct error *reduce_scatter_match_run(struct module *module, const struct target *target);

#endif
