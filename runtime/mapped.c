/* mapped.c: a short list, looked through from its start. */
#include "runtime/mapped.h"

#include <stdint.h>

#include "base/alloc.h"
#include "base/fork.h"

void mapped_init(struct mapped *mapped)
{
    *mapped = (struct mapped){0};
}

void mapped_destroy(struct mapped *mapped)
{
    alloc_free(mapped->ranges);
}

static struct error *add_locked(struct mapped *mapped, const char *start, const char *end)
{
    for (size_t i = 0; i < mapped->count; i++)
        if (start < mapped->ranges[i].end && mapped->ranges[i].start < end)
            return ERROR(ALREADY_EXISTS, "host memory %p to %p is mapped already, in part or whole",
                         (const void *)start, (const void *)end);
    TRY(alloc_resize(&mapped->ranges, (mapped->count + 1) * sizeof *mapped->ranges));
    mapped->ranges[mapped->count++] = (struct mapped_range){start, end};
    return NULL;
}

struct error *mapped_add(struct mapped *mapped, const void *data, size_t size)
{
    if (!data || !size || (uintptr_t)data + size < size)
        return ERROR(INVALID_ARGUMENT, "%zu bytes of host memory at %p cannot be mapped", size,
                     data);
    fork_lock_take(fork_lock_of(mapped));
    struct error *error = add_locked(mapped, data, (const char *)data + size);
    fork_lock_release(fork_lock_of(mapped));
    return error;
}

struct error *mapped_remove(struct mapped *mapped, const void *data)
{
    struct error *error = NULL;
    fork_lock_take(fork_lock_of(mapped));
    size_t i = 0;
    while (i < mapped->count && mapped->ranges[i].start != data)
        i++;
    if (i < mapped->count)
        mapped->ranges[i] = mapped->ranges[--mapped->count];
    else
        error = ERROR(NOT_FOUND, "no mapped host memory starts at %p", data);
    fork_lock_release(fork_lock_of(mapped));
    return error;
}
