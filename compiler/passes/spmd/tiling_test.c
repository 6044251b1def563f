#include "compiler/passes/spmd/tiling.h"

#include <criterion/criterion.h>

#include "base/error.h"

static struct arena *arena;
static const struct device_grid grid = {3, {2, 3, 4}, {12, 4, 1}, 24, NULL};

static void setup(void)
{
    cr_assert_null(arena_create(&arena));
}

static void teardown(void)
{
    arena_destroy(arena);
}

TestSuite(tiling, .init = setup, .fini = teardown);

static struct axis_list list(int count, uint8_t a, uint8_t b)
{
    return (struct axis_list){(uint8_t)count, {a, b}};
}

Test(tiling, sizes_are_products_of_axes)
{
    struct axis_list none = list(0, 0, 0), one = list(1, 1, 0), two = list(2, 2, 0);
    cr_expect_eq(axis_list_size(&grid, &none), 1);
    cr_expect_eq(axis_list_size(&grid, &one), 3);
    cr_expect_eq(axis_list_size(&grid, &two), 8);
    cr_expect_eq(axis_list_set(&two), 5);
}

Test(tiling, common_axes_are_a_prefix)
{
    struct axis_list a = list(2, 2, 0), b = list(2, 2, 1), c = list(1, 0, 0);
    cr_expect_eq(axis_list_common(&a, &b), 1);
    cr_expect_eq(axis_list_common(&a, &c), 0);
    cr_expect_eq(axis_list_common(&a, &a), 2);
}

Test(tiling, shards_are_rounded_up)
{
    struct tiling *tiling = tiling_replicated(arena, 2);
    const struct type *type = type_tensor(arena, DTYPE_F32, 2, (const int64_t[]){13, 5});
    cr_expect(tiling_is_replicated(tiling));
    cr_expect(type_equal(tiling_local_type(arena, &grid, tiling, type), type));
    tiling->dims[0] = list(1, 2, 0);
    const struct type *local = tiling_local_type(arena, &grid, tiling, type);
    cr_expect_eq(local->shape.dims[0], 4);
    cr_expect_eq(local->shape.dims[1], 5);
    cr_expect_eq(tiling_axes(tiling), 4);
}

Test(tiling, copies_are_equal_until_changed)
{
    struct tiling *a = tiling_replicated(arena, 2);
    a->dims[1] = list(1, 1, 0);
    struct tiling *b = tiling_copy(arena, a);
    cr_expect(tiling_equal(a, b));
    b->unreduced = 1;
    cr_expect_not(tiling_equal(a, b));
    b->unreduced = 0, b->dims[0] = list(1, 0, 0);
    cr_expect_not(tiling_equal(a, b));
}
