/* update_kernel_test.c: in-place updates. The result's buffer holds the operand when the kernel
 * starts. */
#include "compiler/codegen/codegen_fixture.h"

/* Runs both tiers on copies of `initial`; x must become `expected`. */
static void expect(struct fixture *f, void **buffers, int operand, int result, const float *initial,
                   const float *expected, int64_t count)
{
    for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
        float *x = fixture_memory(f, (size_t)count * 4);
        memcpy(x, initial, (size_t)count * 4);
        buffers[operand] = buffers[result] = x;
        fixture_run(f, tier, tier, buffers, NULL);
        fixture_guarded(x, (size_t)count * 4);
        for (int64_t i = 0; i < count; i++)
            cr_assert_float_eq(x[i], expected[i], 1e-5, "tier %d at %d: %g, not %g", tier, (int)i,
                               x[i], expected[i]);
    }
}

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
    expect(f, (void *[6]){NULL, update, &start[0], &start[1], &start[2]}, 0, 5, initial, expected,
           count);
    arena_destroy(arena);
}

Test(emit_update, dynamic_update_slice)
{
    for (int columns = 1; columns < 70; columns += 11)
        for (int width = 1; width <= columns; width += 5)
            update_columns(4, 2, columns, width);
}

/* Rows of a few elements that do not follow one another in the result. */
Test(emit_update, dynamic_update_slice_of_short_rows)
{
    for (int columns = 2; columns <= 8; columns++)
        for (int middle = 1; middle <= 3; middle++)
            update_columns(24, middle, columns, columns);
}

/* The tiles of a transpose are stored into the updated columns. */
Test(emit_update, dynamic_update_slice_of_a_transpose)
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
        expect(f, (void *[5]){NULL, update, &start[0], &start[1]}, 0, 4, initial, expected,
               ROWS * COLUMNS);
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

Test(emit_update, stores_results_of_its_own_beside_windows)
{
    for (int rows = 1; rows <= 40; rows += 13)
        for (int columns = 1; columns <= 70; columns += columns < 8 ? 1 : 31)
            store_beside_windows(rows, columns);
}

enum { TABLE_ROWS = 7, ADDED_ROWS = 30, SMALL_CACHE = 1024 };

/* table[which] += rows */
static struct fixture *add_rows(struct arena *arena, int columns, uint64_t cache)
{
    const struct type *table = fixture_type(arena, DTYPE_F32, 2, TABLE_ROWS, columns);
    const struct type *which = fixture_type(arena, DTYPE_S32, 2, ADDED_ROWS, 1),
                      *rows = fixture_type(arena, DTYPE_F32, 2, ADDED_ROWS, columns);
    struct fixture *f =
        fixture_begin(FUSION_UPDATE, 3, (const struct type *[]){table, which, rows}, arena);
    struct op *op = fixture_op(f, f->block, OP_scatter, table, 3, fixture_arg(f, 0),
                               fixture_arg(f, 1), fixture_arg(f, 2));
    op->attrs.scatter.update_window_dims = fixture_dims(f, 1, 1);
    op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 0);
    op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 1, 0);
    op->attrs.scatter.index_vector_dim = 1;
    fixture_reducer(f, op, OP_add);
    fixture_return(f, 1, &op->results[0]);
    f->target.cache_bytes = cache;
    return f;
}

static void scatter_rows(int columns, uint64_t cache)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = add_rows(arena, columns, cache);
    float *initial = fixture_floats(f, TABLE_ROWS * columns, 1),
          *updates = fixture_floats(f, ADDED_ROWS * columns, 2),
          *expected = fixture_floats(f, TABLE_ROWS * columns, 1);
    int32_t index[ADDED_ROWS];
    for (int i = 0; i < ADDED_ROWS; i++) {
        index[i] = i * 5 % 11 - 2;
        for (int j = 0; j < columns && index[i] >= 0 && index[i] < TABLE_ROWS; j++)
            expected[index[i] * columns + j] += updates[i * columns + j];
    }
    expect(f, (void *[4]){NULL, index, updates}, 0, 3, initial, expected, TABLE_ROWS * columns);
    arena_destroy(arena);
}

