#include "plugin/ffi/ffi_types.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"

enum { MAX_NAME = 4096 }; /* bytes */

struct type {
    struct type *next;
    char *name;
    size_t size;
    int64_t id;
    void (*deleter)(void *object);
};

static struct fork_lock lock = FORK_LOCK(FORK_CALLS, NULL); /* guards what follows */
static struct type *types;
static int64_t last_id = (int64_t)1 << 32; /* far from the ids that clients choose */

static struct type *find_name(const char *name, size_t size)
{
    struct type *type = types;
    while (type && (type->size != size || memcmp(type->name, name, size)))
        type = type->next;
    return type;
}

static struct type *find_id(int64_t id)
{
    struct type *type = types;
    while (type && type->id != id)
        type = type->next;
    return type;
}

static struct error *add(const char *name, size_t size, int64_t *id, void (*deleter)(void *object))
{
    struct type *type;
    TRY(alloc_zeroed(sizeof *type, &type));
    struct error *error = alloc_copy(name, size, &type->name);
    if (error) {
        alloc_free(type);
        return error;
    }
    *id = *id ? *id : ++last_id;
    type->size = size;
    type->id = *id;
    type->deleter = deleter;
    type->next = types;
    types = type;
    return NULL;
}

struct error *ffi_types_register(const char *name, size_t size, int64_t *type_id,
                                 void (*deleter)(void *object))
{
    struct error *error = NULL;
    if (size > MAX_NAME)
        return ERROR(INVALID_ARGUMENT, "the type's name has %zu bytes; at most %d are allowed",
                     size, MAX_NAME);
    fork_lock_take(&lock);
    const struct type *known = find_name(name, size);
    bool taken = known ? *type_id && *type_id != known->id : *type_id && find_id(*type_id);
    if (!known && !taken)
        error = add(name, size, type_id, deleter);
    else if (!taken)
        *type_id = known->id;
    fork_lock_release(&lock);
    return taken ? ERROR(ALREADY_EXISTS, "the type %.*s or its id %lld is already registered",
                         (int)size, name, (long long)*type_id)
                 : error;
}

void (*ffi_types_deleter(int64_t type_id))(void *object)
{
    fork_lock_take(&lock);
    const struct type *type = find_id(type_id);
    void (*deleter)(void *object) = type ? type->deleter : NULL;
    fork_lock_release(&lock);
    return deleter;
}
