#include "base/shape.h"

#include <criterion/criterion.h>

#include "base/alloc.h"

#define DIMS(...) ((const int64_t[]){__VA_ARGS__})

static struct shape f32(int rank, const int64_t *dims, const int64_t *minor_to_major)
{
    return (struct shape){
        .dtype = DTYPE_F32, .rank = rank, .dims = dims, .minor_to_major = minor_to_major};
}

static void expect_text(const struct shape *shape, const char *expected)
{
    struct text text = {0};
    char *data;
    shape_print(shape, &text);
    cr_assert_null(text_finish(&text, &data, NULL));
    cr_assert_str_eq(data, expected);
    alloc_free(data);
}

Test(shape, sizes)
{
    struct shape scalar = f32(0, NULL, NULL), matrix = f32(2, DIMS(3, 5), NULL);
    struct shape empty = f32(2, DIMS(INT64_MAX, 0), NULL);
    struct shape huge = f32(2, DIMS(INT64_MAX, 2), NULL);
    struct shape dynamic = f32(2, DIMS(SHAPE_DYNAMIC, 2), NULL);
    cr_assert_eq(shape_elements(&scalar), 1);
    cr_assert_eq(shape_bytes(&matrix), 60);
    cr_assert_eq(shape_bytes(&empty), 0);
    cr_assert_eq(shape_elements(&huge), -1);
    cr_assert_eq(shape_bytes(&dynamic), -1);
}

Test(shape, padded_bytes_count_whole_tiles)
{
    struct shape_tile tile = {2, DIMS(8, 128)}, packed = {2, DIMS(2, 1)};
    struct shape shape = f32(3, DIMS(2, 9, 130), NULL);
    shape.tiles = &tile;
    shape.tile_count = 1;
    cr_assert_eq(shape_padded_bytes(&shape), 2 * 16 * 256 * 4);
    shape.minor_to_major = DIMS(0, 1, 2); /* the tile covers dimensions 0 (minor) and 1 */
    cr_assert_eq(shape_padded_bytes(&shape), 130 * 16 * 128 * 4);
    shape.tiles = (struct shape_tile[]){tile, packed};
    shape.tile_count = 2;
    cr_assert_eq(shape_padded_bytes(&shape), 130 * 16 * 128 * 4);
    struct shape vector = f32(1, DIMS(4), NULL);
    vector.tiles = &tile;
    vector.tile_count = 1;
    cr_assert_eq(shape_padded_bytes(&vector), -1, "a tile of more dimensions than the array");
}

Test(shape, row_major_ignores_dimensions_of_one)
{
    struct shape row = f32(3, DIMS(4, 1, 6), DIMS(1, 2, 0));
    struct shape column = f32(2, DIMS(4, 6), DIMS(0, 1));
    cr_assert(shape_is_row_major(&row));
    cr_assert_not(shape_is_row_major(&column));
}

Test(shape, byte_strides_follow_the_layout)
{
    int64_t strides[3];
    struct shape shape = f32(3, DIMS(2, 3, 5), DIMS(1, 0, 2));
    shape_byte_strides(&shape, strides);
    cr_assert_eq(strides[1], 4);
    cr_assert_eq(strides[0], 12);
    cr_assert_eq(strides[2], 24);
}

Test(shape, equality_names_every_field)
{
    struct shape a = f32(2, DIMS(2, 3), NULL), b = f32(2, DIMS(2, 3), DIMS(1, 0));
    cr_assert(shape_equal(&a, &b), "row-major by default and by name");
    b.minor_to_major = DIMS(0, 1);
    cr_assert(shape_same_dims(&a, &b));
    cr_assert_not(shape_equal(&a, &b));
    b = a;
    b.memory = MEMORY_PINNED_HOST;
    cr_assert_not(shape_equal(&a, &b));
    b = a;
    b.dtype = DTYPE_S32;
    cr_assert_not(shape_equal(&a, &b));
}

