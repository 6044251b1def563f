#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/trace.h"
#include "memory/blocks.h"
#include "memory/space.h"
#include "memory/storage.h"

static struct space *fresh(uint64_t capacity, bool modeled)
{
    struct space *space;
    struct space_options options = {.kind = MEMORY_DEVICE,
                                    .capacity = capacity,
                                    .place = {.node = -1},
                                    .modeled = modeled,
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
    for (int modeled = 0; modeled < 2; modeled++) {
        struct space *space = fresh(1 << 20, modeled);
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

/* Buffers without bytes take no addresses of a modeled memory. */
Test(space, empty_storages_take_no_place)
{
    struct space *space = fresh(4096, true);
    struct storage *empty[3], *all;
    for (int i = 0; i < 3; i++)
        cr_assert_null(space_alloc(space, 0, &empty[i]));
    cr_assert_null(space_alloc(space, 4096, &all));
    for (int i = 0; i < 3; i++)
        storage_release(empty[i]);
    storage_release(all);
    cr_assert_null(space_alloc(space, 4096, &all));
    storage_release(all);
    space_release(space);
}

/* Reserved memory is counted, limited and listed, but has no bytes. */
Test(space, reserved_memory_counts)
{
    for (int modeled = 0; modeled < 2; modeled++) {
        struct space *space = fresh(1 << 20, modeled);
        struct storage *reserved, *none;
        struct space_stats stats;
        cr_assert_null(space_reserve(space, 600000, NULL, &reserved));
        cr_expect_null(reserved->address);
        cr_assert_null(space_count(space, 100, NULL));
        space_stats(space, &stats);
        cr_expect_eq(stats.live, 600000 + 128);
        cr_expect_eq(stats.count, 2);
        struct error *error = space_alloc(space, 500000, &none);
        cr_assert(error);
        cr_expect(strstr(error_message(error, NULL), "1 x 600000 bytes"), "%s",
                  error_message(error, NULL));
        error_free(error);
        error = space_reserve(space, 500000, NULL, &none);
        cr_expect(error && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free(error);
        error = space_count(space, 500000, NULL);
        cr_expect(error && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED);
        error_free(error);
        space_uncount(space, 100);
        storage_release(reserved);
        space_stats(space, &stats);
        cr_expect_eq(stats.live, 0);
        cr_expect_eq(stats.count, 0);
        space_release(space);
    }
}

Test(space, fragmentation_counts_where_modeled)
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

Test(space, modeled_needs_a_capacity)
{
    struct space *space;
    struct space_options options = {.modeled = true};
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
        struct space_options options = {.kind = MEMORY_DEVICE,
                                        .capacity = 1 << 24,
                                        .place = {.node = -1},
                                        .modeled = true,
                                        .name = "x"};
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
        .capacity = limit, .place = {.node = -1}, .name = name, .host_limit = limit};
    cr_assert_null(space_create(&options, &space));
    return space;
}

/* All devices share the host's memory; the message of a refused request names its users. */
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
    cr_expect(strstr(message, "CPU_0(device) holds 7 MiB (7340032 bytes)"), "%s", message);
    cr_expect(strstr(message, "limit 10 MiB (10485760 bytes)"), "%s", message);
    error_free(error);
    space_stats(second, &stats);
    cr_expect_eq(stats.largest_free, 3 << 20);
    cr_assert_null(space_alloc(second, 3 << 20, &b));
    error = space_alloc(first, 2 << 20, &c);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    cr_expect(strstr(error_message(error, NULL), ", CPU_1(device) 3 MiB (3145728 bytes)"));
    error_free(error);
    storage_release(a);
    cr_assert_null(space_alloc(second, 6 << 20, &c)); /* cached memory belongs to no space */
    storage_release(b), storage_release(c);
    space_release(first), space_release(second);
}

static int64_t granted;

static struct error *grant(uint64_t size, const struct hostmem_place *place, struct block *out)
{
    (void)place;
    granted += (int64_t)size;
    *out = (struct block){(void *)0x40, size, &granted};
    return NULL;
}

static void take_back(const struct block *block)
{
    granted -= (int64_t)block->size;
}

/* A device with memory of its own defines the addresses, and does not count against the host's
 * limit. */
Test(space, memory_of_a_device)
{
    static const struct space_backing backing = {grant, take_back};
    struct space *space, *host = on_host("CPU_0(device)", 2 << 20);
    struct storage *storage, *other;
    struct space_options options = {
        .capacity = 1ULL << 40, .place = {.node = -1}, .name = "X", .backing = &backing};
    cr_assert_null(space_create(&options, &space));
    cr_assert_null(space_alloc(space, 1ULL << 39, &storage));
    cr_expect_eq(storage->address, (void *)0x40);
    cr_expect_eq(granted, 1LL << 39);
    cr_assert_null(space_alloc(host, 1 << 20, &other));
    storage_release(storage), storage_release(other);
    cr_expect_eq(granted, 0);
    space_release(space), space_release(host);
}

static int keepers; /* references that labels have to their object */

static void keep(void *object)
{
    (*(int *)object)++;
}

static void let_go(void *object)
{
    (*(int *)object)--;
}

static void print_number(const void *object, int index, struct text *out)
{
    (void)object;
    text_add(out, "step %d (model.py:%d)", index, index);
}

static const struct label_kind numbered = {keep, let_go, print_number};

static struct storage *labeled(struct space *space, uint64_t size, int index)
{
    struct storage *storage;
    struct label label = {&numbered, &keepers, index};
    cr_assert_null(space_alloc_labeled(space, size, &label, &storage));
    return storage;
}

/* The error of an allocation that must not fit; owned. */
static struct error *refused(struct space *space, uint64_t size, int index)
{
    struct storage *storage;
    struct label label = {&numbered, &keepers, index};
    struct error *error = space_alloc_labeled(space, size, &label, &storage);
    cr_assert_not_null(error);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    cr_assert_null(storage);
    return error;
}

static void expect_parts(const struct error *error, int count, const char *const *parts)
{
    const char *at = error_message(error, NULL);
    for (int i = 0; i < count; i++) {
        const char *found = strstr(at, parts[i]);
        cr_expect(found, "'%s' is not in the rest of the message: %s", parts[i], at);
        at = found ? found : at;
    }
}

/* The message lists the largest buffers in order, with equal ones grouped, and the process
 * continues. */
Test(space, full_memory_lists_the_largest_buffers)
{
    static const char *const parts[] = {
        "allocating 500032 bytes in TPU_0(device) for step 99 (model.py:99): ",
        "618560 bytes in use, limit 1 MiB (1048576 bytes), 430016 bytes free.\n",
        "Largest live buffers:\n",
        "  1 x 300032 bytes: step 1 (model.py:1)\n  3 x 100032 bytes: step 2 (model.py:2)\n",
        "  1 x 6400 bytes: step 9 (model.py:9)\n  1 x 1728 bytes: step 27 (model.py:27)\n",
        "  1 x 1472 bytes: step 23 (model.py:23)\n  3 more, of 4032 bytes together\nDo this.",
    };
    struct space *space, *other = fresh(1 << 20, false);
    struct space_options options = {
        .capacity = 1 << 20, .place = {.node = -1}, .name = "TPU_0(device)", .advice = "Do this."};
    struct storage *held[16], *storage;
    int count = 0;
    cr_assert_null(space_create(&options, &space));
    for (int i = 20; i < 28; i++)
        held[count++] = labeled(space, 64 * (uint64_t)i, i);
    for (int i = 0; i < 3; i++)
        held[count++] = labeled(space, 100032, 2);
    held[count++] = labeled(space, 300032, 1);
    held[count++] = labeled(space, 6400, 9);
    held[count++] = labeled(other, 999936, 5); /* in another memory, so it is not listed */
    struct error *error = refused(space, 500032, 99);
    expect_parts(error, sizeof parts / sizeof *parts, parts);
    cr_expect(!strstr(error_message(error, NULL), "step 5 "));
    error_free(error);
    cr_assert_null(space_alloc(space, 430016, &storage));
    storage_release(storage);
    cr_expect_eq(keepers, count);
    while (count)
        storage_release(held[--count]);
    cr_expect_eq(keepers, 0);
    space_release(space), space_release(other);
}

/* The label follows the contents, with the token and through views. */
Test(space, labels_change_with_the_contents)
{
    struct space *space = fresh(1 << 20, false);
    struct storage_hold token = storage_initial_hold(labeled(space, 100, 1));
    struct storage *view;
    struct label second = {&numbered, &keepers, 2}, third = {&numbered, &keepers, 3};
    cr_assert_null(storage_view(token.storage, 0, 10, &view));
    storage_set_label(&token, &second);
    struct storage_hold reader = storage_initial_hold(view);
    storage_set_label(&reader, &third);
    struct label got = storage_get_label(&reader);
    cr_expect_eq(got.index, 2);
    cr_expect_eq(keepers, 2);
    label_release(&got);
    storage_drop(&reader);
    storage_drop(&token);
    cr_expect_eq(keepers, 0);
    space_release(space);
}

static void count_release(void *address, void *argument)
{
    (void)address;
    (*(int *)argument)++;
}

/* Client memory does not count against the capacity, but its sum is reported. */
Test(space, borrowed_memory_is_not_counted)
{
    struct space *space = fresh(4096, false);
    struct storage *borrowed, *view;
    struct space_stats stats;
    static char bytes[1 << 20];
    int releases = 0;
    cr_assert_null(storage_borrow(space, bytes, sizeof bytes, count_release, &releases, &borrowed));
    cr_assert_null(storage_view(borrowed, 0, 10, &view));
    space_stats(space, &stats);
    cr_expect_eq(stats.live, 0);
    cr_expect_eq(stats.borrowed, sizeof bytes);
    cr_expect_eq(stats.largest_free, 4096);
    storage_release(borrowed), storage_release(view);
    space_stats(space, &stats);
    cr_expect_eq(stats.borrowed, 0);
    cr_expect_eq(releases, 1);
    space_release(space);
}

/* Both the host's limit and the memory's own apply, whichever is reached first. */
Test(space, own_limit_and_the_hosts)
{
    struct space_options options = {.capacity = 2 << 20,
                                    .host_limit = 8 << 20,
                                    .place = {.node = -1},
                                    .name = "CPU_0(pinned_host)"};
    struct space *space, *other = on_host("CPU_0(device)", 8 << 20);
    struct storage *a, *b;
    struct space_stats stats;
    cr_assert_null(space_create(&options, &space));
    space_stats(space, &stats);
    cr_expect_eq(stats.limit, 2 << 20);
    struct error *error = refused(space, 3 << 20, 1);
    cr_expect(strstr(error_message(error, NULL), "limit 2 MiB (2097152 bytes)"),
              "the memory's own");
    error_free(error);
    cr_assert_null(space_alloc(other, 7 << 20, &a));
    error = refused(space, 2 << 20, 1);
    cr_expect(strstr(error_message(error, NULL),
                     "7 MiB (7340032 bytes) in use, limit 8 MiB (8388608 bytes)"),
              "the host's: %s", error_message(error, NULL));
    error_free(error);
    space_stats(space, &stats);
    cr_expect_eq(stats.largest_free, 1 << 20);
    cr_assert_null(space_alloc(space, 1 << 20, &b));
    storage_release(a), storage_release(b);
    space_release(space), space_release(other);
}

Test(space, figures_of_the_block_cache)
{
    struct space *space = fresh(0, false);
    struct storage *storage;
    struct space_stats stats;
    cr_assert_null(space_alloc(space, 8 << 20, &storage));
    space_stats(space, &stats);
    cr_expect_geq(stats.pool, 8 << 20);
    cr_expect_eq(stats.cached, 0);
    storage_release(storage);
    space_stats(space, &stats);
    cr_expect_geq(stats.cached, 8 << 20);
    space_trim();
    space_stats(space, &stats);
    cr_expect_eq(stats.cached, 0);
    cr_expect_eq(stats.pool, 0);
    cr_expect_geq(stats.cached_peak, 8 << 20);
    cr_expect_geq(stats.pool_peak, stats.cached_peak);
    cr_expect_geq(stats.cached_limit, stats.cached_peak);
    space_release(space);
}

Test(space, statistics_begin_anew)
{
    struct space *space = fresh(0, false);
    struct storage *a, *b;
    struct space_stats stats;
    cr_assert_null(space_alloc(space, 1 << 20, &a));
    cr_assert_null(space_alloc(space, 100, &b));
    storage_release(a);
    space_clear_stats(space);
    space_stats(space, &stats);
    cr_expect(stats.live == 128 && stats.peak == 128 && stats.count == 1);
    cr_expect(!stats.total && !stats.largest);
    cr_assert_null(space_alloc(space, 1000, &a));
    space_stats(space, &stats);
    cr_expect(stats.peak == stats.live && stats.total == 1 && stats.largest >= 1000);
    storage_release(a);
    storage_release(b);
    space_release(space);
}

Test(space, a_profile_has_what_is_allocated_and_freed)
{
    struct space *space = fresh(1000, false);
    struct storage *storage;
    struct trace *trace;
    cr_assert_null(trace_create(&trace));
    trace_start(trace);
    cr_assert_null(space_alloc(space, 100, &storage));
    cr_assert_null(space_count(space, 64, NULL));
    space_uncount(space, 64);
    storage_release(storage);
    error_free(space_alloc(space, 2000, &storage));
    trace_stop(trace);
    static const int64_t changes[] = {128, 64, -64, -128}, live[] = {128, 192, 128, 0};
    cr_assert_eq(trace_count(trace), 4);
    for (int i = 0; i < 4; i++) {
        const struct trace_memory *memory = &trace_event(trace, (size_t)i)->memory;
        cr_expect_eq(memory->change, changes[i]);
        cr_expect_eq(memory->live, (uint64_t)live[i]);
        cr_expect_eq(memory->limit, 1000);
        cr_expect_str_eq(memory->space, "TPU_0(device)");
        cr_expect_eq(memory->owner, trace_event(trace, (size_t)(3 - i))->memory.owner);
    }
    trace_destroy(trace);
    space_release(space);
}
