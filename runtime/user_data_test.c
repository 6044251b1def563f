/* user_data_test.c */
#include "runtime/user_data.h"

#include <criterion/criterion.h>

#include "base/alloc.h"

static int ended[3];

static void count(void *object)
{
    ended[*(int *)object]++;
}

Test(user_data, is_found_by_key_and_destroyed_once)
{
    static int objects[] = {0, 1, 2};
    static const char keys[2];
    struct user_data all = {0};
    cr_expect_null(user_data_get(&all, &keys[0]));
    user_data_set(&all, &keys[0], &objects[0], count);
    user_data_set(&all, &keys[1], &objects[1], count);
    cr_expect_eq(user_data_get(&all, &keys[0]), &objects[0]);
    cr_expect_eq(user_data_get(&all, &keys[1]), &objects[1]);
    user_data_set(&all, &keys[0], &objects[2], count);
    cr_expect_eq(user_data_get(&all, &keys[0]), &objects[2]);
    cr_expect_eq(ended[0], 1);
    user_data_set(&all, &keys[1], NULL, count);
    cr_expect_null(user_data_get(&all, &keys[1]));
    cr_expect_eq(ended[1], 1);
    user_data_set(&all, &keys[1], NULL, NULL);
    user_data_set(&all, &keys[1], &objects[1], NULL);
    user_data_clear(&all);
    cr_expect_null(user_data_get(&all, &keys[0]));
    cr_expect(ended[0] == 1 && ended[1] == 1 && ended[2] == 1);
    user_data_clear(&all);
}

Test(user_data, without_memory_the_object_is_destroyed_at_once)
{
    static int objects[] = {0, 1};
    static const char key;
    struct user_data all = {0};
    user_data_set(&all, &key, &objects[0], count);
    alloc_fail_at(1);
    user_data_set(&all, &key, &objects[1], count);
    alloc_fail_at(0);
    cr_expect_null(user_data_get(&all, &key));
    cr_expect(ended[0] == 1 && ended[1] == 1);
}
