#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/error_fixture.h"
#include "memory/hostmem.h"
#include "runtime/mapped.h"

enum { SIZE = 1 << 16 };

/* Bytes that are locked or that the system refused to lock. */
static uint64_t asked(void)
{
    struct hostmem_stats stats;
    hostmem_stats(&stats);
    return stats.locked + stats.lock_refused;
}

/* A rejected map leaves no page locked; unmapping a range or destroying the client unlocks its
 * pages. */
Test(mapped, pages_are_locked_while_mapped)
{
    struct hostmem_stats before, after;
    struct mapped mapped;
    char *bytes = aligned_alloc(4096, SIZE);
    mapped_init(&mapped);
    hostmem_stats(&before);
    uint64_t first = asked();
    cr_assert_null(mapped_add(&mapped, bytes, SIZE / 2));
    cr_expect_eq(asked(), first + SIZE / 2);
    expect(mapped_add(&mapped, bytes + 4096, SIZE / 2), PJRT_Error_Code_ALREADY_EXISTS);
    cr_assert_null(mapped_add(&mapped, bytes + SIZE / 2, SIZE / 2));
    cr_expect(mapped_contains(&mapped, bytes + 1, SIZE / 2 - 1));
    cr_expect_not(mapped_contains(&mapped, bytes + 1, SIZE / 2));
    cr_expect_not(mapped_contains(&mapped, bytes + 1, UINT64_MAX));
    cr_expect_not(mapped_contains(&mapped, bytes + SIZE, 0));
    cr_assert_null(mapped_remove(&mapped, bytes));
    cr_expect_not(mapped_contains(&mapped, bytes, 1));
    expect(mapped_remove(&mapped, bytes), PJRT_Error_Code_NOT_FOUND);
    mapped_destroy(&mapped);
    hostmem_stats(&after);
    cr_expect_eq(after.locked, before.locked);
    free(bytes);
}
