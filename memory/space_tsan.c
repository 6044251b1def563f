/* space_tsan.c: 100,000 random operations on storages from eight threads: allocate (in a space that
 * models its addresses, one with pinned memory and one with host memory, each often full), view,
 * borrow, read, pass on with the write token, label, summarize, trim; then deferred bytes, provided
 * by all threads at once. Run under the thread
 * sanitizer and the address sanitizer. Exit status 0: memory in use never exceeds the capacity, no
 * two live storages overlap, what is in use and what is free add up to the capacity, and at the end
 * every counter is zero. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/blocks.h"
#include "memory/live.h"
#include "memory/storage.h"

enum {
    THREADS = 8,
    SHORT_LIVED = 2000,
    STEPS = 500,
    OPERATIONS = 100000 / THREADS,
    SHELF = 32,
    SPACES = 3,
    STAMPS = 4
};

static struct space *spaces[SPACES];
static pthread_mutex_t shelf_lock = PTHREAD_MUTEX_INITIALIZER;
static struct storage_hold shelf[SHELF]; /* storages with their tokens, from thread to thread */
static _Atomic int objects, borrowed;    /* references of labels; memory lent to the spaces */
static _Atomic int wrong;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            wrong++;                                                                               \
            printf("space_tsan: %s:%d: %s\n", __FILE__, __LINE__, #condition);                     \
        }                                                                                          \
    } while (0)

/* ---- labels ---------------------------------------------------------------------------------- */
static void label_keep(void *object)
{
    (void)object;
    objects++;
}

static void label_let_go(void *object)
{
    (void)object;
    objects--;
}

static void label_show(const void *object, int index, struct text *out)
{
    (void)object;
    text_add(out, "operation %d", index);
}

static struct label label_of(int index)
{
    static const struct label_kind kind = {label_keep, label_let_go, label_show};
    return (struct label){&kind, &objects, index};
}

/* ---- contents ------------------------------------------------------------------------------- */
/* Each storage writes a signature at several offsets, which a second owner of the same memory would
 * overwrite. */
static uint64_t *stamp(const struct storage *storage, int i)
{
    uint64_t step = (storage->size - sizeof(uint64_t)) / (STAMPS - 1);
    return (uint64_t *)(void *)((char *)storage->address + step * (uint64_t)i / 8 * 8);
}

static void sign(const struct storage *storage)
{
    for (int i = 0; i < STAMPS; i++)
        *stamp(storage, i) = (uintptr_t)storage + (uint64_t)i;
}

static bool is_signed(const struct storage *storage)
{
    for (int i = STAMPS; i-- > 0;)
        if (*stamp(storage, i) != (uintptr_t)storage + (uint64_t)i && storage->size >= 256)
            return false;
    return true;
}

/* ---- operations ------------------------------------------------------------------------------ */
/* Exchanges a hold with the one in the shelf's slot. */
static struct storage_hold exchange(unsigned *seed, struct storage_hold hold)
{
    int place = rand_r(seed) % SHELF;
    pthread_mutex_lock(&shelf_lock);
    struct storage_hold other = shelf[place];
    shelf[place] = hold;
    pthread_mutex_unlock(&shelf_lock);
    return other;
}

static void end(struct storage_hold hold)
{
    if (hold.storage)
        CHECK(is_signed(hold.storage));
    storage_drop(&hold);
}

