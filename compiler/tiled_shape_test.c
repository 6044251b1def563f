/* Tests of tiled_shape.h: sizes as the TPU's compiler reports them. */
#include "compiler/tiled_shape.h"

#include <criterion/criterion.h>

static const struct accelerator accelerator = {.sublanes = 8, .lanes = 128},
                                coarse = {.sublanes = 8, .lanes = 128, .coarse_tiles = true};

static uint64_t bytes_of(enum dtype dtype, int rank, const int64_t *dims)
{
    const struct shape shape = {.dtype = dtype, .rank = rank, .dims = dims};
    return tiled_shape_bytes(&accelerator, &shape);
}

#define BYTES(dtype, ...)                                                                          \
    bytes_of(dtype, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)),                     \
             (const int64_t[]){__VA_ARGS__})

Test(tiled_shape, scalars_and_vectors)
{
    cr_expect_eq(bytes_of(DTYPE_F32, 0, NULL), 512);
    cr_expect_eq(BYTES(DTYPE_F32, 1), 512);
    cr_expect_eq(BYTES(DTYPE_F32, 128), 512);
    cr_expect_eq(BYTES(DTYPE_F32, 129), 1024);
    cr_expect_eq(BYTES(DTYPE_F32, 1025), 8192);
    cr_expect_eq(BYTES(DTYPE_BF16, 2048), 4096);
}

Test(tiled_shape, no_padding_where_both_minor_dimensions_fit)
{
    cr_expect_eq(BYTES(DTYPE_F32, 8192, 512), 8192 * 512 * 4);
    cr_expect_eq(BYTES(DTYPE_BF16, 16, 2048, 5632), 16LL * 2048 * 5632 * 2);
}

Test(tiled_shape, the_minor_dimensions_are_those_that_pad_least)
{
    cr_expect_eq(BYTES(DTYPE_BF16, 8, 512, 12, 64), 8 * 512 * 12 * 64 * 2, "512 is minor, not 64");
    cr_expect_eq(BYTES(DTYPE_F32, 16, 112, 112, 64), 16LL * 112 * 128 * 64 * 4);
    cr_expect_eq(BYTES(DTYPE_BF16, 8, 1024, 50257), 8LL * 1024 * 50257 * 2);
}

Test(tiled_shape, few_rows_take_small_tiles)
{
    cr_expect_eq(BYTES(DTYPE_F32, 1, 4096), 4096 * 4);
    cr_expect_eq(BYTES(DTYPE_BF16, 1, 4096), 2 * 4096 * 2, "two rows share a sublane");
    cr_expect_eq(BYTES(DTYPE_F32, 3, 128), 4 * 128 * 4);
}

Test(tiled_shape, of_given_minor_dimensions)
{
    const struct shape shape = {
        .dtype = DTYPE_BF16, .rank = 4, .dims = (const int64_t[]){64, 112, 112, 64}};
    cr_expect_eq(tiled_shape_bytes_in(&accelerator, &shape, 3, 0), 205520896);
    cr_expect_float_eq(tiled_shape_unpadded(&shape), 64.0 * 112 * 112 * 64 * 2, 0.5);
}

Test(tiled_shape, empty_and_huge_shapes)
{
    cr_expect_eq(BYTES(DTYPE_F32, 0, 128), 0);
    cr_expect_eq(BYTES(DTYPE_F32, 0), 0);
    cr_expect_eq(BYTES(DTYPE_F32, INT64_MAX, INT64_MAX), UINT64_MAX);
    cr_expect_eq(BYTES(DTYPE_F32, INT64_MAX), UINT64_MAX);
}

Test(tiled_shape, prints_the_layout)
{
    struct text text = {0};
    const struct shape shape = {
        .dtype = DTYPE_BF16, .rank = 3, .dims = (const int64_t[]){4, 1024, 64}};
    tiled_shape_print(&accelerator, &shape, &text);
    cr_expect_str_eq(text.data, "bf16[4,1024,64]{1,2,0:T(8,128)(2,1)}");
    text_free(&text);
}

/* ---- layouts --------------------------------------------------------------------------------- */
static void expect_layout(const struct accelerator *on, enum tiled_choice choice, enum dtype dtype,
                          int rank, const int64_t *dims, const char *expected)
{
    struct text text = {0};
    struct shape_layout room;
    struct shape shape = {.dtype = dtype, .rank = rank, .dims = dims};
    tiled_shape_choose(on, choice, &shape, &room);
    struct error *error = shape_check(&shape, "the array");
    cr_assert_null(error, "%s: %s", expected, error ? error_message(error, NULL) : "");
    shape_print_layout(&shape, &text);
    cr_expect_str_eq(text.data, expected);
    text_free(&text);
}
#define DIMS(...)                                                                                  \
    (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[])                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define DEFAULT(dtype, dims, expected)                                                             \
    expect_layout(&accelerator, TILED_DEFAULT, dtype, dims, expected)
#define COARSE(dtype, dims, expected) expect_layout(&coarse, TILED_DEFAULT, dtype, dims, expected)
#define FREE(dtype, dims, expected) expect_layout(&accelerator, TILED_FREE, dtype, dims, expected)

