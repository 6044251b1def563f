#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

Test(alloc, counts_what_lives)
{
    void *a, *b, *c = NULL;
    cr_assert_null(alloc_bytes(0, &a));
    cr_assert_null(alloc_zeroed(100, &b));
    cr_assert_null(alloc_resize(&c, 10));
    cr_assert_null(alloc_resize(&c, 1000));
    cr_assert_not_null(a);
    cr_assert_eq(alloc_live(), 3);
    for (int i = 0; i < 100; i++)
        cr_assert_eq(((char *)b)[i], 0);
    alloc_free(a);
    alloc_free(b);
    alloc_free(c);
    alloc_free(NULL);
    cr_assert_eq(alloc_live(), 0);
}

Test(alloc, overflow_is_no_memory)
{
    void *p = &p;
    struct error *error = alloc_array(SIZE_MAX / 2, 4, &p);
    cr_assert_eq(error, error_out_of_memory());
    cr_assert_null(p);
    cr_assert_eq(alloc_copy("", SIZE_MAX, &p), error_out_of_memory());
}

Test(alloc, copy_adds_a_nul)
{
    char *copy;
    cr_assert_null(alloc_copy("abcdef", 3, &copy));
    cr_assert_str_eq(copy, "abc");
    alloc_free(copy);
}

Test(alloc, fails_the_nth_once)
{
    void *p, *kept;
    cr_assert_null(alloc_bytes(1, &kept));
    alloc_fail_at(2);
    cr_assert_null(alloc_bytes(1, &p));
    alloc_free(p);
    void *before = kept;
    cr_assert_eq(alloc_resize(&kept, 100), error_out_of_memory());
    cr_assert_eq(kept, before);
    cr_assert_null(alloc_bytes(1, &p));
    alloc_free(p);
    alloc_fail_at(1);
    alloc_fail_at(0);
    cr_assert_null(alloc_bytes(1, &p));
    alloc_free(p);
    alloc_free(kept);
    cr_assert_eq(alloc_live(), 0);
}

Test(alloc, probe)
{
    int64_t live = alloc_live();
    cr_expect_null(alloc_probe(1 << 20));
    cr_expect_eq(alloc_live(), live);
    alloc_fail_at(1);
    struct error *error = alloc_probe(1 << 20);
    alloc_fail_at(0);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
}
