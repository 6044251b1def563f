/* scatter_kernel_test.c: scatters in place. */
#include "compiler/codegen/codegen_fixture.h"

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
    fixture_expect_in_place(f, (void *[4]){NULL, index, updates}, 0, 3, initial, expected,
                            TABLE_ROWS * columns);
    arena_destroy(arena);
}

Test(scatter_kernel, rows)
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

Test(scatter_kernel, fetches_updates_ahead_if_only_they_are_large)
{
    cr_expect_gt(fetches(128, SMALL_CACHE), 0);
    cr_expect_eq(fetches(128, 1 << 20), 0, "in the cache");
    cr_expect_eq(fetches(128, SMALL_CACHE / 16), 0, "the table is large, too");
}

/* Updates single elements by two indices. Windows that are partly out of bounds change nothing. */
Test(scatter_kernel, elements_and_windows)
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
        fixture_expect_in_place(f, (void *[4]){NULL, index, values}, 0, 3, initial, expected, 72);
        arena_destroy(arena);
    }
}

/* Indices and updates that are computed for a vector of windows, which are columns of a table, are
 * applied in order. */
Test(scatter_kernel, columns_by_computed_indices)
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
        fixture_expect_in_place(f, (void *[4]){NULL, indices, updates}, 0, 3, initial, expected,
                                ROWS * COLUMNS);
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

Test(scatter_kernel, in_batches)
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
    fixture_expect_in_place(f, (void *[4]){NULL, which, updates}, 0, 3, initial, expected, count);
    cr_expect_eq(work_of(f), BATCHES);
    arena_destroy(arena);
}

/* Columns of a table of few: rows are the inner loop, in chunks, the last of which is shorter. */
Test(scatter_kernel, long_columns)
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
        fixture_expect_in_place(f, (void *[4]){NULL, indices, updates}, 0, 3, initial, expected,
                                count);
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

Test(scatter_kernel, threads_divide_only_updates_of_different_elements)
{
    struct arena *arena = fixture_arena();
    cr_expect_eq(work_of(add_rows(arena, 64, 1 << 20)), 1, "any rows may be the same");
    cr_expect_eq(work_of_columns(8, 8, 1), 8, "each is in a row of its own");
    cr_expect_eq(work_of_columns(8, 4, 0), 1, "windows that move may overlap");
    arena_destroy(arena);
}
