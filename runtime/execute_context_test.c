#include "runtime/execute_context.h"

#include <criterion/criterion.h>

#include "base/alloc.h"

static int deleted;

static void delete_one(void *object)
{
    deleted += *(int *)object;
}

Test(execute_context, holds_objects_by_type_until_the_last_reference)
{
    struct execute_context *context;
    int one = 1, ten = 10, other = 100;
    void *found = &other;
    cr_assert_null(execute_context_create(&context));
    cr_assert(!execute_context_find(context, 7, &found) && !found);
    cr_assert_null(execute_context_add(context, 7, &one, delete_one));
    cr_assert_null(execute_context_add(context, -3, &ten, delete_one));
    cr_assert_null(execute_context_add(context, 8, &other, NULL));
    cr_assert(execute_context_find(context, 7, &found) && found == &one);
    cr_assert(execute_context_find(context, -3, &found) && found == &ten);
    cr_assert(execute_context_find(context, 8, &found) && found == &other);
    cr_assert(!execute_context_find(context, 9, &found) && !found);
    execute_context_retain(context);
    execute_context_release(context);
    cr_assert_eq(deleted, 0);
    execute_context_release(context);
    cr_assert_eq(deleted, 11);
    cr_assert_eq(alloc_live(), 0);
}

Test(execute_context, a_second_object_of_a_type_stays_the_callers)
{
    struct execute_context *context;
    int one = 1, ten = 10;
    void *found;
    cr_assert_null(execute_context_create(&context));
    cr_assert_null(execute_context_add(context, 7, &one, delete_one));
    struct error *error = execute_context_add(context, 7, &ten, delete_one);
    cr_assert_eq(error_code(error), PJRT_Error_Code_ALREADY_EXISTS);
    error_free(error);
    alloc_fail_at(1);
    error = execute_context_add(context, 8, &ten, delete_one);
    alloc_fail_at(0);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
    cr_assert(execute_context_find(context, 7, &found) && found == &one);
    execute_context_release(context);
    cr_assert_eq(deleted, 1);
    cr_assert_eq(alloc_live(), 0);
}

Test(execute_context, none_at_all_is_empty)
{
    void *found = &deleted;
    execute_context_retain(NULL);
    execute_context_release(NULL);
    cr_assert(!execute_context_find(NULL, 1, &found) && !found);
}
