/* buffer_coalesce.h: merges the classes of values whose live ranges do not overlap, or of which an
 * operation may overwrite one with the other. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_COALESCE_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_COALESCE_H

#include "compiler/passes/buffer/assigner.h"

/* Merges the classes of both values without comparing live ranges: buffer_copies has inserted the
 * copies that make this correct. */
void buffer_coalesce_always(const struct value *first, const struct value *second);
/* Whether `to` may overwrite `from`: no use of `from` comes after the operation that defines `to`,
 * which reads each element only to write the element at the same index. */
bool buffer_coalesce_can_overwrite(const struct item *from, const struct item *to);
/* Coalesces as many copies as possible, starting with copies in inner loops and, among those, with
 * large ones; copies in branches, which run less often, come after others of their size. */
void buffer_coalesce_copies(struct assigner *a);
/* Lets an elementwise result overwrite a temporary at its last use, which saves memory and reuses
 * cached lines. The initial values of a loop inside one kernel share memory with its results.
 * Requires the aliases of results. */
void buffer_coalesce_fusions(const struct assigner *a, struct block *block);

#endif
