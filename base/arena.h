/* arena.h: memory with one lifetime. A compilation has one arena; everything it allocates is there
 * and goes at once. Compiler code therefore never frees and never checks an allocation:
 * arena_alloc() does not return when memory is gone, but unwinds to arena_run(), which returns
 * RESOURCE_EXHAUSTED. That is the only non-local exit in Gantry; so between arena_run() and
 * arena_alloc() no lock may be held, and every other resource is given to the arena by
 * arena_keep(). Thread-safety: an arena belongs to one thread at a time. */
#ifndef GANTRY_BASE_ARENA_H
#define GANTRY_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include "base/error.h"

struct arena;

struct error *arena_create(struct arena **out); /* owned: arena_destroy */
void arena_destroy(struct arena *arena);        /* accepts NULL */

/* Runs body(context); an allocation of `arena` that fails inside ends it with RESOURCE_EXHAUSTED.
 * Not re-entrant for the same arena: an inner call uses the outer one's exit. */
struct error *arena_run(struct arena *arena, struct error *(*body)(void *context), void *context);

/* Zeroed, aligned to 16 bytes; size 0 gives a valid pointer. Outside of arena_run() it returns NULL
 * when memory is gone. */
void *arena_alloc(struct arena *arena, size_t size);
/* A product that overflows is no memory. */
void *arena_array(struct arena *arena, size_t count, size_t element_size);
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_string(struct arena *arena, const char *bytes, size_t size); /* adds a NUL */

/* A place for a resource that is no memory of the arena: what it holds when the arena is
 * destroyed is given to dispose(), the youngest place first; NULL is passed over. Take the place
 * before you make the resource, so that it is not lost when there is no memory for the place. */
void **arena_keep(struct arena *arena, void (*dispose)(void *resource));

/* The arena's budget: an allocation that would bring arena_used() above `bytes` fails like one for
 * which there is no memory, and arena_run() then returns RESOURCE_EXHAUSTED with a message that
 * names the limit and the current task. 0 (the default) is no limit. A limit below what is in use
 * lets no further allocation through. */
void arena_set_limit(struct arena *arena, size_t bytes);
/* From any thread: the next allocation that needs a chunk of memory from the system fails, so that
 * work whose result is not wanted any more ends early. */
void arena_cancel(struct arena *arena);
/* Names what the arena is being used for: "reading the HLO module". `task` is static; NULL (the
 * default) is "this work". Returns the previous task, so that a caller can restore it. */
const char *arena_set_task(struct arena *arena, const char *task);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_array((arena), (count), sizeof(type)))

/* Bytes handed out so far. */
size_t arena_used(const struct arena *arena);

#endif
