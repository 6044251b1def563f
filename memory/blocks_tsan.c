/* blocks_tsan.c: many threads allocate, write, pass on and free tensor memory at once; run under
 * the thread sanitizer. Exit status 0: no block was handed out twice, and the spaces' counts end
 * at zero. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/blocks.h"
#include "memory/storage.h"

enum { THREADS = 8, ROUNDS = 4000, SHELF = 64 };

static struct space *spaces[2];
static pthread_mutex_t shelf_lock = PTHREAD_MUTEX_INITIALIZER;
static struct storage *shelf[SHELF]; /* storages pass from thread to thread */

/* The first and last words of a live storage hold its address. */
static void sign(struct storage *storage)
{
    uintptr_t mark = (uintptr_t)storage;
    memcpy(storage->address, &mark, sizeof mark);
    memcpy((char *)storage->address + storage->size - sizeof mark, &mark, sizeof mark);
}

static int forged(const struct storage *storage)
{
    uintptr_t mark = (uintptr_t)storage;
    return memcmp(storage->address, &mark, sizeof mark) ||
           memcmp((char *)storage->address + storage->size - sizeof mark, &mark, sizeof mark);
}

static void *work(void *argument)
{
    unsigned seed = (unsigned)(uintptr_t)argument;
    uintptr_t wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct storage *mine, *other;
        uint64_t size = 16 + (uint64_t)rand_r(&seed) % (1ULL << (4 + rand_r(&seed) % 18));
        if (space_alloc(spaces[rand_r(&seed) % 2], size, &mine))
            return (void *)1;
        sign(mine);
        pthread_mutex_lock(&shelf_lock);
        int place = rand_r(&seed) % SHELF;
        other = shelf[place];
        shelf[place] = mine;
        pthread_mutex_unlock(&shelf_lock);
        if (other) {
            wrong += (uintptr_t)forged(other);
            storage_release(other);
        }
        if (round % 500 == 0)
            space_trim();
    }
    return (void *)wrong;
}

int main(void)
{
    uintptr_t wrong = 0;
    pthread_t threads[THREADS];
    struct space_options host = {.kind = MEMORY_PINNED_HOST, .place = {.node = -1}};
    struct space_options hbm = {.capacity = 16ULL << 30, .place = {.node = -1}, .modeled = true};
    if (space_create(&host, &spaces[0]) || space_create(&hbm, &spaces[1]))
        return 2;
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)(i + 1)))
            return 2;
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (uintptr_t)result;
    }
    for (int i = 0; i < SHELF; i++)
        storage_release(shelf[i]);
    for (int i = 0; i < 2; i++) {
        struct space_stats stats;
        space_stats(spaces[i], &stats);
        wrong += stats.live != 0 || stats.count != 0;
        space_release(spaces[i]);
    }
    printf("blocks_tsan: %llu wrong\n", (unsigned long long)wrong);
    return wrong != 0;
}
