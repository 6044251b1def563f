#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "memory/blocks.h"
#include "memory/hostmem.h"

static const struct hostmem_place anywhere = {HOSTMEM_ANYWHERE, false};

Test(blocks, sizes_are_granted_closely)
{
    uint64_t before = 0;
    for (uint64_t size = 1; size < 1ULL << 40; size += 1 + size / 37) {
        uint64_t granted = blocks_granted(size);
        cr_assert_geq(granted, size);
        cr_assert_geq(granted, before);
        cr_assert_eq(granted % BLOCKS_ALIGNMENT, 0);
        cr_assert_eq(blocks_granted(granted), granted);
        cr_assert(granted - size < BLOCKS_ALIGNMENT || granted <= size + size / 8);
        before = granted;
    }
    cr_assert_eq(blocks_granted(1ULL << 46), 1ULL << 46);
}

static void check_use(uint64_t size)
{
    struct block block;
    cr_assert_null(blocks_alloc(size, &anywhere, &block));
    cr_assert_geq(block.size, size);
    cr_assert_eq((uintptr_t)block.bytes % BLOCKS_ALIGNMENT, 0);
    memset(block.bytes, 0x5A, size);
    blocks_free(&block);
}

Test(blocks, every_size_can_be_used)
{
    for (uint64_t size = 0; size < 20 << 20; size += 1 + size / 11)
        check_use(size);
    blocks_trim(0);
    cr_assert_eq(blocks_cached(), 0);
}

Test(blocks, large_ones_are_kept_and_found)
{
    struct block first, second;
    cr_assert_null(blocks_alloc(10 << 20, &anywhere, &first));
    blocks_free(&first);
    cr_assert_geq(blocks_cached(), 10 << 20);
    cr_assert_null(blocks_alloc((10 << 20) - 500, &anywhere, &second));
    cr_assert_eq(second.bytes, first.bytes);
    cr_assert_eq(blocks_cached(), 0);
    blocks_free(&second);
    cr_assert_null(blocks_alloc(4 << 20, &anywhere, &second)); /* too small for the cached block */
    cr_assert_neq(second.bytes, first.bytes);
    blocks_free(&second);
    blocks_trim(0);
    cr_assert_eq(hostmem_mapped(), 0);
    cr_assert_eq(alloc_live(), 0);
}

Test(blocks, oldest_goes_first)
{
    struct block block[4];
    setenv("GANTRY_CACHE_BYTES", "20000000", 1);
    for (int i = 0; i < 4; i++)
        cr_assert_null(blocks_alloc(8 << 20, &anywhere, &block[i]));
    for (int i = 0; i < 4; i++)
        blocks_free(&block[i]);
    cr_assert_leq(blocks_cached(), 20000000);
    struct block again[2];
    cr_assert_null(blocks_alloc(8 << 20, &anywhere, &again[0]));
    cr_assert_null(blocks_alloc(8 << 20, &anywhere, &again[1]));
    cr_assert_eq(again[0].bytes, block[3].bytes);
    cr_assert_eq(again[1].bytes, block[2].bytes);
    blocks_free(&again[0]);
    blocks_free(&again[1]);
    cr_assert_null(blocks_alloc(64 << 20, &anywhere, &block[0])); /* more than the cache may hold */
    blocks_free(&block[0]);
    cr_assert_leq(blocks_cached(), 20000000);
}

/* Memory that requests of other sizes have no use for returns to the system, about as much as they
 * map; memory that is reused stays. */
Test(blocks, unused_memory_makes_way)
{
    enum { COUNT = 100 };
    struct block once, reused, live[COUNT];
    cr_assert_null(blocks_alloc(300 << 20, &anywhere, &once));
    blocks_free(&once);
    for (int i = 0; i < COUNT; i++) {
        cr_assert_null(blocks_alloc(20 << 20, &anywhere, &reused));
        blocks_free(&reused);
        cr_assert_geq(blocks_cached(), i < 10 ? 320 << 20 : 20 << 20);
        cr_assert_null(blocks_alloc(5 << 20, &anywhere, &live[i]));
    }
    cr_expect_lt(blocks_cached(), 30 << 20);
    cr_expect_lt(hostmem_mapped(), (uint64_t)(COUNT * 5 + 30) << 20);
    for (int i = 0; i < COUNT; i++)
        blocks_free(&live[i]);
    blocks_trim(0);
}

Test(blocks, nothing_kept_when_told)
{
    struct block block;
    setenv("GANTRY_CACHE_BYTES", "0", 1);
    cr_assert_null(blocks_alloc(1 << 20, &anywhere, &block));
    blocks_free(&block);
    cr_assert_eq(hostmem_mapped(), 0);
}

