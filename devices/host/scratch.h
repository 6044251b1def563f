/* scratch.h: scratch memory for library steps, shared by all programs: one block for each
 * concurrent user, as large as the largest request. Contents are not preserved. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_SCRATCH_H
#define GANTRY_DEVICES_HOST_SCRATCH_H

#include <stddef.h>

#include "base/error.h"
#include "compiler/program/program.h"

/* Count the users that may take blocks. The last release frees all free blocks. */
void scratch_retain(void);
void scratch_release(void);

/* The plan of a step that takes blocks: a user. Errors: RESOURCE_EXHAUSTED. */
struct error *scratch_plan(struct program_plan **out);

/* Returns a block of at least `bytes` bytes, aligned to 64; owned until scratch_return(). It may
 * replace a smaller free block. Errors: RESOURCE_EXHAUSTED. */
struct error *scratch_acquire(size_t bytes, void **out);
void scratch_return(void *block);

#endif
