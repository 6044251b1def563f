/* arena.c: a list of zeroed chunks. Allocations come from the front of the newest chunk. A large
 * request gets a chunk of its own behind the newest one, whose remainder stays in use. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pages.h"

enum { ALIGNMENT = 16, CHUNK_FIRST = 1 << 15, CHUNK_LARGEST = 1 << 20 };

/* An allocation of this size always has a chunk of its own. */
enum { ALWAYS_ALONE = ARENA_RELEASED };
_Static_assert(ARENA_RELEASED > CHUNK_LARGEST / 4, "smaller ones share a chunk");

struct chunk {
    _Alignas(ALIGNMENT) struct chunk *before, *after;
    size_t size;
    bool has_pages; /* of the system (pages.h), since it is large */
    _Alignas(ALIGNMENT) char bytes[];
};

struct resource {
    struct resource *before;
    void (*dispose)(void *resource);
    void *resource;
};

struct arena {
    char *next, *end; /* the free remainder of the newest chunk */
    struct chunk *newest;
    struct resource *resources; /* the newest */
    size_t chunk_size;          /* size of the next chunk */
    struct arena *parent;       /* whose scratch or step it is; NULL: of none */
    struct arena *inner;        /* owned: its scratch, of a scratch arena its step; NULL: unused */
    void *interned;             /* intern.h */
    size_t used, limit;         /* limit 0: none; a scratch arena has its parent's */
    const char *task;           /* static; NULL: not named */
    bool over_limit;            /* the allocation that ended arena_run() exceeded the limit */
    jmp_buf *exit;              /* valid while arena_run() is on the stack */
    atomic_bool cancelled;
};

struct error *arena_create(struct arena **out)
{
    struct arena *arena;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *arena, &arena));
    arena->chunk_size = CHUNK_FIRST;
    *out = arena;
    return NULL;
}

/* That has the budget, the exit and the state of cancellation. */
static struct arena *root_of(struct arena *arena)
{
    while (arena->parent)
        arena = arena->parent;
    return arena;
}

static void free_chunk(struct chunk *chunk)
{
    if (chunk->has_pages)
        pages_free(chunk, sizeof *chunk + chunk->size);
    else
        alloc_free(chunk);
}

static void free_contents(struct arena *arena)
{
    for (struct resource *entry = arena->resources; entry; entry = entry->before)
        if (entry->resource)
            entry->dispose(entry->resource);
    for (struct chunk *chunk = arena->newest, *before; chunk; chunk = before) {
        before = chunk->before;
        free_chunk(chunk);
    }
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    arena_destroy(arena->inner);
    free_contents(arena);
    alloc_free(arena);
}

void arena_cancel(struct arena *arena)
{
    atomic_store_explicit(&root_of(arena)->cancelled, true, memory_order_relaxed);
}

void arena_set_limit(struct arena *arena, size_t bytes)
{
    arena->limit = bytes;
}

const char *arena_set_task(struct arena *arena, const char *task)
{
    const char *before = arena->task;
    arena->task = task;
    return before;
}

/* Why the allocation that ended arena_run() failed. */
static struct error *arena_failure(const struct arena *arena)
{
    if (!arena->over_limit)
        return error_out_of_memory();
    return ERROR(RESOURCE_EXHAUSTED,
                 "%s exceeds its memory limit of %zu bytes (%zu are in use); compile a smaller "
                 "program",
                 arena->task ? arena->task : "this work", arena->limit, arena->used);
}

struct error *arena_run(struct arena *arena, struct error *(*body)(void *context), void *context)
{
    arena = root_of(arena);
    if (arena->exit)
        return body(context);
    jmp_buf exit;
    arena->exit = &exit;
    struct error *error;
    arena->over_limit = false;
    if (setjmp(exit))
        error = arena_failure(arena);
    else
        error = body(context);
    arena->exit = NULL;
    return error;
}

/* The single exit when memory is exhausted. */
static void *arena_give_up(struct arena *arena)
{
    struct arena *root = root_of(arena);
    if (root->exit)
        longjmp(*root->exit, 1);
    return NULL;
}

static void *arena_refuse(struct arena *arena)
{
    root_of(arena)->over_limit = true;
    return arena_give_up(arena);
}

/* All arenas around one count what it uses. */
static void count(struct arena *arena, size_t size)
{
    for (; arena; arena = arena->parent)
        arena->used += size;
}

static void discount(struct arena *arena, size_t size)
{
    for (; arena; arena = arena->parent)
        arena->used -= size;
}

/* Whether `size` more bytes are within the budget. */
static bool has_budget(struct arena *arena, size_t size)
{
    const struct arena *root = root_of(arena);
    return !root->limit || (root->used <= root->limit && size <= root->limit - root->used);
}

