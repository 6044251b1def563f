#include <criterion/criterion.h>
#include <string.h>

#include "memory/prepacked.h"
#include "memory/storage.h"

static const struct hostmem_place anywhere = {.node = -1};

/* Asks once, as an execution does that writes `byte` where the copy is new. Returns the copy's
 * first byte, or -1 where there is none. */
static int ask_sized(struct prepacked_slot *slot, uint64_t key, uint64_t size, char byte)
{
    struct prepacked_request request = {key, size, &anywhere};
    struct prepacked *copy;
    void *bytes;
    enum prepacked_state state = prepacked_find(slot, &request, &copy, &bytes);
    cr_assert_eq(state == PREPACKED_NONE, copy == NULL);
    if (!copy)
        return -1;
    if (state == PREPACKED_NEW) {
        memset(bytes, byte, size);
        prepacked_finish(copy);
    }
    int first = *(const char *)bytes;
    prepacked_release(copy);
    return first;
}

static int ask(struct prepacked_slot *slot, uint64_t key, char byte)
{
    return ask_sized(slot, key, 1000, byte);
}

Test(prepacked, the_second_request_makes_the_copy_and_later_ones_find_it)
{
    struct prepacked_slot slot = {0};
    cr_expect_eq(ask(&slot, 7, 1), -1);
    cr_expect_eq(prepacked_bytes(), 0);
    cr_expect_eq(ask(&slot, 7, 2), 2);
    cr_expect_eq(ask(&slot, 7, 3), 2);
    cr_expect_geq(prepacked_bytes(), 1000);
    prepacked_clear(&slot);
    cr_expect_eq(prepacked_bytes(), 0);
    cr_expect_eq(ask(&slot, 7, 4), -1);
    cr_expect_eq(ask(&slot, 7, 5), 5);
    prepacked_clear(&slot);
}

Test(prepacked, a_copy_in_use_is_not_replaced_in_turn)
{
    struct prepacked_slot slot = {0};
    ask(&slot, 1, 1);
    cr_expect_eq(ask(&slot, 1, 1), 1);
    for (int i = 0; i < 10; i++) {
        cr_expect_eq(ask(&slot, 2, 2), -1);
        cr_expect_eq(ask(&slot, 1, 3), 1);
    }
    cr_expect_eq(ask(&slot, 2, 4), -1);
    cr_expect_eq(ask(&slot, 2, 5), 5, "the first is not asked for any more");
    cr_expect_eq(ask(&slot, 1, 6), -1);
    prepacked_clear(&slot);
    cr_expect_eq(prepacked_bytes(), 0);
}

Test(prepacked, a_copy_that_is_not_finished_is_never_found)
{
    struct prepacked_request request = {1, 64, &anywhere};
    struct prepacked_slot slot = {0};
    struct prepacked *copy, *other;
    void *bytes;
    ask(&slot, 1, 0);
    cr_assert_eq(prepacked_find(&slot, &request, &copy, &bytes), PREPACKED_NEW);
    cr_expect_eq((uintptr_t)bytes % 64, 0);
    cr_expect_eq(prepacked_find(&slot, &request, &other, &bytes), PREPACKED_NONE);
    prepacked_release(copy);
    cr_expect_eq(prepacked_bytes(), 0);
    cr_expect_eq(ask(&slot, 1, 1), -1);
    cr_expect_eq(ask(&slot, 1, 2), 2);
    prepacked_clear(&slot);
}

Test(prepacked, what_is_in_use_outlives_its_slot_and_a_trim)
{
    struct prepacked_request request = {1, 1 << 20, &anywhere};
    struct prepacked_slot slots[2] = {{0}};
    struct prepacked *used;
    char *bytes;
    for (int i = 0; i < 2; i++) {
        ask_sized(&slots[i], 1, 1 << 20, 5);
        ask_sized(&slots[i], 1, 1 << 20, 5);
    }
    cr_assert_eq(prepacked_find(&slots[0], &request, &used, (void **)&bytes), PREPACKED_COMPLETE);
    cr_expect_geq(prepacked_trim(), 2 << 20);
    cr_expect_geq(prepacked_bytes(), 1 << 20);
    cr_expect_lt(prepacked_bytes(), 2 << 20);
    cr_expect_eq(bytes[0] + bytes[(1 << 20) - 1], 10);
    prepacked_release(used);
    cr_expect_eq(prepacked_bytes(), 0);
    cr_expect_eq(prepacked_trim(), 0);
}

Test(prepacked, closed_slots_have_no_copies)
{
    struct prepacked_request request = {1, 100, &anywhere};
    struct prepacked_slot slot = {0};
    struct prepacked *copy;
    void *bytes;
    ask(&slot, 1, 1);
    cr_assert_eq(prepacked_find(&slot, &request, &copy, &bytes), PREPACKED_NEW);
    prepacked_close(&slot);
    memset(bytes, 1, 100);
    prepacked_finish(copy);
    prepacked_release(copy);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(ask(&slot, 1, 1), -1);
    cr_expect_eq(prepacked_bytes(), 0);
}

Test(prepacked, there_is_no_copy_beyond_the_limit)
{
    struct prepacked_slot slot = {0};
    for (int i = 0; i < 3; i++)
        cr_expect_eq(ask_sized(&slot, 1, UINT64_MAX - 10, 1), -1);
    cr_expect_eq(ask(&slot, 2, 1), -1);
    cr_expect_eq(ask(&slot, 2, 1), 1);
    prepacked_clear(&slot);
}

Test(prepacked, storages_have_copies_until_they_end_or_a_client_has_the_address)
{
    struct space_options options = {.place = {.node = -1}};
    struct space *space;
    struct storage *storage, *view;
    cr_assert_null(space_create(&options, &space));
    cr_assert_null(space_alloc(space, 4096, &storage));
    ask(&storage->prepacked, 1, 1);
    cr_expect_eq(ask(&storage->prepacked, 1, 1), 1);
    cr_assert_null(storage_view(storage, 64, 64, &view));
    storage_expose(view);
    cr_expect_eq(prepacked_bytes(), 0);
    cr_expect_eq(ask(&storage->prepacked, 1, 1), -1);
    cr_expect_eq(ask(&storage->prepacked, 1, 1), -1);
    storage_release(view);
    storage_release(storage);
    cr_assert_null(space_alloc(space, 4096, &storage));
    ask(&storage->prepacked, 1, 1);
    cr_expect_eq(ask(&storage->prepacked, 1, 1), 1);
    storage_release(storage);
    cr_expect_eq(prepacked_bytes(), 0);
    space_release(space);
}

Test(prepacked, copies_give_way_to_storages)
{
    enum { SIZE = 8 << 20 };
    struct space_options options = {.place = {.node = -1}, .host_limit = 3 * SIZE};
    struct space *space;
    struct storage *first, *second;
    cr_assert_null(space_create(&options, &space));
    cr_assert_null(space_alloc(space, SIZE, &first));
    ask_sized(&first->prepacked, 1, SIZE, 1);
    cr_expect_eq(ask_sized(&first->prepacked, 1, SIZE, 1), 1);
    cr_assert_null(space_alloc(space, SIZE, &second));
    cr_expect_neq(prepacked_bytes(), 0);
    storage_release(second);
    cr_assert_null(space_alloc(space, 2 * SIZE, &second));
    cr_expect_eq(prepacked_bytes(), 0);
    storage_release(second);
    storage_release(first);
    space_release(space);
}