/* As the TPU's compiler answers GetDefaultLayout. */
Test(tiled_shape, default_layouts)
{
    expect_layout(&accelerator, TILED_DEFAULT, DTYPE_F32, 0, NULL, "{:T(128)}");
    expect_layout(&accelerator, TILED_DEFAULT, DTYPE_BF16, 0, NULL, "{:T(256)}");
    expect_layout(&accelerator, TILED_DEFAULT, DTYPE_S4, 0, NULL, "{:T(1024)E(4)}");
    DEFAULT(DTYPE_F32, DIMS(5), "{0:T(128)}");
    DEFAULT(DTYPE_F32, DIMS(257), "{0:T(512)}");
    DEFAULT(DTYPE_F64, DIMS(5000), "{0:T(1024)}");
    DEFAULT(DTYPE_BF16, DIMS(5), "{0:T(256)(128)(2,1)}");
    DEFAULT(DTYPE_PRED, DIMS(513), "{0:T(1024)(128)(4,1)}");
    DEFAULT(DTYPE_S2, DIMS(1), "{0:T(2048)(128)(16,1)E(2)}");
    DEFAULT(DTYPE_F32, DIMS(128, 8), "{0,1:T(8,128)}");
    DEFAULT(DTYPE_C64, DIMS(1000, 3), "{0,1:T(4,128)}");
    DEFAULT(DTYPE_F32, DIMS(1, 2048, 8, 64), "{1,3,2,0:T(8,128)}");
    DEFAULT(DTYPE_F32, DIMS(8, 28, 28, 1), "{2,3,1,0:T(1,128)}");
    DEFAULT(DTYPE_BF16, DIMS(8, 28, 28, 1), "{2,0,3,1:T(8,128)(2,1)}");
    DEFAULT(DTYPE_S8, DIMS(3, 3, 64, 64), "{3,2,1,0:T(32,128)(4,1)}");
    DEFAULT(DTYPE_S8, DIMS(16, 128), "{1,0:T(8,128)(4,1)}");
    DEFAULT(DTYPE_F4E2M1FN, DIMS(3, 3, 64, 64), "{3,2,1,0:T(64,128)(8,1)E(4)}");
    DEFAULT(DTYPE_S32, DIMS(128, 4, 2), "{0,2,1:T(2,128)}");
}

Test(tiled_shape, arrays_without_elements_have_no_tiles)
{
    DEFAULT(DTYPE_F32, DIMS(0), "{0}");
    DEFAULT(DTYPE_BF16, DIMS(3, 0, 128), "{2,1,0}");
    struct shape_layout room;
    struct shape shape = {.dtype = DTYPE_F32,
                          .rank = 2,
                          .dims = (const int64_t[]){3, 0},
                          .minor_to_major = (const int64_t[]){0, 1}};
    tiled_shape_tile(&accelerator, &shape, &room);
    cr_expect(!shape.tile_count && shape.minor_to_major);
}

Test(tiled_shape, unpinned_host_memory_has_no_tiles)
{
    struct shape_layout room;
    struct shape shape = {.dtype = DTYPE_F32,
                          .rank = 2,
                          .dims = (const int64_t[]){64, 3},
                          .memory = MEMORY_UNPINNED_HOST};
    tiled_shape_choose(&accelerator, TILED_DEFAULT, &shape, &room);
    cr_expect_eq(shape.tile_count, 0);
    cr_expect_null(shape.minor_to_major);
    shape.minor_to_major = (const int64_t[]){0, 1};
    tiled_shape_tile(&accelerator, &shape, &room);
    cr_expect_eq(shape.tile_count, 0);
}

Test(tiled_shape, default_layouts_of_early_generations)
{
    expect_layout(&coarse, TILED_DEFAULT, DTYPE_F32, 0, NULL, "{:T(256)}");
    COARSE(DTYPE_F32, DIMS(129), "{0:T(256)}");
    COARSE(DTYPE_S8, DIMS(5), "{0:T(1024)(128)(4,1)}");
    COARSE(DTYPE_F32, DIMS(1, 12, 127), "{2,1,0:T(8,128)}");
    COARSE(DTYPE_BF16, DIMS(4, 4, 2), "{1,0,2:T(4,128)(2,1)}");
    COARSE(DTYPE_S8, DIMS(3, 3, 64, 64), "{3,2,1,0:T(8,128)(4,1)}");
}

/* As the TPU's compiler chooses layouts of "auto". */
Test(tiled_shape, free_layouts_have_the_fullest_tiles)
{
    FREE(DTYPE_F32, DIMS(128, 4, 2), "{0,1,2:T(4,128)}");
    FREE(DTYPE_F32, DIMS(8, 28, 28, 1), "{2,0,3,1:T(8,128)}");
    FREE(DTYPE_F32, DIMS(8, 2), "{0,1:T(2,128)}");
    FREE(DTYPE_F32, DIMS(129, 127, 2), "{1,2,0:T(2,128)}");
    FREE(DTYPE_S8, DIMS(64, 64, 3, 12, 4), "{1,0,4,3,2:T(32,128)(4,1)}");
}

Test(tiled_shape, bytes_in_a_given_order)
{
    struct shape_layout room;
    struct shape shape = {.dtype = DTYPE_BF16,
                          .rank = 2,
                          .dims = (const int64_t[]){16, 32016},
                          .minor_to_major = (const int64_t[]){0, 1}};
    cr_expect_eq(tiled_shape_bytes_laid_out(&accelerator, &shape), 16 * 32128 * 2, "no tiles");
    tiled_shape_tile(&accelerator, &shape, &room);
    cr_expect_eq(tiled_shape_bytes_laid_out(&accelerator, &shape), 32016 * 128 * 2);
    cr_expect_eq(shape_padded_bytes(&shape), 32016 * 128 * 2);
}
