/* reduction_test.c: bounds of the error of sums by their lengths. Equal values are the worst case:
 * all rounding errors have the same sign. */
#include "compiler/codegen/codegen_fixture.h"

enum { SHORT_ROWS = 5 };

/* The relative error of the sum of `size` values 0.1f, with operations that keep each term if
 * `heavy` is set: longer expressions have other sets of accumulators. */
static double error_of(int64_t size, bool heavy, float *sum)
{
    struct arena *arena = fixture_arena();
    const struct type *type = type_tensor(arena, DTYPE_F32, 1, &size);
    const struct type *scalar = type_scalar(arena, DTYPE_F32);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *terms = fixture_arg(f, 0);
    for (int i = 0; heavy && i < 12; i++) /* exact: |-|-x|| ... */
        terms = fixture_value(f, i % 2 ? OP_abs : OP_negate, type, terms, NULL);
    struct value *zero = fixture_constant(f, scalar, 0);
    fixture_return(f, 1, fixture_reduce(f, terms, zero, OP_add, scalar, fixture_dims(f, 1, 0)));
    float *values = malloc((size_t)size * sizeof *values);
    for (int64_t i = 0; i < size; i++)
        values[i] = 0.1f;
    fixture_run(f, 1, 0, (void *const[]){values, sum}, NULL);
    free(values);
    arena_destroy(arena);
    double exact = (double)size * (double)0.1f;
    return fabs((double)*sum - exact) / exact;
}

/* Narrow vectors need more blocks for the same length: 1000 terms are 4 blocks of 8 lanes with an
 * error of 4e-7, and 8 blocks of 4 lanes with 6e-7. */
Test(reduction, the_error_of_a_sum_is_bounded_at_every_length)
{
    static const struct {
        int64_t size;
        double bound;
    } rows[] = {{1, 0},         {100, 3e-7},     {1000, 1e-6},      {4096, 2e-6},  {2064, 2e-6},
                {4128, 2e-6},   {10000, 1e-6},   {12345, 1e-6},     {50000, 1e-6}, {250000, 1e-6},
                {262143, 1e-6}, {1000000, 1e-6}, {10000019, 1.5e-6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float sum, again;
        double error = error_of(rows[i].size, false, &sum);
        cr_expect_leq(error, rows[i].bound, "%lld terms: %g", (long long)rows[i].size, error);
        error_of(rows[i].size, true, &again);
        cr_expect_eq(sum, again, "%lld terms: the order depends on the terms",
                     (long long)rows[i].size);
    }
}

/* The sums of rows of `size` values that are not equal; `heavy` as above. */
static void sums_of(int size, bool heavy, int tier, float *sums)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, SHORT_ROWS, size);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *terms = fixture_arg(f, 0), *zero;
    for (int i = 0; heavy && i < 12; i++)
        terms = fixture_value(f, OP_negate, type, terms, NULL);
    zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    const struct type *result = fixture_type(arena, DTYPE_F32, 1, SHORT_ROWS);
    fixture_return(f, 1, fixture_reduce(f, terms, zero, OP_add, result, fixture_dims(f, 1, 1)));
    float *values = fixture_floats(f, (int64_t)SHORT_ROWS * size, 3);
    fixture_run(f, tier, 0, (void *const[]){values, sums}, NULL);
    for (int i = 0; i < SHORT_ROWS; i++) {
        double exact = 0;
        for (int k = 0; k < size; k++)
            exact += (double)values[i * size + k];
        cr_expect_float_eq(sums[i], exact, 1e-5, "%d of %d: %g, not %g", i, size, sums[i], exact);
    }
    arena_destroy(arena);
}

/* Rows that are no multiple of a vector. */
Test(reduction, sums_of_short_rows_have_the_same_order_whatever_the_terms_take)
{
    for (int size = 4; size < 80; size++)
        for (int tier = 1; tier < CODEGEN_TIERS; tier++) {
            float light[SHORT_ROWS], heavy[SHORT_ROWS];
            sums_of(size, false, tier, light);
            sums_of(size, true, tier, heavy);
            for (int i = 0; i < SHORT_ROWS; i++)
                cr_expect_eq(light[i], heavy[i], "%d terms: %.9g, %.9g", size, light[i], heavy[i]);
        }
}

