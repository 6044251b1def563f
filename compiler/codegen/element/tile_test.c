/* tile_test.c: transposes of tiles, of every size of element, for sizes around those of tiles, also
 * of reversed rows; complex numbers, which are moved as wholes. */
#include "compiler/codegen/codegen_fixture.h"

/* The transpose of argument 0, of type `in`, whose rows are reversed before that if `reverse`. */
static struct op *transposed(struct fixture *f, const struct type *in, const struct type *out,
                             bool reverse)
{
    struct op *op = NULL;
    if (reverse) {
        op = fixture_op(f, f->block, OP_reverse, in, 1, fixture_arg(f, 0));
        op->attrs.dimensions.dimensions = fixture_dims(f, 1, 1);
    }
    op = fixture_op(f, f->block, OP_transpose, out, 1, op ? &op->results[0] : fixture_arg(f, 0));
    op->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
    return op;
}

/* Where element i of a transpose with so many rows and columns comes from. */
static int source_of(int i, int rows, int columns, bool reverse)
{
    int row = i / columns;
    return i % columns * rows + (reverse ? rows - 1 - row : row);
}

/* out = transpose(a) + b, which is stored over b: a row that two tiles share is stored once. */
static void transpose_over(enum dtype dtype, const int *shape, int tier, int parts, bool reverse)
{
    const int rows = shape[0], columns = shape[1];
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, dtype, 2, columns, rows),
                      *out = fixture_type(arena, dtype, 2, rows, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){in, out}, arena);
    struct op *moved = transposed(f, in, out, reverse);
    fixture_return(f, 1, fixture_value(f, OP_add, out, &moved->results[0], fixture_arg(f, 1)));
    int bytes = (int)dtype_bytes(dtype);
    char *a = fixture_memory(f, (size_t)(rows * columns * bytes)),
         *b = fixture_memory(f, (size_t)(rows * columns * bytes));
    for (int i = 0; i < rows * columns; i++) {
        dtype_from_double(dtype, i % 89, a + i * bytes);
        dtype_from_double(dtype, i % 31, b + i * bytes);
    }
    fixture_run(f, tier, parts, (void *[]){a, b, b}, NULL);
    for (int i = 0; i < rows * columns; i++) {
        int at = source_of(i, rows, columns, reverse);
        cr_assert_eq(dtype_to_double(dtype, b + i * bytes), at % 89 + i % 31, "%s %dx%d: %d",
                     dtype_name(dtype), rows, columns, i);
    }
    arena_destroy(arena);
}

Test(tile, every_element_size)
{
    static const enum dtype dtypes[] = {DTYPE_S8, DTYPE_F16, DTYPE_S16, DTYPE_F32, DTYPE_F64};
    static const int shapes[][2] = {{8, 8},   {9, 11},  {16, 16},  {13, 33},   {33, 13},   {17, 70},
                                    {70, 17}, {64, 96}, {99, 101}, {20, 4500}, {300, 1030}};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int tier = 0; tier < 2; tier++)
                for (int reverse = 0; reverse < 2; reverse++)
                    transpose_over(dtypes[d], shapes[s], tier, tier, reverse);
}

/* out = transpose(a): tiles that stay in registers, of elements that are only moved. */
static void transpose_alone(enum dtype dtype, const int *shape, int tier, int parts, bool reverse)
{
    const int rows = shape[0], columns = shape[1];
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, dtype, 2, columns, rows),
                      *out = fixture_type(arena, dtype, 2, rows, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
    fixture_return(f, 1, &transposed(f, in, out, reverse)->results[0]);
    int bytes = (int)dtype_bytes(dtype);
    size_t size = (size_t)(rows * columns * bytes);
    char *a = fixture_memory(f, size), *b = fixture_memory(f, size);
    for (int i = 0; i < rows * columns; i++)
        dtype_from_double(dtype, i % 97, a + i * bytes);
    fixture_run(f, tier, parts, (void *[]){a, b}, NULL);
    fixture_guarded(b, size);
    for (int i = 0; i < rows * columns; i++) {
        int at = source_of(i, rows, columns, reverse);
        cr_assert_eq(memcmp(a + at * bytes, b + i * bytes, (size_t)bytes), 0, "%s %dx%d: %d",
                     dtype_name(dtype), rows, columns, i);
    }
    arena_destroy(arena);
}

Test(tile, copies_of_every_element_size)
{
    static const enum dtype dtypes[] = {DTYPE_S8,  DTYPE_F16, DTYPE_BF16,
                                        DTYPE_S16, DTYPE_F32, DTYPE_F64};
    static const int shapes[][2] = {{8, 8},   {9, 11},  {32, 64},  {13, 200},  {200, 13},  {17, 70},
                                    {70, 17}, {64, 96}, {99, 101}, {20, 4500}, {300, 1030}};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int tier = 0; tier < 2; tier++)
                for (int reverse = 0; reverse < 2; reverse++)
                    transpose_alone(dtypes[d], shapes[s], tier, tier, reverse);
}

