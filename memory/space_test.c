#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/blocks.h"
#include "memory/space.h"
#include "memory/storage.h"

static struct space *fresh(uint64_t capacity, bool modelled)
{
    struct space *space;
    struct space_options options = {.kind = MEMORY_DEVICE,
                                    .capacity = capacity,
                                    .node = -1,
                                    .modelled = modelled,
                                    .name = "TPU_0(device)"};
    cr_assert_null(space_create(&options, &space));
    return space;
}

Test(space, counts)
{
    struct space *space = fresh(0, false);
    struct storage *a, *b;
    struct space_stats stats;
    cr_assert_null(space_alloc(space, 100, &a));
    cr_assert_null(space_alloc(space, 1 << 20, &b));
    cr_assert_eq((uintptr_t)a->address % 64, 0);
    memset(b->address, 1, b->size);
    space_stats(space, &stats);
    cr_assert_eq(stats.live, 128 + (1 << 20));
    cr_assert_eq(stats.count, 2);
    cr_assert_eq(stats.limit, 0);
    cr_assert_eq(stats.largest_free, UINT64_MAX);
    storage_release(b);
    storage_release(a);
    space_stats(space, &stats);
    cr_assert_eq(stats.live, 0);
    cr_assert_eq(stats.count, 0);
    cr_assert_eq(stats.peak, 128 + (1 << 20));
    cr_assert_eq(stats.largest, 1 << 20);
    cr_assert_eq(stats.total, 2);
    space_release(space);
    space_release(NULL);
}

Test(space, capacity_is_a_limit)
{
    for (int modelled = 0; modelled < 2; modelled++) {
        struct space *space = fresh(1 << 20, modelled);
        struct storage *a, *b;
        struct space_stats stats;
        cr_assert_null(space_alloc(space, 700000, &a));
        struct error *error = space_alloc(space, 500000, &b);
        cr_assert_null(b);
        cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        const char *message = error_message(error, NULL);
        cr_assert(strstr(message, "500032") && strstr(message, "700032") &&
                      strstr(message, "1048576") && strstr(message, "TPU_0(device)"),
                  "%s", message);
        error_free(error);
        error = space_alloc(space, UINT64_MAX, &b);
        cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free(error);
        space_stats(space, &stats);
        cr_assert_eq(stats.live, 700032);
        cr_assert_eq(stats.count, 1);
        cr_assert_eq(stats.largest_free, (1 << 20) - 700032);
        storage_release(a);
        cr_assert_null(space_alloc(space, 1 << 20, &b));
        storage_release(b);
        space_release(space);
    }
}

Test(space, fragmentation_counts_where_modelled)
{
    struct space *space = fresh(1 << 20, true);
    struct storage *parts[16], *large;
    struct space_stats stats;
    for (int i = 0; i < 16; i++) {
        cr_assert_null(space_alloc(space, 1 << 16, &parts[i]));
        cr_assert_eq(parts[i]->offset, (uint64_t)i << 16);
    }
    for (int i = 0; i < 16; i += 2)
        storage_release(parts[i]);
    space_stats(space, &stats);
    cr_assert_eq(stats.live, 1 << 19);
    cr_assert_eq(stats.largest_free, 1 << 16);
    struct error *error = space_alloc(space, 1 << 17, &large);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    for (int i = 1; i < 16; i += 2)
        storage_release(parts[i]);
    cr_assert_null(space_alloc(space, 1 << 20, &large));
    storage_release(large);
    space_release(space);
}

Test(space, modelled_needs_a_capacity)
{
    struct space *space;
    struct space_options options = {.modelled = true};
    struct error *error = space_create(&options, &space);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_null(space);
    error_free(error);
}

Test(space, outlived_by_its_storages)
{
    struct space *space = fresh(0, false);
    struct storage *storage;
    cr_assert_null(space_alloc(space, 10, &storage));
    space_release(space);
    cr_assert_str_eq(space_name(storage->space), "TPU_0(device)");
    cr_assert_eq(space_kind(storage->space), MEMORY_DEVICE);
    storage_release(storage);
}

