/* pool_tsan.c: many threads use the pool at once; run under the thread sanitizer. Exit status 0:
 * all sums were right, every task ran once, nested and tiny jobs included. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/pool.h"

enum { CALLERS = 8, ROUNDS = 300, ITEMS = 5000 };

struct sum {
    const int64_t *items;
    int64_t by_chunk[ITEMS]; /* not atomic: the pool must order accesses */
    int64_t grain;
    atomic_llong covered;
};

static void add_up(void *context, int64_t begin, int64_t end)
{
    struct sum *sum = context;
    int64_t total = 0;
    for (int64_t i = begin; i < end; i++)
        total += sum->items[i];
    sum->by_chunk[begin / sum->grain] = total;
    atomic_fetch_add_explicit(&sum->covered, end - begin, memory_order_relaxed);
}

static void nested(void *context, int64_t begin, int64_t end)
{
    struct sum *sum = context;
    for (int64_t i = begin; i < end; i++)
        pool_parallel(pool_shared(), sum[i].covered = 0, 1, add_up, &sum[i]);
    for (int64_t i = begin; i < end; i++)
        pool_parallel(pool_shared(), ITEMS, sum[i].grain, add_up, &sum[i]);
}

static int check(struct sum *sum)
{
    int64_t total = 0;
    for (int64_t i = 0; i <= (ITEMS - 1) / sum->grain; i++)
        total += sum->by_chunk[i];
    return total != (int64_t)ITEMS * (ITEMS - 1) / 2 || atomic_load(&sum->covered) != ITEMS;
}

struct caller {
    const int64_t *items;
    unsigned seed;
    int wrong;
};

static void *call_often(void *argument)
{
    struct caller *caller = argument;
    struct sum *sums = calloc(4, sizeof *sums);
    for (int round = 0; sums && round < ROUNDS; round++) {
        for (int i = 0; i < 4; i++) {
            sums[i].items = caller->items;
            sums[i].grain = 1 + rand_r(&caller->seed) % 1000;
            atomic_store(&sums[i].covered, 0);
        }
        if (round % 10 == 0) {
            pool_parallel(pool_shared(), 4, 1, nested, sums);
            for (int i = 0; i < 4; i++)
                caller->wrong += check(&sums[i]);
        } else {
            pool_parallel(pool_shared(), ITEMS, sums[0].grain, add_up, &sums[0]);
            caller->wrong += check(&sums[0]);
        }
        if (round % 50 == 0)
            usleep(2000); /* lets workers fall asleep */
    }
    free(sums);
    return NULL;
}

struct tasks {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int waiting, finished;
    int64_t plain; /* guarded by lock */
};

/* Blocks until all tasks wait, so they must run concurrently. */
static void meet(void *context)
{
    struct tasks *tasks = context;
    pthread_mutex_lock(&tasks->lock);
    tasks->waiting++;
    pthread_cond_broadcast(&tasks->changed);
    while (tasks->waiting < CALLERS)
        pthread_cond_wait(&tasks->changed, &tasks->lock);
    tasks->plain++;
    tasks->finished++;
    pthread_cond_broadcast(&tasks->changed);
    pthread_mutex_unlock(&tasks->lock);
}

static int submit_often(int rounds)
{
    int wrong = 0;
    for (int round = 0; round < rounds; round++) {
        struct tasks tasks = {.lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER};
        for (int i = 0; i < CALLERS; i++)
            wrong += pool_submit(pool_shared(), meet, &tasks) != NULL;
        pthread_mutex_lock(&tasks.lock);
        while (tasks.finished < CALLERS)
            pthread_cond_wait(&tasks.changed, &tasks.lock);
        wrong += tasks.plain != CALLERS;
        pthread_mutex_unlock(&tasks.lock);
    }
    return wrong;
}

int main(void)
{
    static int64_t items[ITEMS];
    for (int64_t i = 0; i < ITEMS; i++)
        items[i] = i;
    pthread_t threads[CALLERS];
    struct caller callers[CALLERS];
    int wrong = 0;
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){items, (unsigned)i + 1, 0};
        if (pthread_create(&threads[i], NULL, call_often, &callers[i]))
            return 2;
    }
    wrong += submit_often(50);
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        wrong += callers[i].wrong;
    }
    printf("pool_tsan: %d wrong\n", wrong);
    return wrong != 0;
}
