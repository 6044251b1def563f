#include <criterion/criterion.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/intern.h"

Test(intern, keeps_equal_bytes_once)
{
    struct arena *arena;
    cr_assert_null(arena_create(&arena));
    int64_t first[] = {3, 5}, same[] = {3, 5}, other[] = {3, 6};
    const void *copy = intern_bytes(arena, first, sizeof first);
    cr_assert_neq(copy, (const void *)first);
    cr_assert_arr_eq(copy, first, sizeof first);
    cr_assert_eq(intern_bytes(arena, same, sizeof same), copy);
    cr_assert_neq(intern_bytes(arena, other, sizeof other), copy);
    cr_assert_neq(intern_bytes(arena, first, sizeof *first), copy);
    size_t used = arena_used(arena);
    for (int i = 0; i < 1000; i++)
        intern_bytes(arena, same, sizeof same);
    cr_assert_eq(arena_used(arena), used);
    arena_destroy(arena);
    cr_assert_eq(alloc_live(), 0);
}