Test(emit_update, scatter_rows)
{
    for (int columns = 1; columns < 180; columns += columns < 50 ? 4 : 15) {
        scatter_rows(columns, 1 << 20);
        scatter_rows(columns, SMALL_CACHE);
    }
}

static int fetches(int columns, uint64_t cache)
{
    struct arena *arena = fixture_arena();
    int count = fixture_count_in_ir(add_rows(arena, columns, cache), "call void @llvm.prefetch");
    arena_destroy(arena);
    return count;
}

Test(emit_update, scatter_fetches_updates_ahead_if_only_they_are_large)
{
    cr_expect_gt(fetches(128, SMALL_CACHE), 0);
    cr_expect_eq(fetches(128, 1 << 20), 0, "in the cache");
    cr_expect_eq(fetches(128, SMALL_CACHE / 16), 0, "the table is large, too");
}

/* Updates single elements by two indices. Windows that are partly out of bounds change nothing. */
Test(emit_update, scatter_elements_and_windows)
{
    for (int window = 1; window < 6; window++) {
        struct arena *arena = fixture_arena();
        const struct type *table = fixture_type(arena, DTYPE_F32, 2, 8, 9),
                          *which = fixture_type(arena, DTYPE_S64, 2, 2, 20);
        const struct type *updates = fixture_type(arena, DTYPE_F32, 2, 20, window);
        struct fixture *f =
            fixture_begin(FUSION_UPDATE, 3, (const struct type *[]){table, which, updates}, arena);
        struct op *op = fixture_op(f, f->block, OP_scatter, table, 3, fixture_arg(f, 0),
                                   fixture_arg(f, 1), fixture_arg(f, 2));
        op->attrs.scatter.update_window_dims = fixture_dims(f, 1, 1);
        op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 0);
        op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 2, 1, 0);
        op->attrs.scatter.index_vector_dim = 0;
        fixture_reducer(f, op, OP_maximum);
        fixture_return(f, 1, &op->results[0]);
        float *initial = fixture_floats(f, 72, 1), *values = fixture_floats(f, 20 * window, 2);
        float *expected = fixture_floats(f, 72, 1);
        int64_t index[40];
        for (int i = 0; i < 20; i++) {
            index[i] = i * 3 % 14 - 3;
            index[20 + i] = i * 7 % 10 - 1;
            for (int j = 0; j < window; j++) {
                int64_t row = index[20 + i], column = index[i] + j;
                if (row >= 0 && row < 8 && index[i] >= 0 && index[i] + window <= 9)
                    expected[row * 9 + column] =
                        fmaxf(expected[row * 9 + column], values[i * window + j]);
            }
        }
        expect(f, (void *[4]){NULL, index, values}, 0, 3, initial, expected, 72);
        arena_destroy(arena);
    }
}

/* Indices and updates that are computed for a vector of windows, which are columns of a table, are
 * applied in order. */
