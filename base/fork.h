/* fork.h: fork() in a process that runs Gantry. A forked child has only the thread that forked, so
 * a lock held by another thread would stay locked forever in the child. All process-wide locks of
 * the core therefore have one type, whose locks register themselves with the one handler that the
 * core passes to pthread_atfork(). The handler acquires every lock in the order of enum fork_level
 * before the fork, so that the child starts with all locks free and with consistent data behind
 * them.
 *
 * Lock order: a thread that holds a lock may acquire only locks of levels listed after it, so never
 * two of one level. No lock is held while a client's function runs or while a thread waits.
 *
 * Numerous objects (buffers, contexts, plans) have no lock of their own: they share a few locks,
 * selected by address (fork_lock_of).
 *
 * The handler is registered at the first use of a lock. Unloading the library that contains it
 * removes it. From the first client or thread on, the library stays loaded (client_create,
 * thread_start), so a client's dlclose() does not remove the handler. Thread-safe. */
#ifndef GANTRY_BASE_FORK_H
#define GANTRY_BASE_FORK_H

#include <pthread.h>
#include <stdatomic.h>

enum fork_level {
    FORK_PLUGIN,   /* tables and texts created on request: plugin/, runtime/executable_hlo */
    FORK_CALLS,    /* registered custom calls, types of the FFI */
    FORK_LIBRARY,  /* loading libraries; preparing library calls */
    FORK_GANGS,    /* executions on several devices that have not started */
    FORK_QUEUE,    /* a device's queue of executions */
    FORK_OBJECT,   /* fork_lock_of() */
    FORK_EVENTS,   /* events that are not ready, and their callbacks */
    FORK_COPIES,   /* queued copies between memory kinds */
    FORK_TASKS,    /* the threads behind pool_submit() */
    FORK_POOL,     /* starting the workers */
    FORK_TRACE,    /* profiles */
    FORK_BINS,     /* the allocator's size classes */
    FORK_MAPPINGS, /* the allocator's free mappings */
    FORK_RANGES,   /* modeled address ranges */
    FORK_LIVE,     /* lists of live storages */
    FORK_LEVELS
};

/* Either static, or part of an object; the latter needs fork_lock_remove() before its memory is
 * freed. */
struct fork_lock {
    pthread_mutex_t mutex;
    enum fork_level level;
    /* Called in the child with all locks held, to repair state that threads of the parent left
     * incomplete. It must not call functions of a client. May be NULL. */
    void (*in_child)(struct fork_lock *lock);
    atomic_bool registered;
    struct fork_lock *next, **place; /* in the list of its level */
};
#define FORK_LOCK(lock_level, child_function)                                                      \
    {.mutex = PTHREAD_MUTEX_INITIALIZER, .level = lock_level, .in_child = child_function}

void fork_lock_init(struct fork_lock *lock, enum fork_level level,
                    void (*in_child)(struct fork_lock *lock));
/* The caller must not hold a fork_lock. */
void fork_lock_remove(struct fork_lock *lock);

void fork_lock_take(struct fork_lock *lock);
void fork_lock_release(struct fork_lock *lock);

/* The lock of an object: one of a few that all objects share. Its level is FORK_OBJECT, so a thread
 * may hold the lock of only one object at a time. Static. */
struct fork_lock *fork_lock_of(const void *object);

#endif
