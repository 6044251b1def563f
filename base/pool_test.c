#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"

enum { ITEMS = 100000 };
static unsigned char seen[ITEMS];
static int64_t grain_now;

static void mark(void *context, int64_t begin, int64_t end)
{
    atomic_llong *calls = context;
    if (end - begin > grain_now || begin >= end)
        abort();
    for (int64_t i = begin; i < end; i++)
        seen[i]++;
    atomic_fetch_add(calls, 1);
}

static void check_cover(int64_t count, int64_t grain)
{
    atomic_llong calls = 0;
    memset(seen, 0, sizeof seen);
    grain_now = grain;
    pool_parallel(pool_shared(), count, grain, mark, &calls);
    for (int64_t i = 0; i < ITEMS; i++)
        cr_assert_eq(seen[i], i < count);
    cr_assert_eq(calls, (count + grain - 1) / grain);
}

Test(pool, covers_every_item_once)
{
    static const int64_t counts[] = {0, 1, 2, 3, 17, 1000, ITEMS};
    static const int64_t grains[] = {1, 2, 7, 1000, 99999, 1 << 30};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t g = 0; g < sizeof grains / sizeof *grains; g++)
            check_cover(counts[c], grains[g]);
}

static void count_only(void *context, int64_t begin, int64_t end)
{
    atomic_fetch_add_explicit((atomic_llong *)context, end - begin, memory_order_relaxed);
}

Test(pool, more_grains_than_units)
{
    atomic_llong total = 0;
    pool_parallel(pool_shared(), 5000001, 1, count_only, &total);
    cr_assert_eq(total, 5000001);
    total = 0;
    pool_parallel(pool_shared(), INT64_MAX, INT64_MAX / 3, count_only, &total);
    cr_assert_eq(total, INT64_MAX);
}

static void nest(void *context, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        pool_parallel(pool_shared(), 10, 1, count_only, context);
}

Test(pool, nested_calls_work)
{
    atomic_llong total = 0;
    pool_parallel(pool_shared(), 100, 1, nest, &total);
    cr_assert_eq(total, 1000);
}

struct spread {
    pthread_t caller;
    atomic_int others; /* items of other threads */
};

/* The caller takes no second item before another thread has taken one. */
static void spread(void *context, int64_t begin, int64_t end)
{
    struct spread *spread = context;
    if (!pthread_equal(spread->caller, pthread_self()))
        atomic_fetch_add(&spread->others, (int)(end - begin));
    for (int i = 0; i < 60000 && !atomic_load(&spread->others); i++)
        usleep(1000);
}

Test(pool, uses_other_threads)
{
    setenv("GANTRY_LOG", "", 1);
    if (pool_width(pool_shared()) < 2)
        cr_skip_test("one core: the pool has no other threads");
    struct spread spread_out = {.caller = pthread_self()};
    pool_parallel(pool_shared(), 64, 1, spread, &spread_out);
    cr_assert_gt(atomic_load(&spread_out.others), 0);
}

Test(pool, width_one_is_serial)
{
    setenv("GANTRY_THREADS", "1", 1);
    cr_assert_eq(pool_width(pool_shared()), 1);
    check_cover(1000, 10);
}

Test(pool, pinned_workers)
{
    setenv("GANTRY_PIN", "1", 1);
    for (int i = 0; i < 50; i++) {
        check_cover(ITEMS, 100);
        usleep(500);
    }
}

static void post(void *context)
{
    atomic_fetch_add((atomic_int *)context, 1);
}

static bool wait_for(atomic_int *value, int wanted)
{
    for (int i = 0; i < 60000 && atomic_load(value) != wanted; i++)
        usleep(1000);
    return atomic_load(value) == wanted;
}

Test(pool, tasks_run_once)
{
    atomic_int posted = 0;
    for (int i = 0; i < 200; i++)
        cr_assert_null(pool_submit(pool_shared(), post, &posted));
    cr_assert(wait_for(&posted, 200));
}

/* A forked child has none of our threads: both kinds start again. */
Test(pool, forked_child_goes_on)
{
    atomic_int posted = 0;
    check_cover(ITEMS, 100);
    cr_assert_null(pool_submit(pool_shared(), post, &posted));
    cr_assert(wait_for(&posted, 1));
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        atomic_llong total = 0;
        for (int i = 0; i < 20; i++)
            pool_parallel(pool_shared(), 1000, 1, count_only, &total);
        bool right = total == 20000 && !pool_submit(pool_shared(), post, &posted);
        _exit(right && wait_for(&posted, 2) ? 0 : 1);
    }
    int status = 1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    check_cover(ITEMS, 100);
}

/* The last core is a group of its own, which is ordered first. */
static int last_core_first(int cpu)
{
    return cpu == (int)sysconf(_SC_NPROCESSORS_ONLN) - 1 ? 0 : 1;
}

/* Pinned workers are ordered by group, before and after they start, and still do all the work. */
Test(pool, workers_are_ordered_by_memory_node)
{
    static int before[1024], after[1024];
    setenv("GANTRY_PIN", "1", 1);
    pool_group_cores(pool_shared(), last_core_first);
    int count = pool_pinned_cores(pool_shared(), before, 1024);
    cr_assert_eq(count, pool_width(pool_shared()));
    for (int i = 1; i < count; i++) {
        cr_expect_leq(last_core_first(before[i - 1]), last_core_first(before[i]));
        cr_expect(i == 1 || before[i - 1] < before[i], "equal ones stay in order");
    }
    for (int i = 0; i < 20; i++)
        check_cover(ITEMS, 7);
    if (count > 1) {
        cr_assert_eq(pool_pinned_cores(pool_shared(), after, 1024), count);
        cr_expect_arr_eq(before, after, (size_t)count * sizeof *before);
    }
}

Test(pool, floating_workers_have_no_cores)
{
    int cores[4];
    setenv("GANTRY_PIN", "0", 1);
    cr_expect_eq(pool_pinned_cores(pool_shared(), cores, 4), 0);
}