Test(emit_update, scatter_columns_by_computed_indices)
{
    enum { ROWS = 3, COLUMNS = 10 };
    for (int count = 8; count < 60; count += 7) {
        struct arena *arena = fixture_arena();
        const struct type *table = fixture_type(arena, DTYPE_F32, 2, ROWS, COLUMNS),
                          *which = fixture_type(arena, DTYPE_S32, 2, count, 1),
                          *columns = fixture_type(arena, DTYPE_F32, 2, ROWS, count);
        struct fixture *f =
            fixture_begin(FUSION_UPDATE, 3, (const struct type *[]){table, which, columns}, arena);
        struct value *index = fixture_arg(f, 1), *update = fixture_arg(f, 2);
        for (int i = 0; i < 3; i++) {
            index = fixture_value(f, OP_add, which, index, fixture_arg(f, 1));
            update = fixture_value(f, OP_add, columns, update, fixture_arg(f, 2));
        }
        struct op *op =
            fixture_op(f, f->block, OP_scatter, table, 3, fixture_arg(f, 0), index, update);
        op->attrs.scatter.update_window_dims = fixture_dims(f, 1, 0);
        op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 1);
        op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 1, 1);
        op->attrs.scatter.index_vector_dim = 1;
        fixture_reducer(f, op, OP_subtract); /* what comes first matters */
        fixture_return(f, 1, &op->results[0]);
        float *initial = fixture_floats(f, ROWS * COLUMNS, 1),
              *updates = fixture_floats(f, ROWS * count, 2),
              *expected = fixture_floats(f, ROWS * COLUMNS, 1);
        int32_t indices[64];
        for (int i = 0; i < count; i++) {
            indices[i] = i * 5 % 4 - 1; /* 4 times: -4, 0, 4, 8 */
            for (int r = 0; r < ROWS && indices[i] >= 0; r++)
                expected[r * COLUMNS + 4 * indices[i]] -= 4 * updates[r * count + i];
        }
        expect(f, (void *[4]){NULL, indices, updates}, 0, 3, initial, expected, ROWS * COLUMNS);
        arena_destroy(arena);
    }
}

/* ---- what threads may divide ----------------------------------------------------------------- */
enum { BATCHES = 3, PLACES = 5, UPDATES = 20, WIDTH = 6 };

/* table[b, which[b, i]] -= rows[b, i] */
static struct fixture *subtract_in_batches(struct arena *arena)
{
    const struct type *table = fixture_type(arena, DTYPE_F32, 3, BATCHES, PLACES, WIDTH),
                      *which = fixture_type(arena, DTYPE_S32, 3, BATCHES, UPDATES, 1),
                      *rows = fixture_type(arena, DTYPE_F32, 3, BATCHES, UPDATES, WIDTH);
    struct fixture *f =
        fixture_begin(FUSION_UPDATE, 3, (const struct type *[]){table, which, rows}, arena);
    struct op *op = fixture_op(f, f->block, OP_scatter, table, 3, fixture_arg(f, 0),
                               fixture_arg(f, 1), fixture_arg(f, 2));
    op->attrs.scatter.update_window_dims = fixture_dims(f, 1, 2);
    op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 1);
    op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 1, 1);
    op->attrs.scatter.input_batching_dims = fixture_dims(f, 1, 0);
    op->attrs.scatter.scatter_indices_batching_dims = fixture_dims(f, 1, 0);
    op->attrs.scatter.index_vector_dim = 2;
    fixture_reducer(f, op, OP_subtract);
    fixture_return(f, 1, &op->results[0]);
    return f;
}

static int64_t work_of(struct fixture *f)
{
    struct fixture_kernel kernel = fixture_compile(f, 1, NULL);
    int64_t work = kernel.work;
    fixture_release(kernel);
    return work;
}

Test(emit_update, scatter_in_batches)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = subtract_in_batches(arena);
    int count = BATCHES * PLACES * WIDTH;
    float *initial = fixture_floats(f, count, 1), *expected = fixture_floats(f, count, 1),
          *updates = fixture_floats(f, BATCHES * UPDATES * WIDTH, 2);
    int32_t which[BATCHES * UPDATES];
    for (int i = 0; i < BATCHES * UPDATES; i++) {
        which[i] = i * 7 % (PLACES + 2) - 1;
        for (int j = 0; j < WIDTH && which[i] >= 0 && which[i] < PLACES; j++)
            expected[(i / UPDATES * PLACES + which[i]) * WIDTH + j] -= updates[i * WIDTH + j];
    }
    expect(f, (void *[4]){NULL, which, updates}, 0, 3, initial, expected, count);
    cr_expect_eq(work_of(f), BATCHES);
    arena_destroy(arena);
}

