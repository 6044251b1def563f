#include <criterion/criterion.h>
#include <string.h>

#include "devices/host/copies/strided_copy.h"

enum { CAPACITY = 1 << 17 };

/* Reference: copies element by element. */
static void slow_copy(char *to, const int64_t *to_strides, const char *from,
                      const int64_t *from_strides, int rank, const int64_t *dims, int bytes)
{
    if (!rank) {
        memcpy(to, from, (size_t)bytes);
        return;
    }
    for (int64_t i = 0; i < dims[0]; i++)
        slow_copy(to + i * to_strides[0], to_strides + 1, from + i * from_strides[0],
                  from_strides + 1, rank - 1, dims + 1, bytes);
}

static void compare(enum dtype dtype, int rank, const int64_t *dims, const int64_t *layout,
                    const int64_t *from_layout)
{
    int bytes = dtype_bytes(dtype);
    struct shape to_shape = {.dtype = dtype, .rank = rank, .dims = dims, .minor_to_major = layout},
                 from_shape = to_shape;
    from_shape.minor_to_major = from_layout;
    static char from[CAPACITY], got[CAPACITY], wanted[CAPACITY];
    int64_t to_strides[8], from_strides[8];
    for (int i = 0; i < CAPACITY; i++)
        from[i] = (char)(i * 31 + i / 251);
    memset(got, 0, CAPACITY), memset(wanted, 0, CAPACITY);
    shape_byte_strides(&to_shape, to_strides);
    shape_byte_strides(&from_shape, from_strides);
    strided_copy(&to_shape, got, to_strides, from, from_strides);
    slow_copy(wanted, to_strides, from, from_strides, rank, dims, bytes);
    cr_expect_eq(memcmp(got, wanted, CAPACITY), 0, "rank %d, %d bytes", rank, bytes);
}

Test(strided_copy, all_layouts_of_three_dimensions)
{
    static const int64_t layouts[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int64_t shapes[4][3] = {{3, 5, 7}, {1, 40, 33}, {35, 1, 34}, {2, 0, 3}};
    static const enum dtype types[] = {DTYPE_U8, DTYPE_F16, DTYPE_F32, DTYPE_C64, DTYPE_C128};
    for (int type = 0; type < 5; type++)
        for (int shape = 0; shape < 4; shape++)
            for (int a = 0; a < 6; a++)
                for (int b = 0; b < 6; b++)
                    compare(types[type], 3, shapes[shape], layouts[a], layouts[b]);
}

/* Transposes of several tiles, full and partial, in two and three dimensions. */
Test(strided_copy, transposes_by_tiles)
{
    static const int64_t row_major[] = {2, 1, 0}, layouts[2][3] = {{1, 2, 0}, {0, 2, 1}};
    static const int64_t shapes[3][3] = {{1, 257, 130}, {2, 129, 128}, {127, 3, 129}};
    for (int shape = 0; shape < 3; shape++)
        for (int layout = 0; layout < 2; layout++) {
            compare(DTYPE_U8, 3, shapes[shape], row_major, layouts[layout]);
            compare(DTYPE_U8, 3, shapes[shape], layouts[layout], row_major);
        }
    static const int64_t wide[3] = {1, 65, 129};
    compare(DTYPE_F16, 3, wide, row_major, layouts[0]);
    compare(DTYPE_F32, 3, wide, layouts[0], row_major);
    compare(DTYPE_F64, 3, wide, row_major, layouts[0]);
}

Test(strided_copy, negative_and_zero_strides)
{
    int32_t from[6] = {0, 1, 2, 3, 4, 5}, to[6];
    int64_t dims[2] = {2, 3}, dense[2] = {12, 4}, reversed[2] = {-12, -4}, repeated[2] = {0, 4};
    struct shape shape = {.dtype = DTYPE_S32, .rank = 2, .dims = dims};
    strided_copy(&shape, to, dense, from + 5, reversed);
    cr_expect_eq(memcmp(to, (int32_t[]){5, 4, 3, 2, 1, 0}, sizeof to), 0);
    strided_copy(&shape, to, dense, from, repeated);
    cr_expect_eq(memcmp(to, (int32_t[]){0, 1, 2, 0, 1, 2}, sizeof to), 0);
}

Test(strided_copy, scalars_and_large_arrays)
{
    int64_t one = 41, two = 0;
    strided_copy(&(struct shape){.dtype = DTYPE_S64}, &two, NULL, &one, NULL);
    cr_expect_eq(two, 41);
    static int32_t from[1 << 21], to[1 << 21];
    for (int i = 0; i < 1 << 21; i++)
        from[i] = i;
    strided_copy_dense(to, from, sizeof from);
    cr_expect_eq(memcmp(to, from, sizeof from), 0);
    int64_t dims[2] = {1 << 10, 1 << 11}, dense[2] = {4 << 11, 4}, transposed[2] = {4, 4 << 10};
    strided_copy(&(struct shape){.dtype = DTYPE_S32, .rank = 2, .dims = dims}, to, dense, from,
                 transposed);
    for (int i = 0; i < 1 << 21; i += 977)
        cr_assert_eq(to[i], (i % 2048) * 1024 + i / 2048);
}

Test(strided_copy, small_types_are_normalized)
{
    uint8_t bytes[4] = {0x0F, 0xF7, 0x08, 0x13};
    strided_copy_normalize(DTYPE_S4, bytes, 4);
    cr_expect_eq(memcmp(bytes, (uint8_t[]){0xFF, 0x07, 0xF8, 0x03}, 4), 0);
    strided_copy_normalize(DTYPE_U2, bytes, 4);
    cr_expect_eq(memcmp(bytes, (uint8_t[]){3, 3, 0, 3}, 4), 0);
    strided_copy_normalize(DTYPE_U8, bytes, 4);
    cr_expect_eq(bytes[0], 3);
}
