/* update_kernel_test.c: windows that are stored in place, and what is stored beside them. */
#include "compiler/codegen/codegen_fixture.h"

/* Updates the last `width` columns of part[rows, middle, width] in whole[rows, 6, columns]. */
static void update_columns(int rows, int middle, int columns, int width)
{
    struct arena *arena = fixture_arena();
    const struct type *whole = fixture_type(arena, DTYPE_F32, 3, rows, 6, columns);
    const struct type *part = fixture_type(arena, DTYPE_F32, 3, rows, middle, width),
                      *scalar = type_scalar(arena, DTYPE_S32);
    const struct type *types[] = {whole, part, scalar, scalar, scalar};
    struct fixture *f = fixture_begin(FUSION_UPDATE, 5, types, arena);
    struct value *doubled = fixture_value(f, OP_add, part, fixture_arg(f, 1), fixture_arg(f, 1));
    struct op *op = fixture_op(f, f->block, OP_dynamic_update_slice, whole, 5, fixture_arg(f, 0),
                               doubled, fixture_arg(f, 2), fixture_arg(f, 3), fixture_arg(f, 4));
    fixture_return(f, 1, &op->results[0]);
    int count = rows * 6 * columns;
    float *initial = fixture_floats(f, count, 1),
          *update = fixture_floats(f, rows * middle * width, 2);
    float *expected = fixture_floats(f, count, 1);
    int32_t start[3] = {-3, 3, columns};
    for (int a = 0; a < rows; a++)
        for (int b = 0; b < middle; b++)
            for (int c = 0; c < width; c++)
                expected[(a * 6 + 3 + b) * columns + columns - width + c] =
                    2 * update[(a * middle + b) * width + c];
    fixture_expect_in_place(f, (void *[6]){NULL, update, &start[0], &start[1], &start[2]}, 0, 5,
                            initial, expected, count);
    arena_destroy(arena);
}

Test(update_kernel, dynamic_update_slice)
{
    for (int columns = 1; columns < 70; columns += 11)
        for (int width = 1; width <= columns; width += 5)
            update_columns(4, 2, columns, width);
}

/* Rows of a few elements that do not follow one another in the result. */
Test(update_kernel, dynamic_update_slice_of_short_rows)
{
    for (int columns = 2; columns <= 8; columns++)
        for (int middle = 1; middle <= 3; middle++)
            update_columns(24, middle, columns, columns);
}

/* The tiles of a transpose are stored into the updated columns. */
Test(update_kernel, dynamic_update_slice_of_a_transpose)
{
    enum { ROWS = 21, COLUMNS = 64 };
    for (int width = 1; width <= 40; width += 3) {
        struct arena *arena = fixture_arena();
        const struct type *whole = fixture_type(arena, DTYPE_F32, 2, ROWS, COLUMNS),
                          *from = fixture_type(arena, DTYPE_F32, 2, width, ROWS),
                          *part = fixture_type(arena, DTYPE_F32, 2, ROWS, width),
                          *scalar = type_scalar(arena, DTYPE_S32);
        struct fixture *f = fixture_begin(
            FUSION_UPDATE, 4, (const struct type *[]){whole, from, scalar, scalar}, arena);
        struct op *transpose = fixture_op(f, f->block, OP_transpose, part, 1, fixture_arg(f, 1));
        transpose->attrs.transpose.permutation = fixture_dims(f, 2, 1, 0);
        struct op *op =
            fixture_op(f, f->block, OP_dynamic_update_slice, whole, 4, fixture_arg(f, 0),
                       &transpose->results[0], fixture_arg(f, 2), fixture_arg(f, 3));
        fixture_return(f, 1, &op->results[0]);
        float *initial = fixture_floats(f, ROWS * COLUMNS, 1),
              *update = fixture_floats(f, ROWS * width, 2),
              *expected = fixture_floats(f, ROWS * COLUMNS, 1);
        int32_t start[2] = {0, 9};
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < width; c++)
                expected[r * COLUMNS + 9 + c] = update[c * ROWS + r];
        fixture_expect_in_place(f, (void *[5]){NULL, update, &start[0], &start[1]}, 0, 4, initial,
                                expected, ROWS * COLUMNS);
        arena_destroy(arena);
    }
}

