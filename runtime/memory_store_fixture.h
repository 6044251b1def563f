/* memory_store_fixture.h: for tests: a key-value store in memory, which the threads of one process
 * share as the processes of a job do the client's. It keeps its entries until the process ends. */
#ifndef GANTRY_RUNTIME_MEMORY_STORE_FIXTURE_H
#define GANTRY_RUNTIME_MEMORY_STORE_FIXTURE_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "runtime/key_value_store.h"

struct memory_store {
    pthread_mutex_t lock;
    pthread_cond_t added;
    struct memory_store_entry {
        struct memory_store_entry *next;
        char *key, *value;
        size_t size;
    } *first;
};

/* Requires the lock. */
static inline struct memory_store_entry *memory_store_find(struct memory_store *store,
                                                           const char *key)
{
    struct memory_store_entry *at = store->first;
    while (at && strcmp(at->key, key))
        at = at->next;
    return at;
}

static inline struct error *memory_store_get(void *context, const char *key, int64_t milliseconds,
                                             char **value, size_t *size)
{
    struct memory_store *store = context;
    struct memory_store_entry *found;
    struct timespec end;
    int waited = 0;
    *value = NULL;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += milliseconds % 1000 * 1000000;
    end.tv_sec += milliseconds / 1000 + end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&store->lock);
    while (!(found = memory_store_find(store, key)) && !waited)
        waited = pthread_cond_timedwait(&store->added, &store->lock, &end);
    struct error *error = found ? alloc_copy(found->value, found->size, value)
                                : ERROR(DEADLINE_EXCEEDED, "no key '%s'", key);
    *size = found ? found->size : 0;
    pthread_mutex_unlock(&store->lock);
    return error;
}

static inline struct error *memory_store_put(void *context, const char *key, const char *value,
                                             size_t size)
{
    struct memory_store *store = context;
    struct memory_store_entry *made = calloc(1, sizeof *made);
    struct error *error = NULL;
    pthread_mutex_lock(&store->lock);
    if (memory_store_find(store, key)) {
        error = ERROR(ALREADY_EXISTS, "there is a key '%s'", key);
        free(made);
    } else {
        *made = (struct memory_store_entry){store->first, strdup(key), malloc(size + 1), size};
        memcpy(made->value, value, size);
        store->first = made;
        pthread_cond_broadcast(&store->added);
    }
    pthread_mutex_unlock(&store->lock);
    return error;
}

static inline void memory_store_init(struct memory_store *store, struct key_value_store *methods)
{
    *store =
        (struct memory_store){.lock = PTHREAD_MUTEX_INITIALIZER, .added = PTHREAD_COND_INITIALIZER};
    *methods = (struct key_value_store){memory_store_get, memory_store_put, store};
}

#endif
