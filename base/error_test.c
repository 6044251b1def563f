#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

Test(error, holds_code_message_and_place)
{
    struct error *error = ERROR(INVALID_ARGUMENT, "rank %d exceeds %d", 9, 8);
    size_t size;
    int line;
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_str_eq(error_message(error, &size), "rank 9 exceeds 8");
    cr_assert_eq(size, strlen("rank 9 exceeds 8"));
    cr_assert_not_null(strstr(error_file(error, &line), "error_test.c"));
    cr_assert_gt(line, 0);
    error_free(error);
    cr_assert_eq(alloc_live(), 0);
}

Test(error, null_is_success)
{
    size_t size = 1;
    cr_assert_eq(error_code(NULL), PJRT_Error_Code_OK);
    cr_assert_str_empty(error_message(NULL, &size));
    cr_assert_eq(size, 0);
    cr_assert_null(error_copy(NULL));
    cr_assert_null(error_prefix(NULL, "x"));
    error_free(NULL);
}

Test(error, prefix_and_copy)
{
    struct error *error = error_prefix(ERROR(NOT_FOUND, "no %s", "x"), "in %s %d", "pass", 3);
    struct error *copy = error_copy(error);
    error_free(error);
    cr_assert_str_eq(error_message(copy, NULL), "in pass 3: no x");
    cr_assert_eq(error_code(copy), PJRT_Error_Code_NOT_FOUND);
    error_free(copy);
    cr_assert_eq(alloc_live(), 0);
}

/* Clients decode messages as UTF-8. */
Test(error, messages_are_utf8)
{
    struct error *error = error_prefix(ERROR(INTERNAL, "%s", "name\xAA!"), "%s", "cut \xE2\x82");
    cr_expect_str_eq(error_message(error, NULL), "cut ??: name?!");
    error_free(error);
}

Test(error, join_keeps_the_first)
{
    struct error *first = ERROR(ABORTED, "first");
    cr_assert_eq(error_join(first, ERROR(INTERNAL, "second")), first);
    cr_assert_eq(error_join(NULL, first), first);
    cr_assert_eq(error_join(first, NULL), first);
    cr_assert_null(error_join(NULL, NULL));
    error_free(first);
    cr_assert_eq(alloc_live(), 0);
}

Test(error, without_memory_is_static)
{
    alloc_fail_at(1);
    struct error *error = ERROR(INTERNAL, "lost");
    cr_assert_eq(error, error_out_of_memory());
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    cr_assert_str_eq(error_message(error, NULL), "out of memory");
    cr_assert_eq(error_prefix(error, "x"), error);
    cr_assert_eq(error_copy(error), error);
    error_free(error);
    error_free(error);
    struct error *kept = ERROR(INTERNAL, "kept");
    alloc_fail_at(1);
    kept = error_prefix(kept, "no memory for this");
    cr_assert_str_eq(error_message(kept, NULL), "kept");
    error_free(kept);
    cr_assert_eq(alloc_live(), 0);
}

Test(error, names_of_codes)
{
    cr_assert_str_eq(error_code_name(PJRT_Error_Code_OK), "OK");
    cr_assert_str_eq(error_code_name(PJRT_Error_Code_UNIMPLEMENTED), "UNIMPLEMENTED");
    cr_assert_str_eq(error_code_name(PJRT_Error_Code_UNAUTHENTICATED), "UNAUTHENTICATED");
    cr_assert_str_eq(error_code_name((PJRT_Error_Code)99), "UNKNOWN");
}
