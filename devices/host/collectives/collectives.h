/* collectives.h: moves and reduces the data of one collective, for all members of a group at once.
 * All memory is the host's. Results do not depend on the number of threads: elements are combined
 * by a tree of the members (collective_types.h), in f32 for bf16 and f16. Large data is spread over
 * the thread pool. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_COLLECTIVES_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_COLLECTIVES_H

#include "compiler/program/program.h"

/* Runs a STEP_COLLECTIVE that meets others. buffers[i]: the addresses of the slices of member i,
 * with the operands written; sources: struct program_groups; scratch: room for `members` addresses,
 * to which the operands' are gathered, since members keep `buffers[i]` at equal offsets in their
 * stacks, where they displace each other and the operands in the first-level cache.
 * Members of an all_reduce or all_gather may have the address of the first member's result: it is
 * written once. */
void collectives_run(const struct step *step, int members, void *const *const *buffers,
                     const int *sources, void **scratch);

/* The result of a participant that is in no group: zeros. */
void collectives_clear(const struct step *step, void *const *buffers);

#endif