/* Element i of an array of complex numbers has the parts i and -i - 1. */
static void check_complex(enum dtype dtype, const void *out, const int *from, int count,
                          const char *what)
{
    for (int i = 0; i < 2 * count; i++) {
        double got = dtype == DTYPE_C64 ? ((const float *)out)[i] : ((const double *)out)[i];
        int want = from[i / 2];
        cr_assert_eq(got, i % 2 ? -want - 1 : want, "%s of %s: part %d of %d", what,
                     dtype_name(dtype), i, 2 * count);
    }
}

static void *complex_numbers(struct fixture *f, enum dtype dtype, int count)
{
    void *numbers = fixture_memory(f, (size_t)(count * dtype_bytes(dtype)));
    for (int i = 0; i < 2 * count; i++) {
        int part = i % 2 ? -(i / 2) - 1 : i / 2;
        if (dtype == DTYPE_C64)
            ((float *)numbers)[i] = (float)part;
        else
            ((double *)numbers)[i] = part;
    }
    return numbers;
}

/* A transpose, or one of the array with its rows and columns reversed. */
static void transpose_complex(enum dtype dtype, bool reversed, int rows, int columns, int tier)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, dtype, 2, columns, rows),
                      *out = fixture_type(arena, dtype, 2, rows, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &in, arena);
    struct op *moved = fixture_op(f, f->block, OP_transpose, out, 1, fixture_arg(f, 0));
    moved->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
    if (reversed) {
        moved = fixture_op(f, f->block, OP_reverse, out, 1, &moved->results[0]);
        moved->attrs.dimensions.dimensions = fixture_dims(f, 2, 0, 1);
    }
    fixture_return(f, 1, &moved->results[0]);
    int count = rows * columns, *from = ARENA_ARRAY(arena, int, (size_t)count);
    for (int i = 0; i < count; i++) {
        int at = reversed ? count - 1 - i : i;
        from[i] = at % columns * rows + at / columns;
    }
    void *result = fixture_memory(f, (size_t)type_bytes(out));
    fixture_run(f, tier, tier, (void *[]){complex_numbers(f, dtype, count), result}, NULL);
    fixture_guarded(result, (size_t)type_bytes(out));
    check_complex(dtype, result, from, count, reversed ? "reversed" : "transposed");
    arena_destroy(arena);
}

Test(tile, complex_numbers)
{
    static const int shapes[][2] = {{1, 9}, {1, 77},  {3, 40},  {40, 3},
                                    {8, 8}, {13, 33}, {70, 17}, {96, 128}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int k = 0; k < 8; k++)
            transpose_complex(k % 2 ? DTYPE_C64 : DTYPE_C128, k / 2 % 2, shapes[s][0], shapes[s][1],
                              k / 4);
}

enum { TABLE = 50 };

/* Reads the elements of a table at `count` indices; those beyond it are clamped. */
static void gather_complex(enum dtype dtype, int count)
{
    struct arena *arena = fixture_arena();
    const struct type *table = fixture_type(arena, dtype, 1, TABLE),
                      *which = fixture_type(arena, DTYPE_S32, 2, count, 1),
                      *result = fixture_type(arena, dtype, 1, count);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){table, which}, arena);
    struct op *op =
        fixture_op(f, f->block, OP_gather, result, 2, fixture_arg(f, 0), fixture_arg(f, 1));
    op->attrs.gather.collapsed_slice_dims = fixture_dims(f, 1, 0);
    op->attrs.gather.start_index_map = fixture_dims(f, 1, 0);
    op->attrs.gather.index_vector_dim = 1;
    op->attrs.gather.slice_sizes = fixture_dims(f, 1, 1);
    fixture_return(f, 1, &op->results[0]);
    int32_t *index = ARENA_ARRAY(arena, int32_t, (size_t)count);
    int *from = ARENA_ARRAY(arena, int, (size_t)count);
    for (int i = 0; i < count; i++) {
        index[i] = i * 29 % (TABLE + 9) - 4;
        from[i] = index[i] < 0 ? 0 : index[i] >= TABLE ? TABLE - 1 : index[i];
    }
    void *out = fixture_memory(f, (size_t)type_bytes(result));
    fixture_run(f, 1, 0, (void *[]){complex_numbers(f, dtype, TABLE), index, out}, NULL);
    fixture_guarded(out, (size_t)type_bytes(result));
    check_complex(dtype, out, from, count, "gathered");
    arena_destroy(arena);
}

/* Vectors of 2 lanes, and of more. */
Test(tile, gathered_complex_numbers)
{
    static const int counts[] = {1, 2, 3, 5, 77};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        gather_complex(DTYPE_C128, counts[i]);
        gather_complex(DTYPE_C64, counts[i]);
    }
}
