#include "devices/host/scratch.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

static void *take(size_t bytes)
{
    void *block;
    cr_assert_null(scratch_acquire(bytes, &block));
    cr_assert_eq((uintptr_t)block % 64, 0);
    memset(block, 1, bytes);
    return block;
}

/* Plans of any size that run one after another share one block. */
Test(scratch, one_thread_needs_one_block)
{
    int64_t before = alloc_live();
    scratch_retain();
    for (size_t bytes = 100; bytes < 2000; bytes += 100) {
        scratch_return(take(bytes));
        scratch_return(take(50));
        cr_expect_eq(alloc_live(), before + 1);
    }
    scratch_release();
    cr_expect_eq(alloc_live(), before);
}

Test(scratch, blocks_at_a_time_are_different)
{
    int64_t before = alloc_live();
    scratch_retain();
    scratch_retain();
    char *small = take(64), *large = take(640);
    cr_expect(small + 64 <= large || large + 640 <= small);
    scratch_return(large);
    scratch_return(small);
    cr_expect_eq(take(64), small, "the smallest that is large enough");
    cr_expect_eq(take(65), large);
    scratch_return(small);
    scratch_return(large);
    scratch_release();
    cr_expect_eq(alloc_live(), before + 2);
    scratch_release();
    cr_expect_eq(alloc_live(), before);
}

Test(scratch, no_memory)
{
    void *block;
    struct error *error = scratch_acquire(SIZE_MAX - 8, &block);
    cr_expect(error && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED && !block);
    error_free(error);
}