static bool is_cancelled(struct arena *arena)
{
    return atomic_load_explicit(&root_of(arena)->cancelled, memory_order_relaxed);
}

static struct chunk *chunk_create(size_t size)
{
    struct chunk *chunk = NULL;
    bool has_pages = size >= CHUNK_LARGEST;
    if (size > SIZE_MAX / 2)
        return NULL;
    if (has_pages)
        chunk = pages_alloc(sizeof *chunk + size);
    else
        error_free(alloc_zeroed(sizeof *chunk + size, &chunk));
    if (!chunk)
        return NULL;
    chunk->size = size;
    chunk->has_pages = has_pages;
    return chunk;
}

static void insert_before(struct chunk *chunk, struct chunk *inserted)
{
    inserted->before = chunk->before;
    inserted->after = chunk;
    if (chunk->before)
        chunk->before->after = inserted;
    chunk->before = inserted;
}

/* The slow path: `size` (a multiple of ALIGNMENT) does not fit in the newest chunk. */
static void *arena_alloc_chunk(struct arena *arena, size_t size)
{
    bool own = size > arena->chunk_size / 4;
    struct chunk *chunk = is_cancelled(arena) ? NULL : chunk_create(own ? size : arena->chunk_size);
    if (!chunk)
        return arena_give_up(arena);
    count(arena, size);
    if (own && arena->newest) {
        insert_before(arena->newest, chunk);
        return chunk->bytes;
    }
    chunk->before = arena->newest;
    if (arena->newest)
        arena->newest->after = chunk;
    arena->newest = chunk;
    arena->next = chunk->bytes + size;
    arena->end = chunk->bytes + chunk->size;
    if (!own && arena->chunk_size < CHUNK_LARGEST)
        arena->chunk_size *= 2;
    return chunk->bytes;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t whole = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (whole < size || alloc_fails())
        return arena_give_up(arena);
    if (!whole)
        whole = ALIGNMENT;
    if (!has_budget(arena, whole))
        return arena_refuse(arena);
    if (whole > (size_t)(arena->end - arena->next) || whole >= ALWAYS_ALONE)
        return arena_alloc_chunk(arena, whole);
    void *memory = arena->next;
    arena->next += whole;
    count(arena, whole);
    return memory;
}

static void unlink_chunk(struct chunk *chunk)
{
    chunk->after->before = chunk->before;
    if (chunk->before)
        chunk->before->after = chunk->after;
}

void arena_release(struct arena *arena, void *memory, size_t size)
{
    if (size < ALWAYS_ALONE)
        return;
    struct chunk *chunk = (struct chunk *)((char *)memory - offsetof(struct chunk, bytes));
    if (chunk == arena->newest)
        return;
    unlink_chunk(chunk);
    discount(arena, chunk->size);
    free_chunk(chunk);
}

static struct arena *inner_of(struct arena *arena)
{
    if (arena->inner)
        return arena->inner;
    struct error *error = arena_create(&arena->inner);
    if (!error) {
        arena->inner->parent = arena;
        return arena->inner;
    }
    error_free(error);
    return arena_give_up(arena);
}

static void clear_inner(struct arena *arena)
{
    struct arena *inner = arena->inner;
    if (!inner)
        return;
    arena_destroy(inner->inner);
    free_contents(inner);
    discount(arena, inner->used);
    *inner = (struct arena){.chunk_size = CHUNK_FIRST, .parent = arena};
}

struct arena *arena_scratch(struct arena *arena)
{
    return arena->parent ? arena : inner_of(arena);
}

void arena_scratch_clear(struct arena *arena)
{
    clear_inner(arena);
}

struct arena *arena_step(struct arena *scratch)
{
    return inner_of(scratch);
}

void arena_step_clear(struct arena *scratch)
{
    clear_inner(scratch);
}

void **arena_keep(struct arena *arena, void (*dispose)(void *resource))
{
    struct resource *entry = ARENA_NEW(arena, struct resource);
    if (!entry)
        return NULL;
    entry->before = arena->resources;
    entry->dispose = dispose;
    arena->resources = entry;
    return &entry->resource;
}

void *arena_array(struct arena *arena, size_t count, size_t element_size)
{
    size_t size;
    if (__builtin_mul_overflow(count, element_size, &size))
        return arena_give_up(arena);
    return arena_alloc(arena, size);
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
    void *copy = arena_alloc(arena, size);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

void **arena_interned(struct arena *arena)
{
    return &arena->interned;
}

char *arena_string(struct arena *arena, const char *bytes, size_t size)
{
    if (size == SIZE_MAX)
        return arena_give_up(arena);
    char *copy = arena_alloc(arena, size + 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_alloc(arena, (size_t)(size < 0 ? 0 : size) + 1);
    if (text && size > 0)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

size_t arena_used(const struct arena *arena)
{
    return arena->used;
}
