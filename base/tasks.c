/* tasks.c: a queue, and threads that wait for it. Every queued task gets an idle thread or a new
 * one: a task may block, so no task waits behind another. */
#include "base/tasks.h"

#include <time.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/thread.h"

#define SECOND INT64_C(1000000000)
#define IDLE_TIME (5 * SECOND)

struct task {
    struct task *next;
    void (*run)(void *context);
    void *context;
};

static void in_child(struct fork_lock *unused);
static struct {
    struct fork_lock lock; /* guards the rest */
    atomic_uint arrivals;  /* a futex that idle threads wait for: tasks so far */
    struct task *first, *last;
    int queued, idle; /* queued tasks; waiting threads */
} tasks = {.lock = FORK_LOCK(FORK_TASKS, in_child)};

/* A forked child has none of the threads; queued tasks run only in the parent. */
static void in_child(struct fork_lock *unused)
{
    (void)unused;
    for (struct task *task = tasks.first, *next; task; task = next) {
        next = task->next;
        alloc_free(task);
    }
    tasks.first = tasks.last = NULL;
    tasks.queued = tasks.idle = 0;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* Returns when a task has been queued or after IDLE_TIME. The caller holds the lock, which is
 * released meanwhile. */
static void wait_for_task(void)
{
    int64_t end = now() + IDLE_TIME, left = IDLE_TIME;
    tasks.idle++;
    for (; !tasks.first && left > 0; left = end - now()) {
        unsigned seen = atomic_load_explicit(&tasks.arrivals, memory_order_relaxed);
        fork_lock_release(&tasks.lock);
        futex_wait_for(&tasks.arrivals, seen, left);
        fork_lock_take(&tasks.lock);
    }
    tasks.idle--;
}

/* The next task, or NULL after IDLE_TIME without one. The caller holds the lock. */
static struct task *next_task(void)
{
    wait_for_task();
    struct task *task = tasks.first;
    if (task) {
        tasks.first = task->next;
        tasks.queued--;
        if (!tasks.first)
            tasks.last = NULL;
    }
    return task;
}

static void run_tasks(void *unused)
{
    (void)unused;
    fork_lock_take(&tasks.lock);
    for (struct task *task; (task = next_task());) {
        fork_lock_release(&tasks.lock);
        struct task mine = *task;
        alloc_free(task);
        mine.run(mine.context);
        fork_lock_take(&tasks.lock);
    }
    fork_lock_release(&tasks.lock);
}

/* Wakes an idle thread. The lock is held. */
static void enqueue(struct task *task)
{
    if (tasks.last)
        tasks.last->next = task;
    else
        tasks.first = task;
    tasks.last = task;
    tasks.queued++;
    atomic_fetch_add_explicit(&tasks.arrivals, 1, memory_order_relaxed);
    futex_wake(&tasks.arrivals, 1);
}

struct error *tasks_submit(void (*run)(void *context), void *context)
{
    struct task *task;
    TRY(alloc_bytes(sizeof *task, &task));
    *task = (struct task){NULL, run, context};
    fork_lock_take(&tasks.lock);
    bool accepted = tasks.queued < tasks.idle || thread_start("gantry-task", run_tasks, NULL);
    if (accepted)
        enqueue(task);
    fork_lock_release(&tasks.lock);
    if (accepted)
        return NULL;
    alloc_free(task);
    return ERROR(RESOURCE_EXHAUSTED, "cannot create a thread for a task");
}