/* Slabs fill, become empty and are freed; no block overlaps another. */
Test(blocks, small_ones_fill_slabs)
{
    enum { BLOCKS = 20000 };
    static const uint64_t sizes[] = {64, 100, 4000, 9000, 70000};
    static struct block blocks[BLOCKS];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int count = (int)(200000000 / 64 / sizes[s] < BLOCKS ? 200000000 / 64 / sizes[s] : BLOCKS);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < count; i++) {
                cr_assert_null(blocks_alloc(sizes[s], &anywhere, &blocks[i]));
                memcpy(blocks[i].bytes, &i, sizeof i);
                memcpy((char *)blocks[i].bytes + sizes[s] - sizeof i, &i, sizeof i);
            }
            for (int k = 0; k < count; k++) {
                int i = round == 1 ? count - 1 - k : k;
                cr_assert(!memcmp(blocks[i].bytes, &i, sizeof i));
                cr_assert(!memcmp((char *)blocks[i].bytes + sizes[s] - sizeof i, &i, sizeof i));
                blocks_free(&blocks[i]);
            }
        }
    }
    blocks_trim(0);
    cr_assert_eq(hostmem_mapped(), 0);
    cr_assert_eq(alloc_live(), 0);
}

Test(blocks, absurd_sizes_are_errors)
{
    struct block block;
    static const uint64_t sizes[] = {UINT64_MAX, 1ULL << 47, (1ULL << 46) + 1, 1ULL << 46};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct error *error = blocks_alloc(sizes[i], &anywhere, &block);
        if (!error) { /* the last may succeed if memory is overcommitted without limit */
            blocks_free(&block);
            continue;
        }
        cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_assert_null(block.home);
        blocks_free(&block);
        error_free(error);
    }
}

Test(blocks, survives_each_failing_allocation)
{
    static const uint64_t sizes[] = {64, 70000, 1 << 20, 5 << 20};
    bool done = false;
    for (int n = 1; !done; n++) {
        struct block blocks[4] = {0};
        struct error *error = NULL;
        alloc_fail_at(n);
        for (int i = 0; i < 4 && !error; i++)
            error = blocks_alloc(sizes[i], &anywhere, &blocks[i]);
        alloc_fail_at(0);
        done = !error;
        if (error)
            cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free(error);
        for (int i = 0; i < 4; i++)
            blocks_free(&blocks[i]);
        blocks_trim(0);
    }
}

Test(blocks, forked_child_goes_on)
{
    struct block small, large;
    cr_assert_null(blocks_alloc(100, &anywhere, &small));
    cr_assert_null(blocks_alloc(3 << 20, &anywhere, &large));
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        blocks_free(&small);
        blocks_free(&large);
        check_use(100);
        check_use(3 << 20);
        _exit(0);
    }
    int status = 1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    blocks_free(&small);
    blocks_free(&large);
}

static struct blocks_pool pool_at(int node, bool pinned)
{
    struct blocks_pool pools[256];
    int count = blocks_pools(pools, 256);
    for (int i = 0; i < count && i < 256; i++)
        if (pools[i].place.node == node && pools[i].place.pinned == pinned)
            return pools[i];
    return (struct blocks_pool){0};
}

/* Memory of each placement has its own pool, which is reused for requests to that placement, or to
 * any node of its kind. */
Test(blocks, pools_by_node_and_lock)
{
    static const uint64_t sizes[] = {100, 5 << 20};
    for (int i = 0; i < 2; i++) {
        struct hostmem_place near = {0, false}, pinned = {0, true},
                             all = {HOSTMEM_INTERLEAVED, true};
        struct block first, second, third, other;
        cr_assert_null(blocks_alloc(sizes[i], &near, &first));
        cr_assert_null(blocks_alloc(sizes[i], &pinned, &second));
        cr_assert_null(blocks_alloc(sizes[i], &all, &third));
        uint64_t mapped = pool_at(0, true).mapped;
        cr_expect_geq(mapped, sizes[i]);
        cr_expect_geq(pool_at(0, false).mapped, sizes[i]);
        cr_expect_geq(pool_at(HOSTMEM_INTERLEAVED, true).mapped, sizes[i]);
        void *bytes = second.bytes;
        blocks_free(&second);
        cr_assert_null(blocks_alloc(sizes[i], &near, &other)); /* not from the pinned pool */
        cr_expect_neq(other.bytes, bytes);
        cr_assert_null(blocks_alloc(sizes[i], &pinned, &second));
        cr_expect_eq(second.bytes, bytes);
        cr_expect_eq(pool_at(0, true).mapped, mapped);
        blocks_free(&first), blocks_free(&second), blocks_free(&third), blocks_free(&other);
        blocks_trim(0);
        cr_expect_eq(pool_at(0, true).mapped, 0);
        cr_expect_eq(pool_at(0, true).locked, 0);
        cr_expect_eq(pool_at(0, false).cached, 0);
        cr_expect_eq(hostmem_mapped(), 0);
    }
}

/* A machine may have more nodes than there are pools; further nodes use the pool for any node. */
Test(blocks, nodes_without_a_pool)
{
    struct hostmem_place far = {1000, true};
    struct block block;
    cr_assert_null(blocks_alloc(1 << 20, &far, &block));
    cr_expect_geq(pool_at(HOSTMEM_ANYWHERE, true).mapped, 1 << 20);
    blocks_free(&block);
    blocks_trim(0);
}