/* The relative error of sums of `rows` x `columns` values 0.1f over the rows. */
static double error_over_rows(int64_t rows, int64_t columns)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, columns);
    const struct type *row = type_tensor(arena, DTYPE_F32, 1, &columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    struct dims dims = fixture_dims(f, 1, 0);
    fixture_return(f, 1, fixture_reduce(f, fixture_arg(f, 0), zero, OP_add, row, dims));
    float *values = malloc((size_t)(rows * columns) * sizeof *values);
    float *sums = malloc((size_t)columns * sizeof *sums);
    for (int64_t i = 0; i < rows * columns; i++)
        values[i] = 0.1f;
    fixture_run(f, 1, 0, (void *const[]){values, sums}, NULL);
    double exact = (double)rows * (double)0.1f, error = 0;
    for (int64_t i = 0; i < columns; i++)
        error = fmax(error, fabs((double)sums[i] - exact) / exact);
    free(values);
    free(sums);
    arena_destroy(arena);
    return error;
}

Test(reduction, the_error_of_a_sum_over_an_outer_dimension_is_bounded_at_every_length)
{
    static const int64_t shapes[][2] = {{1, 7},     {64, 40},    {65, 40},    {1000, 33},
                                        {1024, 40}, {50000, 37}, {262143, 3}, {1000003, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        double error = error_over_rows(shapes[i][0], shapes[i][1]);
        cr_expect_leq(error, 2e-6, "%lld rows: %g", (long long)shapes[i][0], error);
    }
}

/* Sums of the rows of x[i] - y[j], whose lanes are rows, or of the same matrix in memory, whose
 * lanes are along the rows. The matrix is the first buffer of what is in memory. */
static void sums_of_rows(int64_t rows, int64_t columns, bool in_memory, void *const *buffers)
{
    struct arena *arena = fixture_arena();
    const struct type *matrix = fixture_type(arena, DTYPE_F32, 2, rows, columns);
    const struct type *column = type_tensor(arena, DTYPE_F32, 1, &rows);
    const struct type *row = type_tensor(arena, DTYPE_F32, 1, &columns);
    const struct type *arguments[] = {in_memory ? matrix : column, row};
    struct fixture *f = fixture_begin(FUSION_LOOP, in_memory ? 1 : 2, arguments, arena);
    struct value *terms = fixture_arg(f, 0);
    if (!in_memory) {
        struct dims over_rows = fixture_dims(f, 1, 0), over_columns = fixture_dims(f, 1, 1);
        struct value *x = fixture_broadcast(f, terms, matrix, over_rows);
        struct value *y = fixture_broadcast(f, fixture_arg(f, 1), matrix, over_columns);
        terms = fixture_value(f, OP_subtract, matrix, x, y);
    }
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    struct dims dims = fixture_dims(f, 1, 1);
    fixture_return(f, 1, fixture_reduce(f, terms, zero, OP_add, column, dims));
    fixture_run(f, 1, 0, buffers, NULL);
    arena_destroy(arena);
}

Test(reduction, the_order_of_a_short_row_does_not_depend_on_where_the_lanes_are)
{
    enum { ROWS = 19, COLUMNS = 20 };
    for (int64_t columns = 7; columns <= COLUMNS; columns++) {
        float x[ROWS], y[COLUMNS], matrix[ROWS * COLUMNS], computed[ROWS], read[ROWS];
        uint64_t state = (uint64_t)columns;
        for (int i = 0; i < ROWS; i++)
            x[i] = fixture_random(&state);
        for (int i = 0; i < COLUMNS; i++)
            y[i] = fixture_random(&state);
        for (int64_t i = 0; i < ROWS * columns; i++)
            matrix[i] = x[i / columns] - y[i % columns];
        sums_of_rows(ROWS, columns, false, (void *const[]){x, y, computed});
        sums_of_rows(ROWS, columns, true, (void *const[]){matrix, read});
        bool has_order = columns >= 8; /* shorter rows in memory are read by lanes */
        cr_expect(!has_order || !memcmp(computed, read, sizeof computed), "%lld columns",
                  (long long)columns);
        for (int i = 0; i < ROWS; i++)
            cr_expect_float_eq(computed[i], read[i], 1e-5f);
    }
}

/* Counts of padded predicates in 64 bits; compiling vectors of 64 of them did not end. */
Test(reduction, padded_predicates_are_counted_in_64_bits)
{
    enum { ROWS = 12, COLUMNS = 100, TALL = ROWS + 5, LOW = 5, WIDE = COLUMNS + LOW + 1 };
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_PRED, 2, (int64_t)ROWS, (int64_t)COLUMNS),
                      *padded = fixture_type(arena, DTYPE_PRED, 2, (int64_t)TALL, (int64_t)WIDE);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *no = fixture_constant(f, type_scalar(arena, DTYPE_PRED), 0);
    struct op *pad = fixture_op(f, f->block, OP_pad, padded, 2, fixture_arg(f, 0), no);
    pad->attrs.pad.edge_padding_low = fixture_dims(f, 2, 3, LOW);
    pad->attrs.pad.edge_padding_high = fixture_dims(f, 2, 2, 1);
    pad->attrs.pad.interior_padding = fixture_dims(f, 2, 0, 0);
    struct value *wide = fixture_value(
        f, OP_convert, fixture_type(arena, DTYPE_S64, 2, (int64_t)TALL, (int64_t)WIDE),
        &pad->results[0], NULL);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_S64), 0);
    fixture_return(f, 1,
                   fixture_reduce(f, wide, zero, OP_add,
                                  fixture_type(arena, DTYPE_S64, 1, (int64_t)WIDE),
                                  fixture_dims(f, 1, 0)));
    bool values[ROWS * COLUMNS];
    int64_t sums[WIDE];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        values[i] = i % 3 == 0;
    fixture_run(f, 1, 0, (void *const[]){values, sums}, NULL);
    for (int column = 0; column < WIDE; column++) {
        int64_t expected = 0;
        for (int row = 0; row < ROWS && column >= LOW && column < LOW + COLUMNS; row++)
            expected += values[row * COLUMNS + column - LOW];
        cr_expect_eq(sums[column], expected, "column %d", column);
    }
    arena_destroy(arena);
}

