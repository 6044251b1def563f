/* scratch.c: see scratch.h. */
#include "devices/host/scratch.h"

#include "base/alloc.h"
#include "base/fork.h"

enum { HEAD = 64 }; /* size of the header of a block; preserves its alignment */

struct block {
    size_t bytes; /* bytes after the header */
    struct block *next;
};

static struct fork_lock lock = FORK_LOCK(FORK_OBJECT, NULL);
static struct block *free_blocks; /* sorted by increasing size */
static int64_t users;

/* Finds the smallest free block that is large enough, else the largest one, which is replaced, or
 * NULL. */
static struct block *find(size_t bytes)
{
    struct block **place = &free_blocks;
    while (*place && (*place)->bytes < bytes && (*place)->next)
        place = &(*place)->next;
    struct block *found = *place;
    if (found)
        *place = found->next;
    return found;
}

struct error *scratch_acquire(size_t bytes, void **out)
{
    *out = NULL;
    fork_lock_take(&lock);
    struct block *block = find(bytes);
    fork_lock_release(&lock);
    if (block && block->bytes < bytes) {
        alloc_free(block);
        block = NULL;
    }
    if (!block) {
        if (bytes > SIZE_MAX - HEAD)
            return error_out_of_memory();
        TRY(alloc_aligned(bytes + HEAD, &block));
        block->bytes = bytes;
    }
    *out = (char *)block + HEAD;
    return NULL;
}

void scratch_return(void *memory)
{
    struct block *block = (struct block *)((char *)memory - HEAD);
    fork_lock_take(&lock);
    struct block **place = &free_blocks;
    while (*place && (*place)->bytes < block->bytes)
        place = &(*place)->next;
    block->next = *place;
    *place = block;
    fork_lock_release(&lock);
}

void scratch_retain(void)
{
    fork_lock_take(&lock);
    users++;
    fork_lock_release(&lock);
}

void scratch_release(void)
{
    struct block *unused = NULL;
    fork_lock_take(&lock);
    if (!--users) {
        unused = free_blocks;
        free_blocks = NULL;
    }
    fork_lock_release(&lock);
    while (unused) {
        struct block *next = unused->next;
        alloc_free(unused);
        unused = next;
    }
}

static void plan_destroy(struct program_plan *plan)
{
    alloc_free(plan);
    scratch_release();
}

struct error *scratch_plan(struct program_plan **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->destroy = plan_destroy;
    scratch_retain();
    return NULL;
}
