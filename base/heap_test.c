#include <criterion/criterion.h>

#include "base/heap.h"

Test(heap, counts_live_allocations)
{
    void *a = heap_alloc(0), *b = heap_alloc_aligned(65), *c = heap_resize(NULL, 8);
    char *zeroed = heap_alloc_zeroed(64);
    cr_assert(a && b && c && zeroed);
    cr_assert_eq((uintptr_t)b % 64, 0);
    for (int i = 0; i < 64; i++)
        cr_expect_eq(zeroed[i], 0);
    cr_expect_eq(heap_live(), 4);
    c = heap_resize(c, 4096);
    cr_expect_eq(heap_live(), 4);
    heap_free(a), heap_free(b), heap_free(c), heap_free(zeroed), heap_free(NULL);
    cr_expect_eq(heap_live(), 0);
}

Test(heap, injected_failures_leave_memory_unchanged)
{
    char *kept = heap_alloc(1);
    *kept = 7;
    heap_fail_at(1);
    cr_expect_null(heap_resize(kept, 100));
    cr_expect_eq(*kept, 7);
    heap_fail_at(2);
    cr_expect_not(heap_fails());
    cr_expect_null(heap_alloc(1));
    cr_expect_null(heap_alloc_aligned(SIZE_MAX));
    cr_expect_null(heap_alloc_aligned(SIZE_MAX / 2), "rounded up, no object is as large");
    cr_expect_eq(heap_live(), 1);
    heap_free(kept);
}
