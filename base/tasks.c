/* tasks.c: a queue, and threads that wait for it. Every queued task gets an idle thread or a new
 * one: a task may block, so no task waits behind another. */
#include "base/tasks.h"

#include <errno.h>
#include <time.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/thread.h"

enum { IDLE_SECONDS = 5 };

struct task {
    struct task *next;
    void (*run)(void *context);
    void *context;
};

static void in_child(struct fork_lock *unused);
static struct {
    struct fork_lock lock; /* guards the rest */
    pthread_cond_t arrived;
    struct task *first, *last;
    int queued, idle; /* queued tasks; waiting threads */
} tasks = {.lock = FORK_LOCK(FORK_TASKS, in_child)};
static pthread_once_t tasks_once = PTHREAD_ONCE_INIT;

static void condition_init(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&tasks.arrived, &attributes);
    pthread_condattr_destroy(&attributes);
}

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
    condition_init();
}

/* The next task, or NULL after IDLE_SECONDS without one. The caller holds the lock. */
static struct task *next_task(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += IDLE_SECONDS;
    int result = 0;
    tasks.idle++;
    while (!tasks.first && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&tasks.arrived, &tasks.lock.mutex, &until);
    tasks.idle--;
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

/* The lock is held. */
static void enqueue(struct task *task)
{
    if (tasks.last)
        tasks.last->next = task;
    else
        tasks.first = task;
    tasks.last = task;
    tasks.queued++;
}

struct error *tasks_submit(void (*run)(void *context), void *context)
{
    struct task *task;
    pthread_once(&tasks_once, condition_init);
    TRY(alloc_bytes(sizeof *task, &task));
    *task = (struct task){NULL, run, context};
    fork_lock_take(&tasks.lock);
    bool accepted = tasks.queued < tasks.idle || thread_start("gantry-task", run_tasks, NULL);
    if (accepted) {
        enqueue(task);
        pthread_cond_signal(&tasks.arrived);
    }
    fork_lock_release(&tasks.lock);
    if (accepted)
        return NULL;
    alloc_free(task);
    return ERROR(RESOURCE_EXHAUSTED, "cannot create a thread for a task");
}
