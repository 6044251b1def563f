#include "base/flat_shape.h"

#include <criterion/criterion.h>

#include "base/alloc.h"

#define DIMS(...) ((const int64_t[]){__VA_ARGS__})

static int write(const struct shape *shape, int64_t *numbers)
{
    int count = flat_shape_write(shape, numbers);
    cr_assert_leq(count, FLAT_SHAPE_MAX);
    return count;
}

static void survives(const struct shape *shape)
{
    int64_t numbers[FLAT_SHAPE_MAX];
    int count = write(shape, numbers);
    struct shape back;
    void *owned;
    cr_assert_null(flat_shape_read(numbers, count, &back, &owned));
    cr_expect(shape_equal(shape, &back));
    cr_expect_eq(!shape->minor_to_major, !back.minor_to_major);
    alloc_free(owned);
}

static const struct shape_tile tiles[] = {{2, DIMS(8, 128)}, {2, DIMS(2, 1)}};

Test(flat_shape, shapes_survive)
{
    survives(&(struct shape){.dtype = DTYPE_F32});
    survives(&(struct shape){
        .dtype = DTYPE_S4, .rank = 2, .dims = DIMS(5, 0), .memory = MEMORY_PINNED_HOST});
    survives(&(struct shape){.dtype = DTYPE_BF16,
                             .rank = 3,
                             .dims = DIMS(2, 3, 4),
                             .minor_to_major = DIMS(0, 2, 1),
                             .tile_count = 2,
                             .tiles = tiles});
}

Test(flat_shape, the_largest_shape_fits)
{
    static int64_t dims[SHAPE_MAX_RANK], order[SHAPE_MAX_RANK];
    const struct shape_tile tile = {SHAPE_MAX_RANK, dims};
    for (int i = 0; i < SHAPE_MAX_RANK; i++)
        dims[i] = 1, order[i] = i;
    survives(&(struct shape){.dtype = DTYPE_F32,
                             .rank = SHAPE_MAX_RANK,
                             .dims = dims,
                             .minor_to_major = order,
                             .tile_count = SHAPE_MAX_TILES,
                             .tiles = (struct shape_tile[]){tile, tile, tile, tile}});
}

Test(flat_shape, counts_have_to_fit)
{
    int64_t numbers[FLAT_SHAPE_MAX + 1] = {0};
    const struct shape shape = {.dtype = DTYPE_F32,
                                .rank = 2,
                                .dims = DIMS(2, 3),
                                .minor_to_major = DIMS(0, 1),
                                .tile_count = 2,
                                .tiles = tiles};
    int count = write(&shape, numbers);
    struct shape back;
    void *owned;
    for (int cut = 0; cut <= count + 1; cut++) {
        struct error *error = flat_shape_read(numbers, cut, &back, &owned);
        cr_expect_eq(error == NULL, cut == count, "%d numbers", cut);
        error_free(error);
        alloc_free(owned);
    }
    for (int i = 0; i < count; i++) {
        int64_t kept = numbers[i];
        for (int k = 0; k < 2; k++) {
            numbers[i] = k ? INT64_MIN : INT64_MAX;
            error_free(flat_shape_read(numbers, count, &back, &owned));
            alloc_free(owned);
        }
        numbers[i] = kept;
    }
    numbers[2] = SHAPE_MAX_RANK + 1;
    struct error *error = flat_shape_read(numbers, count, &back, &owned);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}
