/* Tests of tiled_shape.h: sizes as the TPU's compiler reports them. */
#include "compiler/tiled_shape.h"

#include <criterion/criterion.h>

static const struct accelerator accelerator = {.sublanes = 8, .lanes = 128};

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