Test(space, survives_each_failing_allocation)
{
    bool done = false;
    for (int n = 1; !done; n++) {
        struct space *space;
        struct storage *storage = NULL;
        struct space_options options = {
            .kind = MEMORY_DEVICE, .capacity = 1 << 24, .node = -1, .modelled = true, .name = "x"};
        alloc_fail_at(n);
        struct error *error = space_create(&options, &space);
        if (!error)
            error = space_alloc(space, 1 << 23, &storage);
        alloc_fail_at(0);
        done = !error;
        if (error)
            cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
        if (error && space) {
            struct space_stats stats;
            space_stats(space, &stats);
            cr_assert_eq(stats.live, 0);
            cr_assert_eq(stats.largest_free, 1 << 24);
        }
        error_free(error);
        storage_release(storage);
        space_release(space);
        space_trim();
        cr_assert_eq(alloc_live(), 0);
    }
}

Test(space, names_of_kinds)
{
    cr_assert_str_eq(space_kind_name(MEMORY_DEVICE), "device");
    cr_assert_str_eq(space_kind_name(MEMORY_PINNED_HOST), "pinned_host");
    cr_assert_str_eq(space_kind_name(MEMORY_UNPINNED_HOST), "unpinned_host");
}

static struct space *on_host(const char *name, uint64_t limit)
{
    struct space *space;
    struct space_options options = {
        .capacity = limit, .node = -1, .name = name, .host_limited = true};
    cr_assert_null(space_create(&options, &space));
    return space;
}

/* The host's memory is one, however many devices use it; who is refused learns who has it. */
Test(space, spaces_share_the_hosts_memory)
{
    struct space *first = on_host("CPU_0(device)", 10 << 20),
                 *second = on_host("CPU_1(device)", 10 << 20);
    struct storage *a, *b, *c;
    struct space_stats stats;
    cr_assert_null(space_alloc(first, 7 << 20, &a));
    struct error *error = space_alloc(second, 4 << 20, &b);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    const char *message = error_message(error, NULL);
    cr_expect(strstr(message, "CPU_0(device) holds 7340032 bytes"), "%s", message);
    cr_expect(strstr(message, "limit 10485760"), "%s", message);
    error_free(error);
    space_stats(second, &stats);
    cr_expect_eq(stats.largest_free, 3 << 20);
    cr_assert_null(space_alloc(second, 3 << 20, &b));
    error = space_alloc(first, 2 << 20, &c);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    cr_expect(strstr(error_message(error, NULL), ", CPU_1(device) 3145728"));
    error_free(error);
    storage_release(a);
    cr_assert_null(space_alloc(second, 6 << 20, &c)); /* cached memory is no one's */
    storage_release(b), storage_release(c);
    space_release(first), space_release(second);
}

static int64_t granted;

static struct error *grant(uint64_t size, int node, struct block *out)
{
    (void)node;
    granted += (int64_t)size;
    *out = (struct block){(void *)0x40, size, &granted};
    return NULL;
}

static void take_back(const struct block *block)
{
    granted -= (int64_t)block->size;
}

/* A device with memory of its own: the addresses are what it says, and the host's limit is not
 * touched. */
Test(space, memory_of_a_device)
{
    static const struct space_backing backing = {grant, take_back};
    struct space *space, *host = on_host("CPU_0(device)", 2 << 20);
    struct storage *storage, *other;
    struct space_options options = {
        .capacity = 1ULL << 40, .node = -1, .name = "X", .backing = &backing};
    cr_assert_null(space_create(&options, &space));
    cr_assert_null(space_alloc(space, 1ULL << 39, &storage));
    cr_expect_eq(storage->address, (void *)0x40);
    cr_expect_eq(granted, 1LL << 39);
    cr_assert_null(space_alloc(host, 1 << 20, &other));
    storage_release(storage), storage_release(other);
    cr_expect_eq(granted, 0);
    space_release(space), space_release(host);
}