/* Exhausted memory is an error with a list of buffers, and the process continues. */
static void check_full(struct error *error)
{
    CHECK(error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
    CHECK(strstr(error_message(error, NULL), "Largest live buffers:") ||
          strstr(error_message(error, NULL), "free"));
    error_free(error);
}

static void allocate(unsigned *seed)
{
    struct storage *storage;
    struct label label = label_of(rand_r(seed) % 5);
    uint64_t size = 256 + (uint64_t)rand_r(seed) % (1ULL << (9 + rand_r(seed) % 13));
    struct error *error =
        space_alloc_labeled(spaces[rand_r(seed) % SPACES], size, &label, &storage);
    if (error) {
        check_full(error);
        end(exchange(seed, (struct storage_hold){0}));
        return;
    }
    sign(storage);
    end(exchange(seed, storage_initial_hold(storage)));
}

static void view(unsigned *seed)
{
    struct storage_hold token = exchange(seed, (struct storage_hold){0});
    struct storage *part;
    if (!token.storage)
        return;
    if (!storage_view(token.storage, 0, token.storage->size / 2, &part)) {
        struct storage_hold hold = storage_initial_hold(part);
        CHECK(!storage_may_write(&token));
        CHECK(part->address == token.storage->address);
        storage_drop(&hold);
    }
    end(exchange(seed, token));
}

static void given_back(void *address, void *argument)
{
    (void)argument;
    free(address);
    borrowed--;
}

static void borrow(unsigned *seed)
{
    struct storage *storage;
    void *bytes = malloc(512);
    borrowed++;
    if (!bytes ||
        storage_borrow(spaces[rand_r(seed) % SPACES], bytes, 512, given_back, NULL, &storage)) {
        given_back(bytes, NULL);
        return;
    }
    struct storage_hold hold = storage_initial_hold(storage), second = storage_keep(storage);
    storage_drop(&hold);
    storage_drop(&second);
}

/* Reads of another thread continue while the token moves. */
static void label_and_read(unsigned *seed)
{
    struct storage_hold token = exchange(seed, (struct storage_hold){0});
    struct label label = label_of(rand_r(seed) % 5);
    if (!token.storage)
        return;
    struct storage_hold reader = storage_read(token.storage);
    storage_set_label(&token, &label);
    end(exchange(seed, token));
    struct label got = storage_get_label(&reader);
    CHECK(got.kind == label.kind);
    label_release(&got);
    CHECK(is_signed(reader.storage));
    storage_drop(&reader);
}

static void summarize(unsigned *seed)
{
    struct space *space = spaces[rand_r(seed) % SPACES];
    struct live_summary summary;
    struct space_stats stats;
    space_stats(space, &stats);
    CHECK(!stats.limit || stats.live <= stats.limit);
    CHECK(stats.live <= stats.peak);
    CHECK(stats.largest_free <= stats.limit);
    space_live_summary(space, &summary);
    for (int i = 0; i < summary.group_count; i++)
        CHECK(summary.groups[i].text && !strncmp(summary.groups[i].text, "operation ", 10));
    live_summary_free(&summary);
    if (rand_r(seed) % 16 == 0)
        space_trim();
}

static void *work(void *argument)
{
    unsigned seed = (unsigned)(uintptr_t)argument;
    for (int i = 0; i < OPERATIONS; i++)
        switch (rand_r(&seed) % 16) {
        case 0: view(&seed); break;
        case 1: borrow(&seed); break;
        case 2: label_and_read(&seed); break;
        case 3: summarize(&seed); break;
        default: allocate(&seed); break;
        }
    return NULL;
}

/* ---- invariants, while no thread runs -------------------------------------------------------- */
static int by_offset(const void *a, const void *b)
{
    const struct storage *x = *(struct storage *const *)a, *y = *(struct storage *const *)b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Storages of the modeled space do not overlap, and live + free = capacity. */
static void check_ranges(void)
{
    struct storage *found[SHELF];
    struct space_stats stats;
    uint64_t sum = 0;
    size_t count = 0;
    for (int i = 0; i < SHELF; i++)
        if (shelf[i].storage && shelf[i].storage->space == spaces[0])
            found[count++] = shelf[i].storage;
    qsort(found, count, sizeof *found, by_offset);
    for (size_t i = 0; i < count; i++) {
        sum += (found[i]->size + 63) / 64 * 64;
        if (i)
            CHECK(found[i - 1]->offset + found[i - 1]->size <= found[i]->offset);
    }
    space_stats(spaces[0], &stats);
    CHECK(stats.live == sum);
    CHECK(stats.count == (int64_t)count);
    CHECK(stats.live + stats.largest_free <= stats.limit);
}

/* As clients of one process that are created and destroyed by threads of their own. */
static void *come_and_go(void *unused)
{
    static const struct space_options options = {.place = {.node = -1}, .name = "short-lived"};
    for (int i = 0; i < SHORT_LIVED; i++) {
        struct space *space;
        CHECK(!space_create(&options, &space));
        space_release(space);
    }
    return unused;
}

static void run_threads(void *(*body)(void *number))
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, body, (void *)(i + 1)))
            exit(2);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* An execution and clients that ask for the address of its result, at once. */
static struct storage *results[STEPS];

static void *provide(void *unused)
{
    for (int i = 0; i < STEPS; i++) {
        CHECK(!storage_provide(results[i]));
        CHECK(results[i]->address);
        storage_release(results[i]);
    }
    return unused;
}

static void check_deferred(void)
{
    for (int i = 0; i < STEPS; i++) {
        CHECK(!space_alloc_deferred(spaces[2], 4096, 4096, NULL, &results[i]));
        for (int k = 1; k < THREADS; k++)
            storage_retain(results[i]);
    }
    run_threads(provide);
}

static void check_end(void)
{
    for (int i = 0; i < SHELF; i++)
        end(shelf[i]);
    for (int i = 0; i < SPACES; i++) {
        struct space_stats stats;
        struct live_summary summary;
        space_stats(spaces[i], &stats);
        space_live_summary(spaces[i], &summary);
        CHECK(stats.live == 0 && stats.count == 0 && stats.borrowed == 0);
        CHECK(stats.largest_free == stats.limit);
        CHECK(summary.count == 0 && summary.bytes == 0);
        live_summary_free(&summary);
        space_release(spaces[i]);
    }
    CHECK(objects == 0 && borrowed == 0);
    space_trim();
    CHECK(hostmem_mapped() == 0);
}

int main(void)
{
    static const struct space_options options[SPACES] = {
        {.capacity = 8 << 20, .place = {.node = -1}, .modeled = true, .name = "modeled"},
        {.capacity = 4 << 20, .host_limit = 16 << 20, .place = {-1, true}, .name = "pinned"},
        {.host_limit = 16 << 20, .place = {.node = -1}, .name = "host"}};
    for (int i = 0; i < SPACES; i++)
        if (space_create(&options[i], &spaces[i]))
            return 2;
    run_threads(work);
    run_threads(come_and_go);
    check_ranges();
    check_deferred();
    check_end();
    printf("space_tsan: %d wrong\n", wrong);
    return wrong != 0;
}
