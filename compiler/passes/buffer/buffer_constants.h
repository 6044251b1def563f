/* buffer_constants.h: collects the literals of a program into the bytes of its constant
 * allocation. Equal ones share their place. All memory is the arena's. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_CONSTANTS_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_CONSTANTS_H

#include "compiler/ir/ir.h"

struct buffer_constants;
struct buffer_constants *buffer_constants_create(struct arena *arena, uint64_t alignment);
/* Its offset; splats are spelled out. */
uint64_t buffer_constants_add(struct buffer_constants *constants, const struct literal *literal);
/* All that was added: `size` bytes aligned to 64, owned (alloc_free); *bytes is left alone when
 * there are none. RESOURCE_EXHAUSTED. */
struct error *buffer_constants_bytes(const struct buffer_constants *constants, void **bytes,
                                     uint64_t *size);

#endif
