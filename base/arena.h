/* arena.h: memory with one lifetime. A compilation allocates everything from one arena, which frees
 * it all at once. Compiler code therefore never frees memory and never checks an allocation: when
 * memory is exhausted, arena_alloc() does not return but unwinds to arena_run(), which returns
 * RESOURCE_EXHAUSTED. This is the only non-local exit in Gantry. No lock may be held between
 * arena_run() and arena_alloc(), and every other resource must be registered with arena_keep().
 * Thread-safety: an arena is used by one thread at a time. */
#ifndef GANTRY_BASE_ARENA_H
#define GANTRY_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/error.h"

struct arena;

struct error *arena_create(struct arena **out); /* owned: arena_destroy */
void arena_destroy(struct arena *arena);        /* accepts NULL */

/* Runs body(context); if an allocation from `arena` fails inside, body is abandoned and
 * RESOURCE_EXHAUSTED is returned. Not re-entrant for the same arena: an inner call unwinds to the
 * outer arena_run(). */
struct error *arena_run(struct arena *arena, struct error *(*body)(void *context), void *context);

/* Zeroed, aligned to 16 bytes; size 0 gives a valid pointer. Outside of arena_run() it returns NULL
 * when memory is exhausted. */
void *arena_alloc(struct arena *arena, size_t size);
/* A product that overflows is handled like a failed allocation. */
void *arena_array(struct arena *arena, size_t count, size_t element_size);
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
/* Frees memory of arena_alloc() before the arena ends if it has at least ARENA_RELEASED bytes;
 * otherwise it stays. `size` is that of the allocation, from the same arena. */
enum { ARENA_RELEASED = (1 << 18) + 1 };
void arena_release(struct arena *arena, void *memory, size_t size);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_string(struct arena *arena, const char *bytes, size_t size); /* adds a NUL */

/* Returns a slot for a resource that is not arena memory. When the arena is destroyed, dispose() is
 * called with each slot's value, the newest slot first; NULL values are skipped. Reserve the slot
 * before creating the resource, so that the resource does not leak if allocating the slot fails. */
void **arena_keep(struct arena *arena, void (*dispose)(void *resource));

/* The arena's budget: an allocation that would bring arena_used() above `bytes` fails as if memory
 * were exhausted, and arena_run() returns RESOURCE_EXHAUSTED with a message that names the limit
 * and the current task. 0 (the default) means no limit. With a limit below the current use, every
 * further allocation fails. */
void arena_set_limit(struct arena *arena, size_t bytes);
/* Cancels the work that uses the arena: the next allocation that needs a new chunk from the system
 * fails. May be called from any thread. */
void arena_cancel(struct arena *arena);
/* Names the current use of the arena, like "reading the HLO module". `task` is static; NULL (the
 * default) prints as "this work". Returns the previous task, so that a caller can restore it. */
const char *arena_set_task(struct arena *arena, const char *task);

/* Memory for one part of the work: an arena inside `arena`, with the same budget, cancellation and
 * arena_run(). All callers share it. The caller that runs the parts empties it between them, so
 * data that outlives a part must not be in it. NULL outside of arena_run() when memory is
 * exhausted. Borrowed: it ends with `arena`, and is its own scratch. */
struct arena *arena_scratch(struct arena *arena);
/* Frees the memory of the scratch arena, and its resources (arena_keep). */
void arena_scratch_clear(struct arena *arena);

/* The same for one step of the part that uses a scratch arena: memory that the rest of the part
 * does not need. The caller that runs the steps empties it after each; steps are not nested.
 * Borrowed: it ends when the scratch arena is cleared. */
struct arena *arena_step(struct arena *scratch);
void arena_step_clear(struct arena *scratch);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_array((arena), (count), sizeof(type)))

/* What intern.h keeps with the arena, in its memory; NULL at first. */
void **arena_interned(struct arena *arena);

/* Bytes in use; those of a scratch arena or step count for the arenas around it, too. */
size_t arena_used(const struct arena *arena);

#endif
