/* prepacked_tsan.c: many threads ask for copies of the same contents, while others clear, close and
 * trim; run under the thread sanitizer. Exit status 0: every copy that was found was complete and
 * of the right key, and no bytes are left at the end. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory/prepacked.h"

enum { THREADS = 8, ROUNDS = 20000, SLOTS = 4, KEYS = 3, WORDS = 64 };

static struct prepacked_slot slots[SLOTS + 1]; /* the last one is closed meanwhile */

static uint64_t word(uint64_t slot, uint64_t key)
{
    return slot * 1000 + key;
}

static uintptr_t use(uint64_t slot, uint64_t key)
{
    static const struct hostmem_place anywhere = {.node = -1};
    struct prepacked_request request = {key, WORDS * sizeof(uint64_t), &anywhere};
    struct prepacked *copy;
    uintptr_t wrong = 0;
    uint64_t *words;
    enum prepacked_state state = prepacked_find(&slots[slot], &request, &copy, (void **)&words);
    if (state == PREPACKED_NONE)
        return 0;
    for (int i = 0; i < WORDS && state == PREPACKED_NEW; i++)
        words[i] = word(slot, key);
    if (state == PREPACKED_NEW)
        prepacked_finish(copy);
    for (int i = 0; i < WORDS; i++)
        wrong += words[i] != word(slot, key);
    prepacked_release(copy);
    return wrong;
}

static void *work(void *argument)
{
    unsigned seed = (unsigned)(uintptr_t)argument;
    uintptr_t wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        wrong += use((uint64_t)rand_r(&seed) % (SLOTS + 1), 1 + (uint64_t)rand_r(&seed) % KEYS);
        if (round % 1000 == 0)
            prepacked_trim();
        if (round == ROUNDS / 2)
            prepacked_close(&slots[SLOTS]);
    }
    return (void *)wrong;
}

int main(void)
{
    uintptr_t wrong = 0;
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)(i + 1)))
            return 2;
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (uintptr_t)result;
    }
    for (int i = 0; i <= SLOTS; i++)
        prepacked_clear(&slots[i]);
    wrong += prepacked_bytes() != 0;
    printf("prepacked_tsan: %llu wrong\n", (unsigned long long)wrong);
    return wrong != 0;
}
