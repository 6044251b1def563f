#include "runtime/execute_context.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "base/refs.h"

struct item {
    struct item *next;
    int64_t type_id;
    void *object;
    void (*deleter)(void *object);
};

struct execute_context {
    struct refs refs;
    struct item *items; /* guarded by fork_lock_of(context) */
};

struct error *execute_context_create(struct execute_context **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    refs_init(&(*out)->refs);
    return NULL;
}

void execute_context_retain(struct execute_context *context)
{
    if (context)
        refs_retain(&context->refs);
}

void execute_context_release(struct execute_context *context)
{
    if (!context || !refs_release(&context->refs))
        return;
    while (context->items) {
        struct item *item = context->items;
        context->items = item->next;
        if (item->deleter)
            item->deleter(item->object);
        alloc_free(item);
    }
    alloc_free(context);
}

static const struct item *find(const struct execute_context *context, int64_t type_id)
{
    for (const struct item *item = context->items; item; item = item->next)
        if (item->type_id == type_id)
            return item;
    return NULL;
}

struct error *execute_context_add(struct execute_context *context, int64_t type_id, void *object,
                                  void (*deleter)(void *object))
{
    struct item *item;
    TRY(alloc_zeroed(sizeof *item, &item));
    *item = (struct item){.type_id = type_id, .object = object, .deleter = deleter};
    fork_lock_take(fork_lock_of(context));
    bool taken = find(context, type_id) != NULL;
    if (!taken) {
        item->next = context->items;
        context->items = item;
    }
    fork_lock_release(fork_lock_of(context));
    if (!taken)
        return NULL;
    alloc_free(item);
    return ERROR(ALREADY_EXISTS, "the context has an object of type %lld", (long long)type_id);
}

bool execute_context_find(const struct execute_context *context, int64_t type_id, void **out)
{
    *out = NULL;
    if (!context)
        return false;
    fork_lock_take(fork_lock_of(context));
    const struct item *item = find(context, type_id);
    if (item)
        *out = item->object;
    fork_lock_release(fork_lock_of(context));
    return item != NULL;
}
