/* tasks.c: a queue, and threads that wait for it. Every queued task has an idle thread of its own,
 * or gets a new one: a task may block, so none waits behind another. */
#include "base/tasks.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "base/alloc.h"
#include "base/thread.h"

enum { IDLE_SECONDS = 5 };

struct task {
    struct task *next;
    void (*run)(void *context);
    void *context;
};

static struct {
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t arrived;
    struct task *first, *last;
    int queued, idle; /* tasks in the queue; threads that wait */
} tasks = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t tasks_once = PTHREAD_ONCE_INIT;

static void condition_init(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&tasks.arrived, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void before_fork(void)
{
    pthread_mutex_lock(&tasks.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&tasks.lock);
}

/* The parent's threads are not here, and what it had queued is the parent's to run. */
static void after_fork_in_child(void)
{
    for (struct task *task = tasks.first, *next; task; task = next) {
        next = task->next;
        alloc_free(task);
    }
    tasks.first = tasks.last = NULL;
    tasks.queued = tasks.idle = 0;
    condition_init();
    pthread_mutex_unlock(&tasks.lock);
}

static void tasks_initialise(void)
{
    condition_init();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* The next task, or NULL after IDLE_SECONDS without one. The lock is held before and after. */
static struct task *next_task(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += IDLE_SECONDS;
    int result = 0;
    tasks.idle++;
    while (!tasks.first && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&tasks.arrived, &tasks.lock, &until);
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

static void serve(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&tasks.lock);
    for (struct task *task; (task = next_task());) {
        pthread_mutex_unlock(&tasks.lock);
        struct task mine = *task;
        alloc_free(task);
        mine.run(mine.context);
        pthread_mutex_lock(&tasks.lock);
    }
    pthread_mutex_unlock(&tasks.lock);
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
    pthread_once(&tasks_once, tasks_initialise);
    TRY(alloc_bytes(sizeof *task, &task));
    *task = (struct task){NULL, run, context};
    pthread_mutex_lock(&tasks.lock);
    bool served = tasks.queued < tasks.idle || thread_start("gantry-task", serve, NULL);
    if (served) {
        enqueue(task);
        pthread_cond_signal(&tasks.arrived);
    }
    pthread_mutex_unlock(&tasks.lock);
    if (served)
        return NULL;
    alloc_free(task);
    return ERROR(RESOURCE_EXHAUSTED, "pool: the system makes no thread for a task");
}
