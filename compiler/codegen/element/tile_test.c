/* tile_test.c: transposes of tiles, of every size of element, for sizes around those of tiles. */
#include "compiler/codegen/codegen_fixture.h"

/* out = transpose(a) + b, which is stored over b: a row that two tiles share is stored once. */
static void transpose_over(enum dtype dtype, int rows, int columns, int tier, int parts)
{
    struct arena *arena = fixture_arena();
    const struct type *in = fixture_type(arena, dtype, 2, columns, rows),
                      *out = fixture_type(arena, dtype, 2, rows, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *[]){in, out}, arena);
    struct op *moved = fixture_op(f, f->block, OP_transpose, out, 1, fixture_arg(f, 0));
    moved->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
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
        int at = i % columns * rows + i / columns;
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
                transpose_over(dtypes[d], shapes[s][0], shapes[s][1], tier, tier);
}