static void refused(struct shape shape, const char *part)
{
    struct error *error = shape_check(&shape, "argument 3");
    cr_assert_not_null(error, "%s", part);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

Test(shape, check_refuses_what_is_out_of_range)
{
    struct shape good = f32(2, DIMS(2, 3), DIMS(0, 1)), bad = good;
    cr_assert_null(shape_check(&good, "argument 3"));
    bad.dtype = (enum dtype)1000;
    refused(bad, "element type 1000");
    bad = good, bad.rank = 33;
    refused(bad, "rank 33");
    bad = good, bad.rank = -1;
    refused(bad, "rank -1");
    bad = good, bad.dims = DIMS(2, -3);
    refused(bad, "dimension 1 is -3");
    bad = good, bad.dims = DIMS(INT64_MAX, 3);
    refused(bad, "larger than 2^62");
    bad = good, bad.minor_to_major = DIMS(0, 0);
    refused(bad, "permutation");
    bad = good, bad.minor_to_major = DIMS(0, 2);
    refused(bad, "permutation");
    bad = good, bad.memory = (enum memory_kind)7;
    refused(bad, "memory kind 7");
    bad = good, bad.dims = NULL;
    refused(bad, "dims is NULL");
    bad = good, bad.tile_count = 1, bad.tiles = &(struct shape_tile){1, DIMS(0)};
    refused(bad, "tile dimension 0 is 0");
    bad.tiles = &(struct shape_tile){3, DIMS(1, 1, 1)};
    refused(bad, "tile of rank 3");
}

Test(shape, clones_own_their_arrays)
{
    struct shape_tile tile = {2, DIMS(8, 128)};
    struct shape shape = f32(2, DIMS(2, 3), DIMS(0, 1)), copy;
    void *owned;
    shape.tiles = &tile;
    shape.tile_count = 1;
    cr_assert_null(shape_clone(&shape, &copy, &owned));
    cr_assert(shape_equal(&shape, &copy));
    cr_assert_neq(copy.dims, shape.dims);
    cr_assert_neq(copy.tiles[0].dims, tile.dims);
    alloc_free(owned);
    alloc_fail_at(1);
    struct error *error = shape_clone(&shape, &copy, &owned);
    cr_assert_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    error_free(error);
}

Test(shape, prints_as_xla_does)
{
    struct shape_tile tile = {2, DIMS(8, 128)};
    struct shape shape = f32(2, DIMS(2, 3), NULL);
    expect_text(&shape, "f32[2,3]");
    shape.memory = MEMORY_PINNED_HOST;
    shape.minor_to_major = DIMS(0, 1);
    expect_text(&shape, "f32[2,3]{0,1} in pinned_host");
    shape.memory = MEMORY_DEVICE;
    shape.tiles = &tile;
    shape.tile_count = 1;
    expect_text(&shape, "f32[2,3]{0,1:T(8,128)}");
}

Test(shape, tiles_divide_what_the_tiles_before_them_made)
{
    struct shape_tile vector[] = {{1, DIMS(256)}, {1, DIMS(128)}, {2, DIMS(2, 1)}};
    struct shape shape = f32(1, DIMS(300), NULL);
    shape.tiles = vector;
    shape.tile_count = 3;
    cr_assert_null(shape_check(&shape, "argument 3"));
    cr_assert_eq(shape_padded_bytes(&shape), 512 * 4);
    expect_text(&shape, "f32[300]{0:T(256)(128)(2,1)}");
    shape.tiles = vector + 2, shape.tile_count = 1;
    refused(shape, "tile of rank 2; allowed: 1 to 1");
}

Test(shape, a_scalar_is_one_element_of_a_tile)
{
    struct shape_tile tile = {1, DIMS(128)};
    struct shape scalar = f32(0, NULL, NULL);
    scalar.tiles = &tile;
    scalar.tile_count = 1;
    cr_assert_null(shape_check(&scalar, "argument 3"));
    cr_assert_eq(shape_padded_bytes(&scalar), 512);
    expect_text(&scalar, "f32[]{:T(128)}");
}

Test(shape, layouts_with_tiles_pack_small_types)
{
    struct shape_tile tile = {2, DIMS(8, 128)};
    struct shape shape = f32(2, DIMS(2, 3), DIMS(0, 1));
    shape.dtype = DTYPE_S4;
    cr_expect_eq(shape_packed_bits(&shape), 0);
    shape.tiles = &tile, shape.tile_count = 1;
    expect_text(&shape, "s4[2,3]{0,1:T(8,128)E(4)}");
    shape.dtype = DTYPE_PRED;
    cr_expect_eq(shape_packed_bits(&shape), 0);
    shape = shape_without_layout(&shape);
    cr_expect(!shape.minor_to_major && !shape.tile_count && shape.rank == 2);
}
