/* copy_queue_tsan.c: many threads start copies and wait for them concurrently; run under
 * ThreadSanitizer. Exit status 0: every job ran once, and the thread that waited for it sees its
 * writes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "hostoffload/transfer/copy_queue.h"

enum { CALLERS = 6, ROUNDS = 300, JOBS = 24 };

struct sum {
    struct copy_job job;
    int value; /* not atomic: the queue must synchronize it */
};

static void run(struct copy_job *job)
{
    ((struct sum *)job)->value += 1;
}

static void *copy_often(void *argument)
{
    int *wrong = argument;
    for (int round = 0; round < ROUNDS; round++) {
        struct sum sums[JOBS];
        for (int i = 0; i < JOBS; i++) {
            sums[i] = (struct sum){.job.run = run, .value = round + i};
            copy_queue_start(&sums[i].job);
        }
        for (int i = 0; i < JOBS; i++) {
            struct sum *sum = &sums[(i * 7 + round) % JOBS];
            copy_queue_finish(&sum->job);
            *wrong += sum->value != round + (int)(sum - sums) + 1;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[CALLERS];
    int wrong[CALLERS] = {0}, sum = 0;
    for (int i = 0; i < CALLERS; i++)
        if (pthread_create(&threads[i], NULL, copy_often, &wrong[i]))
            return 2;
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        sum += wrong[i];
    }
    if (sum)
        printf("%d jobs did not run once\n", sum);
    return sum != 0;
}
