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
#include <stdbool.h>

#if defined(__SANITIZE_THREAD__)
#define FORK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FORK_TSAN 1
#endif
#endif
#ifdef FORK_TSAN /* so that the thread sanitizer finds locks that are taken in different orders */
#include <sanitizer/tsan_interface.h>
#define FORK_NOTE(event, lock, ...) __tsan_mutex_##event(lock, __VA_ARGS__)
#else
#define FORK_NOTE(event, lock, ...) ((void)(lock))
#endif

enum fork_level {
    FORK_PLUGIN,   /* tables and texts created on request: plugin/, runtime/executable_hlo */
    FORK_CALLS,    /* registered custom calls, types of the FFI */
    FORK_LIBRARY,  /* loading libraries; preparing library calls */
    FORK_GANGS,    /* executions on several devices that have not started */
    FORK_QUEUE,    /* a device's queue of executions */
    FORK_OBJECT,   /* fork_lock_of() */
    FORK_WATCHDOG, /* waits that only the client can end */
    FORK_EVENTS,   /* events that are not ready, and their callbacks */
    FORK_NETWORK,  /* messages between processes */
    FORK_COPIES,   /* queued copies between memory kinds */
    FORK_TASKS,    /* the threads behind pool_submit() */
    FORK_POOL,     /* starting the workers */
    FORK_PACKED,   /* contents kept as a library reads them */
    FORK_BINS,     /* the allocator's size classes */
    FORK_MAPPINGS, /* the allocator's free mappings */
    FORK_RANGES,   /* modeled address ranges */
    FORK_LIVE,     /* lists of live storages */
    FORK_TRACE,    /* profiles */
    FORK_LEVELS
};

/* Either static, or part of an object; the latter needs fork_lock_remove() before its memory is
 * freed. */
struct fork_lock {
    atomic_uint state; /* a futex: FORK_FREE, FORK_HELD or FORK_AWAITED */
    enum fork_level level;
    /* Called in the child with all locks held, to repair state that threads of the parent left
     * incomplete. It must not call functions of a client. May be NULL. */
    void (*in_child)(struct fork_lock *lock);
    atomic_bool registered;
    struct fork_lock *next, **place; /* in the list of its level */
};
#define FORK_LOCK(lock_level, child_function) {.level = lock_level, .in_child = child_function}

void fork_lock_init(struct fork_lock *lock, enum fork_level level,
                    void (*in_child)(struct fork_lock *lock));
/* The caller must not hold a fork_lock. */
void fork_lock_remove(struct fork_lock *lock);

/* For the two functions below. */
enum { FORK_FREE, FORK_HELD, FORK_AWAITED /* held, and other threads may wait for it */ };
void fork_lock_await(struct fork_lock *lock); /* registers the lock, and waits until it is free */
void fork_lock_wake(struct fork_lock *lock);

static inline void fork_lock_take(struct fork_lock *lock)
{
    unsigned state = FORK_FREE;
    FORK_NOTE(pre_lock, lock, 0);
    if (!atomic_load_explicit(&lock->registered, memory_order_acquire) ||
        !atomic_compare_exchange_strong_explicit(&lock->state, &state, FORK_HELD,
                                                 memory_order_acquire, memory_order_relaxed))
        fork_lock_await(lock);
    FORK_NOTE(post_lock, lock, 0, 0);
}

static inline void fork_lock_release(struct fork_lock *lock)
{
    FORK_NOTE(pre_unlock, lock, 0);
    if (atomic_exchange_explicit(&lock->state, FORK_FREE, memory_order_release) == FORK_AWAITED)
        fork_lock_wake(lock);
    FORK_NOTE(post_unlock, lock, 0);
}

/* The lock of an object: one of a few that all objects share. Its level is FORK_OBJECT, so a thread
 * may hold the lock of only one object at a time. Static. */
struct fork_lock *fork_lock_of(const void *object);

#endif