/* Columns of a table of few: rows are the inner loop, in chunks, the last of which is shorter. */
Test(emit_update, scatter_long_columns)
{
    for (int rows = 15; rows < 400; rows = rows * 2 + 7) {
        struct arena *arena = fixture_arena();
        const struct type *table = fixture_type(arena, DTYPE_F32, 2, rows, PLACES),
                          *which = fixture_type(arena, DTYPE_S32, 2, UPDATES, 1),
                          *columns = fixture_type(arena, DTYPE_F32, 2, rows, UPDATES);
        struct fixture *f =
            fixture_begin(FUSION_UPDATE, 3, (const struct type *[]){table, which, columns}, arena);
        struct op *op = fixture_op(f, f->block, OP_scatter, table, 3, fixture_arg(f, 0),
                                   fixture_arg(f, 1), fixture_arg(f, 2));
        op->attrs.scatter.update_window_dims = fixture_dims(f, 1, 0);
        op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 1);
        op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 1, 1);
        op->attrs.scatter.index_vector_dim = 1;
        fixture_reducer(f, op, OP_subtract); /* what comes first matters */
        fixture_return(f, 1, &op->results[0]);
        int64_t count = (int64_t)rows * PLACES;
        float *initial = fixture_floats(f, count, 1), *expected = fixture_floats(f, count, 1),
              *updates = fixture_floats(f, (int64_t)rows * UPDATES, 2);
        int32_t indices[UPDATES];
        for (int i = 0; i < UPDATES; i++) {
            indices[i] = i * 7 % (PLACES + 2) - 1;
            for (int r = 0; r < rows && indices[i] >= 0 && indices[i] < PLACES; r++)
                expected[r * PLACES + indices[i]] -= updates[r * UPDATES + i];
        }
        expect(f, (void *[4]){NULL, indices, updates}, 0, 3, initial, expected, count);
        cr_expect(rows < 64 || work_of(f) > 1, "threads divide the rows");
        arena_destroy(arena);
    }
}

/* Adds windows[window, i], with `window` elements of a column, at which[i] of table[rows, 10]. */
static int64_t work_of_columns(int rows, int window, int moved_dim)
{
    struct arena *arena = fixture_arena();
    const struct type *table = fixture_type(arena, DTYPE_F32, 2, rows, 10),
                      *which = fixture_type(arena, DTYPE_S32, 2, UPDATES, 1),
                      *windows = fixture_type(arena, DTYPE_F32, 2, window, UPDATES);
    struct fixture *f =
        fixture_begin(FUSION_UPDATE, 3, (const struct type *[]){table, which, windows}, arena);
    struct op *op = fixture_op(f, f->block, OP_scatter, table, 3, fixture_arg(f, 0),
                               fixture_arg(f, 1), fixture_arg(f, 2));
    op->attrs.scatter.update_window_dims = fixture_dims(f, 1, 0);
    op->attrs.scatter.inserted_window_dims = fixture_dims(f, 1, 1);
    op->attrs.scatter.scatter_dims_to_operand_dims = fixture_dims(f, 1, moved_dim);
    op->attrs.scatter.index_vector_dim = 1;
    fixture_reducer(f, op, OP_add);
    fixture_return(f, 1, &op->results[0]);
    int64_t work = work_of(f);
    arena_destroy(arena);
    return work;
}

Test(emit_update, threads_divide_only_updates_of_different_elements)
{
    struct arena *arena = fixture_arena();
    cr_expect_eq(work_of(add_rows(arena, 64, 1 << 20)), 1, "any rows may be the same");
    cr_expect_eq(work_of_columns(8, 8, 1), 8, "each is in a row of its own");
    cr_expect_eq(work_of_columns(8, 4, 0), 1, "windows that move may overlap");
    arena_destroy(arena);
}
