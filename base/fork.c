/* fork.c: a list of locks for each level, and the handler that acquires them all.
 *
 * The module's own two locks come first and last in the lock order. `members` is acquired before
 * all others, so that a lock that is being removed is not in use by the handler. `lists` is
 * acquired after all others, since a thread that holds locks may register another one. If a lock is
 * registered while the handler acquires the others, the handler starts again. */
#include "base/fork.h"

#include <stdint.h>

#include "base/futex.h"

enum { SHARED_LOCKS = 16 };

static pthread_mutex_t members = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER; /* guards the next two */
static struct fork_lock *levels[FORK_LEVELS];
static unsigned long registrations;
static pthread_once_t handler_once = PTHREAD_ONCE_INIT;

/* ---- the handler ----------------------------------------------------------------------------- */
static void take_level(struct fork_lock *lock)
{
    for (; lock; lock = lock->next)
        fork_lock_take(lock);
}

static void release_level(struct fork_lock *lock)
{
    for (; lock; lock = lock->next)
        fork_lock_release(lock);
}

/* Copies the heads of the lists. While `members` is held, lists change only by insertion at the
 * front. */
static unsigned long copy_lists(struct fork_lock **heads)
{
    pthread_mutex_lock(&lists);
    for (int level = 0; level < FORK_LEVELS; level++)
        heads[level] = levels[level];
    unsigned long seen = registrations;
    pthread_mutex_unlock(&lists);
    return seen;
}

static void before_fork(void)
{
    struct fork_lock *heads[FORK_LEVELS];
    pthread_mutex_lock(&members);
    for (;;) {
        unsigned long seen = copy_lists(heads);
        for (int level = 0; level < FORK_LEVELS; level++)
            take_level(heads[level]);
        pthread_mutex_lock(&lists);
        if (registrations == seen)
            return;
        pthread_mutex_unlock(&lists);
        for (int level = FORK_LEVELS; level-- > 0;)
            release_level(heads[level]);
    }
}

static void after_fork_in_parent(void)
{
    for (int level = FORK_LEVELS; level-- > 0;)
        release_level(levels[level]);
    pthread_mutex_unlock(&lists);
    pthread_mutex_unlock(&members);
}

static void after_fork_in_child(void)
{
    for (int level = 0; level < FORK_LEVELS; level++)
        for (struct fork_lock *lock = levels[level]; lock; lock = lock->next)
            if (lock->in_child)
                lock->in_child(lock);
    after_fork_in_parent();
}

static void register_handler(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* ---- locks ----------------------------------------------------------------------------------- */
static void add(struct fork_lock *lock)
{
    pthread_once(&handler_once, register_handler);
    pthread_mutex_lock(&lists);
    if (!atomic_load_explicit(&lock->registered, memory_order_relaxed)) {
        lock->next = levels[lock->level];
        lock->place = &levels[lock->level];
        if (lock->next)
            lock->next->place = &lock->next;
        levels[lock->level] = lock;
        registrations++;
        atomic_store_explicit(&lock->registered, true, memory_order_release);
    }
    pthread_mutex_unlock(&lists);
}

void fork_lock_init(struct fork_lock *lock, enum fork_level level,
                    void (*in_child)(struct fork_lock *lock))
{
    *lock = (struct fork_lock){.level = level, .in_child = in_child};
}

void fork_lock_remove(struct fork_lock *lock)
{
    pthread_mutex_lock(&members);
    pthread_mutex_lock(&lists);
    if (atomic_load_explicit(&lock->registered, memory_order_relaxed)) {
        *lock->place = lock->next;
        if (lock->next)
            lock->next->place = lock->place;
    }
    pthread_mutex_unlock(&lists);
    pthread_mutex_unlock(&members);
}

/* A thread that has waited cannot know whether others still do, so it leaves the lock marked as
 * awaited, and its release wakes one more. */
void fork_lock_await(struct fork_lock *lock)
{
    unsigned state = FORK_FREE;
    if (!atomic_load_explicit(&lock->registered, memory_order_acquire))
        add(lock);
    if (atomic_compare_exchange_strong_explicit(&lock->state, &state, FORK_HELD,
                                                memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&lock->state, FORK_AWAITED, memory_order_acquire) != FORK_FREE)
        futex_wait(&lock->state, FORK_AWAITED);
}

void fork_lock_wake(struct fork_lock *lock)
{
    futex_wake(&lock->state, 1);
}

struct fork_lock *fork_lock_of(const void *object)
{
    static struct shared {
        _Alignas(64) struct fork_lock lock;
    } shared[SHARED_LOCKS] = {
#define FOUR                                                                                       \
    {FORK_LOCK(FORK_OBJECT, NULL)}, {FORK_LOCK(FORK_OBJECT, NULL)},                                \
        {FORK_LOCK(FORK_OBJECT, NULL)},                                                            \
    {                                                                                              \
        FORK_LOCK(FORK_OBJECT, NULL)                                                               \
    }
        FOUR, FOUR, FOUR, FOUR
#undef FOUR
    };
    return &shared[(uintptr_t)object / 64 * 0x9E3779B97F4A7C15ULL >> 60].lock;
}
