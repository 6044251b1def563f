/* fork.h: fork() in a process that runs Gantry. A forked child has only the thread that forked, so
 * a lock that another thread held would stay locked there for ever. All process-wide locks of the
 * core are therefore of one type, which registers itself with the one handler that the core gives
 * to pthread_atfork(): fork() waits until it has every lock, in the order of enum fork_level, and
 * the child starts with all of them free and with what they guard consistent.
 *
 * Lock order: a thread that holds a lock may take only locks of levels further down, so never two
 * of one level. No lock is held while a client's function runs or while a thread waits.
 *
 * Objects that there are many of (buffers, contexts, plans) have no lock of their own: they share a
 * few by address (fork_lock_of).
 *
 * The handler is registered at the first use of a lock. It is part of the library that holds this
 * function: unloading the library removes it, and from the first client or thread on the library
 * stays loaded (client_create, thread_start), so a client's dlclose() does not remove it.
 * Thread-safe. */
#ifndef GANTRY_BASE_FORK_H
#define GANTRY_BASE_FORK_H

#include <pthread.h>
#include <stdatomic.h>

enum fork_level {
    FORK_PLUGIN,   /* tables and texts made on request: plugin/, runtime/executable_hlo */
    FORK_CALLS,    /* registered custom calls, types of the FFI */
    FORK_LIBRARY,  /* opening of libraries; preparation of library calls */
    FORK_QUEUE,    /* a device's queue of executions */
    FORK_OBJECT,   /* fork_lock_of() */
    FORK_EVENTS,   /* events that are not ready, and their callbacks */
    FORK_TASKS,    /* the threads behind pool_submit() */
    FORK_POOL,     /* the start of the workers */
    FORK_TRACE,    /* profiles */
    FORK_BINS,     /* the allocator's size classes */
    FORK_MAPPINGS, /* its free mappings */
    FORK_RANGES,   /* modelled address ranges */
    FORK_LEVELS
};

/* Static, or part of an object: then fork_lock_remove() before its memory is freed. */
struct fork_lock {
    pthread_mutex_t mutex;
    enum fork_level level;
    /* Called in the child with all locks held: puts right what the lost threads left behind. It
     * must not call functions of a client. May be NULL. */
    void (*in_child)(struct fork_lock *lock);
    atomic_bool registered;
    struct fork_lock *next, **place; /* in the list of its level */
};
#define FORK_LOCK(lock_level, child_function)                                                      \
    {.mutex = PTHREAD_MUTEX_INITIALIZER, .level = lock_level, .in_child = child_function}

void fork_lock_init(struct fork_lock *lock, enum fork_level level,
                    void (*in_child)(struct fork_lock *lock));
/* The caller holds no lock of this kind. */
void fork_lock_remove(struct fork_lock *lock);

void fork_lock_take(struct fork_lock *lock);
void fork_lock_release(struct fork_lock *lock);

/* The lock of an object: one of a few that all objects share. Level FORK_OBJECT, so a thread holds
 * that of one object at a time. Static. */
struct fork_lock *fork_lock_of(const void *object);

#endif