/* Adds rows at repeated and out-of-bounds indices. */
/* Stores 2 * b over a[rows, columns], 2 * a at index k of f32[4, rows, columns], and a < b at k of
 * booleans, all in one loop. */
static void store_beside_windows(int rows, int columns)
{
    struct arena *arena = fixture_arena();
    const struct type *own = fixture_type(arena, DTYPE_F32, 2, rows, columns),
                      *mask = fixture_type(arena, DTYPE_PRED, 2, rows, columns),
                      *window = fixture_type(arena, DTYPE_F32, 3, 1, rows, columns),
                      *mask_window = fixture_type(arena, DTYPE_PRED, 3, 1, rows, columns),
                      *scalar = type_scalar(arena, DTYPE_S32);
    const struct type *types[] = {own,
                                  own,
                                  fixture_type(arena, DTYPE_F32, 3, 4, rows, columns),
                                  fixture_type(arena, DTYPE_PRED, 3, 4, rows, columns),
                                  scalar,
                                  scalar};
    struct fixture *f = fixture_begin(FUSION_UPDATE, 6, types, arena);
    struct value *a = fixture_arg(f, 0), *b = fixture_arg(f, 1), *k = fixture_arg(f, 4),
                 *zero = fixture_arg(f, 5), *sum = fixture_value(f, OP_add, own, b, b);
    struct value *doubled =
        fixture_value(f, OP_reshape, window, fixture_value(f, OP_add, own, a, a), NULL);
    struct op *less = fixture_op(f, f->block, OP_compare, mask, 2, a, b);
    less->attrs.compare.comparison_direction = COMPARE_LT;
    struct value *small = fixture_value(f, OP_reshape, mask_window, &less->results[0], NULL);
    struct op *first = fixture_op(f, f->block, OP_dynamic_update_slice, types[2], 5,
                                  fixture_arg(f, 2), doubled, k, zero, zero);
    struct op *second = fixture_op(f, f->block, OP_dynamic_update_slice, types[3], 5,
                                   fixture_arg(f, 3), small, k, zero, zero);
    fixture_return(f, 3, sum, &first->results[0], &second->results[0]);
    int count = rows * columns;
    float *x = fixture_floats(f, count, 1), *y = fixture_floats(f, count, 2);
    int32_t at = 2, none = 0;
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        float *own_bytes = fixture_memory(f, (size_t)count * 4),
              *kept = fixture_memory(f, (size_t)count * 16);
        unsigned char *flags = fixture_memory(f, (size_t)count * 4);
        memcpy(own_bytes, x, (size_t)count * 4);
        memset(kept, 0, (size_t)count * 16);
        memset(flags, 0, (size_t)count * 4);
        fixture_run(f, tier, tier,
                    (void *[]){own_bytes, y, kept, flags, &at, &none, own_bytes, kept, flags},
                    NULL);
        for (int i = 0; i < count; i++)
            cr_assert(own_bytes[i] == 2 * y[i] && kept[2 * count + i] == 2 * x[i] &&
                          flags[2 * count + i] == (x[i] < y[i]),
                      "%d x %d, tier %d, at %d", rows, columns, tier, i);
        for (int i = 0; i < 4 * count; i++)
            cr_assert(i / count == 2 || (kept[i] == 0 && flags[i] == 0));
    }
    arena_destroy(arena);
}

Test(update_kernel, stores_results_of_its_own_beside_windows)
{
    for (int rows = 1; rows <= 40; rows += 13)
        for (int columns = 1; columns <= 70; columns += columns < 8 ? 1 : 31)
            store_beside_windows(rows, columns);
}
