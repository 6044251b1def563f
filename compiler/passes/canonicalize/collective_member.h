/* collective_member.h: groups of participants as values and attributes of a program, for
 * collectives that are expressed by others. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_COLLECTIVE_MEMBER_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_COLLECTIVE_MEMBER_H

#include "compiler/analysis/collective.h"
#include "compiler/ir/build.h"

/* All groups in flattened ids, one row each; smaller ones are padded with -1. */
struct pairs collective_member_groups(struct arena *arena, const struct program_groups *groups);

/* The same, with a group of its own for each participant that is in none. */
struct pairs collective_member_cover(const struct module *module,
                                     const struct program_groups *groups);

/* The position of the executing participant in its group (s32, a scalar); -1 when it is in none. */
struct value *collective_member_position(struct builder *b, const struct program_groups *groups);

/* An all_gather along dimension 0 of [1, ...]: all members of the group, in their order. `size` is
 * that of each group. */
struct value *collective_member_gather(struct builder *b, const struct program_groups *groups,
                                       struct value *value);

#endif
