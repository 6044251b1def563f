#include "runtime/user_data.h"

#include "base/alloc.h"
#include "base/fork.h"

struct user_datum {
    struct user_datum *next;
    const void *key;
    void *object;
    void (*destroy)(void *object);
};

void *user_data_get(const struct user_data *all, const void *key)
{
    fork_lock_take(fork_lock_of(all));
    const struct user_datum *at = all->first;
    while (at && at->key != key)
        at = at->next;
    void *object = at ? at->object : NULL;
    fork_lock_release(fork_lock_of(all));
    return object;
}

/* Puts `added` (may be NULL) in the place of the entry with that key, which is returned. */
static struct user_datum *replace(struct user_data *all, const void *key, struct user_datum *added)
{
    fork_lock_take(fork_lock_of(all));
    struct user_datum **at = &all->first;
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    struct user_datum *previous = *at;
    if (added)
        added->next = previous ? previous->next : NULL;
    if (previous || added)
        *at = added ? added : previous->next;
    fork_lock_release(fork_lock_of(all));
    return previous;
}

/* The client's function runs without a lock. */
static void end(struct user_datum *datum)
{
    if (datum->destroy)
        datum->destroy(datum->object);
    alloc_free(datum);
}

void user_data_set(struct user_data *all, const void *key, void *object,
                   void (*destroy)(void *object))
{
    struct user_datum *added = NULL, *previous;
    struct error *error = object ? alloc_zeroed(sizeof *added, &added) : NULL;
    if (added)
        *added = (struct user_datum){.key = key, .object = object, .destroy = destroy};
    previous = replace(all, key, added);
    if (error && destroy)
        destroy(object);
    error_free(error);
    if (previous)
        end(previous);
}

void user_data_clear(struct user_data *all)
{
    fork_lock_take(fork_lock_of(all));
    struct user_datum *first = all->first;
    all->first = NULL;
    fork_lock_release(fork_lock_of(all));
    while (first) {
        struct user_datum *next = first->next;
        end(first);
        first = next;
    }
}