/* Sums over j of x[b, i, j] * y[b, j]: rows that lanes are along, if there are few, are transposed
 * in registers. */
static void check_products(enum dtype dtype, int rows, int columns)
{
    enum { BATCH = 3 };
    struct arena *arena = fixture_arena();
    const struct type *types[] = {fixture_type(arena, dtype, 3, BATCH, rows, columns),
                                  fixture_type(arena, dtype, 2, BATCH, columns)};
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, types, arena);
    struct value *y = fixture_broadcast(f, fixture_arg(f, 1), types[0], fixture_dims(f, 2, 0, 2));
    struct value *terms = fixture_value(f, OP_multiply, types[0], fixture_arg(f, 0), y);
    fixture_return(f, 1,
                   fixture_reduce(f, terms, fixture_constant(f, type_scalar(arena, dtype), 0),
                                  OP_add, fixture_type(arena, dtype, 2, BATCH, rows),
                                  fixture_dims(f, 1, 2)));
    size_t each = (size_t)dtype_bytes(dtype), bytes = (size_t)(BATCH * rows) * each;
    char *a = fixture_memory(f, bytes * (size_t)columns), *out = fixture_memory(f, bytes),
         *b = fixture_memory(f, (size_t)(BATCH * columns) * each);
    for (int i = 0; i < BATCH * rows * columns; i++)
        dtype_from_double(dtype, i % 5, a + (size_t)i * each);
    for (int i = 0; i < BATCH * columns; i++)
        dtype_from_double(dtype, i % 3, b + (size_t)i * each);
    fixture_run(f, 1, 0, (void *[]){a, b, out}, NULL);
    fixture_guarded(out, bytes);
    for (int i = 0; i < BATCH * rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++)
            sum += (i * columns + j) % 5 * ((i / rows * columns + j) % 3);
        cr_assert_eq(dtype_to_double(dtype, out + (size_t)i * each), sum, "%s %d x %d: %d",
                     dtype_name(dtype), rows, columns, i);
    }
    arena_destroy(arena);
}

Test(reduction, few_short_rows)
{
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F64, DTYPE_BF16, DTYPE_S32};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int rows = 2; rows <= 20; rows += rows < 9 ? 1 : 5)
            for (int columns = 3; columns <= 9; columns++)
                check_products(types[i], rows, columns);
}

/* Of the kernel that sums the exponentials of so many rows of 5 elements. `lanes` (out): of a
 * vector; a shorter one takes more vectors for the same rows. */
static int shuffles_of(int rows, int *lanes)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, 5),
                      *result = fixture_type(arena, DTYPE_F32, 1, rows);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    struct value *terms = fixture_value(f, OP_exponential, type, fixture_arg(f, 0), NULL);
    fixture_return(f, 1, fixture_reduce(f, terms, zero, OP_add, result, fixture_dims(f, 1, 1)));
    int count = fixture_count_in_ir(f, "shufflevector");
    *lanes = f->target.isa.vector_bytes / 4;
    arena_destroy(arena);
    return count;
}

Test(reduction, squares_of_many_short_rows_are_not_transposed)
{
    for (int rows = 4; rows <= 124; rows += 15) {
        int lanes, count = shuffles_of(rows, &lanes);
        cr_expect_leq(count, 80 * 16 / lanes, "%d rows: %d", rows, count);
    }
}
