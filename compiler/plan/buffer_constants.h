/* buffer_constants.h: collects the literals of a program into its constant allocation. Equal
 * literals are stored once. All memory comes from the arena. */
#ifndef GANTRY_COMPILER_PLAN_BUFFER_CONSTANTS_H
#define GANTRY_COMPILER_PLAN_BUFFER_CONSTANTS_H

#include "compiler/ir/ir.h"

struct buffer_constants;
struct buffer_constants *buffer_constants_create(struct arena *arena, uint64_t alignment);
/* Returns the literal's offset in bytes, aligned as every buffer is. Splats are stored element by
 * element. */
uint64_t buffer_constants_add(struct buffer_constants *constants, const struct literal *literal);
/* The same for a literal of one element, aligned to its own size. */
uint64_t buffer_constants_add_number(struct buffer_constants *constants,
                                     const struct literal *literal);
/* Returns all added bytes: `size` bytes aligned to 64, owned (alloc_free). *bytes is unchanged if
 * nothing was added. Errors: RESOURCE_EXHAUSTED. */
struct error *buffer_constants_bytes(const struct buffer_constants *constants, void **bytes,
                                     uint64_t *size);

#endif
