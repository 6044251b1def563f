#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/storage.h"

static struct space *fresh(void)
{
    struct space *space;
    struct space_options options = {.place = {.node = -1}};
    cr_assert_null(space_create(&options, &space));
    return space;
}

static int64_t live(const struct space *space)
{
    struct space_stats stats;
    space_stats(space, &stats);
    return stats.count;
}

Test(storage, views_keep_their_parent)
{
    struct space *space = fresh();
    struct storage *parent, *view, *inner, *none;
    cr_assert_null(space_alloc(space, 1000, &parent));
    cr_assert_null(storage_view(parent, 100, 900, &view));
    cr_assert_null(storage_view(view, 50, 10, &inner));
    cr_assert_eq(inner->address, (char *)parent->address + 150);
    storage_release(parent);
    storage_release(view);
    cr_assert_eq(live(space), 1);
    memset(inner->address, 1, inner->size);
    struct error *error = storage_view(inner, 5, 6, &none);
    cr_assert_eq(error_code(error), PJRT_Error_Code_OUT_OF_RANGE);
    cr_assert_null(none);
    error_free(error);
    error = storage_view(inner, UINT64_MAX, 2, &none);
    cr_assert_eq(error_code(error), PJRT_Error_Code_OUT_OF_RANGE);
    error_free(error);
    storage_release(inner);
    cr_assert_eq(live(space), 0);
    space_release(space);
}

/* A keep hold, such as that of a copy engine or a collective, does not prevent writing in place. */
Test(storage, readers_block_writing_and_keepers_do_not)
{
    struct space *space = fresh();
    struct storage *storage;
    cr_assert_null(space_alloc(space, 100, &storage));
    struct storage_hold token = storage_initial_hold(storage);
    cr_expect(storage_may_write(&token));
    struct storage_hold keeper = storage_keep(storage);
    cr_expect(storage_may_write(&token));
    cr_expect_not(storage_may_write(&keeper));
    struct storage_hold reader = storage_read(storage), second = storage_read(storage);
    cr_expect_not(storage_may_write(&token));
    storage_drop(&reader), storage_drop(&reader);
    cr_expect_not(storage_may_write(&token));
    storage_drop(&second);
    cr_expect(storage_may_write(&token));
    storage_drop(&token);
    cr_expect_not(storage_may_write(&token));
    cr_expect_eq(live(space), 1);
    storage_drop(&keeper);
    cr_expect_eq(live(space), 0);
    space_release(space);
}

Test(storage, views_read_their_parent)
{
    struct space *space = fresh();
    struct storage *parent, *view, *inner;
    cr_assert_null(space_alloc(space, 100, &parent));
    struct storage_hold token = storage_initial_hold(parent);
    cr_assert_null(storage_view(parent, 10, 90, &view));
    cr_assert_null(storage_view(view, 10, 80, &inner));
    struct storage_hold part = storage_initial_hold(inner);
    cr_expect_not(storage_may_write(&token));
    cr_expect_not(storage_may_write(&part));
    storage_release(view);
    cr_expect_not(storage_may_write(&token));
    storage_drop(&part);
    cr_expect(storage_may_write(&token));
    storage_drop(&token);
    space_release(space);
    cr_assert_eq(storage_keep(NULL).storage, NULL);
}

static void given_back(void *bytes, void *argument)
{
    int *calls = argument;
    memset(bytes, 0, 4);
    ++*calls;
}

Test(storage, borrowed_memory_is_given_back_once)
{
    struct space *space = fresh();
    struct storage *storage, *view;
    char bytes[16];
    int calls = 0;
    cr_assert_null(storage_borrow(space, bytes, sizeof bytes, given_back, &calls, &storage));
    struct storage_hold hold = storage_initial_hold(storage);
    cr_assert_not(storage_may_write(&hold));
    cr_assert_null(storage_view(storage, 8, 8, &view));
    storage_release(storage);
    cr_assert_eq(calls, 0);
    cr_assert_eq(live(space), 0);
    space_release(space);
    storage_release(view);
    cr_assert_eq(calls, 1);
    storage_release(NULL);
    cr_assert_eq(alloc_live(), 0);
}

Test(storage, without_memory_nothing_happens)
{
    struct space *space = fresh();
    struct storage *storage, *view;
    char bytes[16];
    int calls = 0;
    alloc_fail_at(1);
    cr_assert_eq(storage_borrow(space, bytes, 16, given_back, &calls, &storage),
                 error_out_of_memory());
    cr_assert_null(storage);
    cr_assert_eq(calls, 0);
    cr_assert_null(storage_borrow(space, bytes, 16, NULL, NULL, &storage));
    alloc_fail_at(1);
    cr_assert_eq(storage_view(storage, 0, 16, &view), error_out_of_memory());
    cr_assert_null(view);
    storage_release(storage);
    space_release(space);
    cr_assert_eq(alloc_live(), 0);
}

/* Deferred bytes count from the start, and are those that were freed last. */
Test(storage, deferred_bytes_count_at_once_and_come_when_needed)
{
    struct space *space = fresh();
    struct storage *freed, *deferred, *unused, *view;
    struct space_stats stats;
    cr_assert_null(space_alloc(space, 1 << 20, &freed));
    void *const bytes = freed->address;
    cr_assert_null(space_alloc_deferred(space, 1 << 20, 1 << 20, NULL, &deferred));
    cr_assert_null(space_alloc_deferred(space, 1 << 20, 1 << 20, NULL, &unused));
    space_stats(space, &stats);
    cr_expect_eq(stats.live, 3 << 20);
    cr_expect_null(deferred->address);
    storage_release(freed);
    cr_assert_null(storage_provide(deferred));
    cr_expect_eq(deferred->address, bytes);
    cr_assert_null(storage_provide(deferred));
    cr_expect_eq(deferred->address, bytes);
    cr_assert_null(storage_view(unused, 4096, 4096, &view));
    cr_expect(unused->address && (char *)view->address == (char *)unused->address + 4096);
    storage_release(view);
    storage_release(deferred), storage_release(unused);
    cr_expect_eq(live(space), 0);
    space_release(space);
}

Test(storage, there_is_nothing_to_provide_for_reserved_and_borrowed_memory)
{
    struct space *space = fresh();
    struct storage *reserved, *borrowed;
    cr_assert_null(space_reserve(space, 100, NULL, &reserved));
    cr_assert_null(storage_borrow(space, NULL, 0, NULL, NULL, &borrowed));
    cr_expect_null(storage_provide(reserved));
    cr_expect_null(storage_provide(borrowed));
    cr_expect_null(reserved->address);
    cr_expect_null(borrowed->address);
    storage_release(reserved), storage_release(borrowed);
    space_release(space);
}
