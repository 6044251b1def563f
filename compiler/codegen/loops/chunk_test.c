/* chunk_test.c: columns of large reductions over rows, which are reduced together where they do not
 * fit in the cache, have the bits of columns that are reduced alone. */
#include "compiler/schedule/analysis.h"

#include "compiler/codegen/codegen_fixture.h"

enum { MOST_RESULTS = 8 * 1100, RESULT_BYTES = MOST_RESULTS * 8, FITS = 1 << 30 };

/* Builds what is returned of argument 0, whose results have the type `row`. */
typedef void build_function(struct fixture *f, const struct type *row);

static struct value *over_rows(struct fixture *f, struct value *value, enum op_code code,
                               const struct type *row)
{
    const struct type *scalar = type_scalar(f->arena, row->shape.dtype);
    struct value *zero = fixture_constant(f, scalar, 0);
    return fixture_reduce(f, value, zero, code, row, fixture_dims(f, 1, 0));
}

static void sum(struct fixture *f, const struct type *row)
{
    fixture_return(f, 1, over_rows(f, fixture_arg(f, 0), OP_add, row));
}

static void squares_and_maximum(struct fixture *f, const struct type *row)
{
    struct value *x = fixture_arg(f, 0), *square = fixture_value(f, OP_multiply, x->type, x, x);
    struct value *squares = over_rows(f, square, OP_add, row);
    fixture_return(f, 2, squares, over_rows(f, x, OP_maximum, row));
}

static void epilogue(struct fixture *f, const struct type *row)
{
    struct value *sums = over_rows(f, fixture_arg(f, 0), OP_add, row);
    struct value *absolute = fixture_value(f, OP_abs, row, sums, NULL);
    fixture_return(f, 1, fixture_value(f, OP_subtract, row, absolute, sums));
}

/* Sums of whole vectors of columns, again and again: they are the same for each vector of a row. */
static void repeated(struct fixture *f, const struct type *row)
{
    enum { TIMES = 8 };
    int64_t columns = row->shape.dims[0], all = columns * TIMES;
    struct value *sums = over_rows(f, fixture_arg(f, 0), OP_add, row);
    const struct type *grid = fixture_type(f->arena, row->shape.dtype, 2, TIMES, (int)columns);
    struct value *rows = fixture_broadcast(f, sums, grid, fixture_dims(f, 1, 1));
    const struct type *flat = type_tensor(f->arena, row->shape.dtype, 1, &all);
    fixture_return(f, 1, fixture_value(f, OP_reshape, flat, rows, NULL));
}

/* The greatest value and its row: (a, i), (b, k) -> a < b ? (b, k) : (a, i). */
static void argmax(struct fixture *f, const struct type *row)
{
    struct arena *arena = f->arena;
    enum dtype dtype = row->shape.dtype;
    struct value *x = fixture_arg(f, 0);
    const struct type *scalar = type_scalar(arena, dtype), *truth = type_scalar(arena, DTYPE_PRED);
    const struct type *number = type_scalar(arena, DTYPE_S32);
    const struct type *matrix =
        fixture_type(arena, DTYPE_S32, 2, (int)x->type->shape.dims[0], (int)x->type->shape.dims[1]);
    struct op *rows = fixture_op(f, f->block, OP_iota, matrix, 0);
    rows->attrs.iota.iota_dimension = 0;
    struct value *operands[] = {x, &rows->results[0], fixture_constant(f, scalar, -9),
                                fixture_constant(f, number, 0)};
    const struct type *results[] = {row, type_tensor(arena, DTYPE_S32, 1, row->shape.dims)};
    struct op *reduce = ir_op(f->module, OP_reduce, 4, operands, 2, results, 1);
    ir_append(f->block, reduce);
    reduce->attrs.dimensions.dimensions = fixture_dims(f, 1, 0);
    const struct type *types[] = {scalar, number, scalar, number};
    struct block *body = ir_block(f->module, f->block->func, reduce, 4, types);
    reduce->regions[0] = body;
    struct value *a = body->arguments;
    struct op *less = fixture_op(f, body, OP_compare, truth, 2, a, a + 2);
    less->attrs.compare.comparison_direction = COMPARE_LT;
    struct op *value = fixture_op(f, body, OP_select, scalar, 3, less->results, a + 2, a);
    struct op *at = fixture_op(f, body, OP_select, number, 3, less->results, a + 3, a + 1);
    struct value *both[] = {value->results, at->results};
    ir_append(body, ir_op(f->module, OP_return, 2, both, 0, NULL, 0));
    fixture_return(f, 2, &reduce->results[0], &reduce->results[1]);
}

/* Random values in [-2, 2); as integers, their bits. */
static void *random_values(enum dtype dtype, int64_t count)
{
    size_t floats = (size_t)count * (dtype_is_complex(dtype) ? 2 : 1);
    float *values = malloc(floats * sizeof *values);
    uint64_t state = 1;
    for (size_t i = 0; i < floats; i++)
        values[i] = fixture_random(&state);
    uint16_t *halves = (uint16_t *)values;
    for (size_t i = 0; dtype == DTYPE_BF16 && i < floats; i++)
        memcpy(halves + i, (char *)(values + i) + 2, 2);
    return values;
}

/* Runs on a machine with a cache of `cache` bytes. */
static void run(build_function *build, enum dtype dtype, uint64_t cache, const int64_t *shape,
                char (*results)[RESULT_BYTES])
{
    struct arena *arena = fixture_arena();
    const struct type *type = type_tensor(arena, dtype, 2, shape);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    build(f, type_tensor(arena, dtype, 1, shape + 1));
    f->target.cache_bytes = cache;
    void *values = random_values(dtype, shape[0] * shape[1]);
    memset(results, 0, 2 * sizeof *results);
    fixture_run(f, 1, cache == FITS ? 0 : 1, (void *const[]){values, results[0], results[1]}, NULL);
    free(values);
    arena_destroy(arena);
}

static void expect_same_bits(const char *name, build_function *build, enum dtype dtype)
{
    static const int64_t shapes[][2] = {{64, 1024}, {65, 300},    {77, 1061}, {3000, 32},
                                        {1000, 96}, {1031, 1100}, {2500, 257}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        static char alone[2][RESULT_BYTES], together[2][RESULT_BYTES];
        run(build, dtype, FITS, shapes[i], alone);
        run(build, dtype, 1, shapes[i], together);
        cr_expect(!memcmp(alone, together, sizeof alone), "%s of %s, %lld rows", name,
                  dtype_name(dtype), (long long)shapes[i][0]);
    }
}

Test(chunk, sums)
{
    static const enum dtype dtypes[] = {DTYPE_F32, DTYPE_BF16, DTYPE_C64, DTYPE_S32};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        expect_same_bits("sum", sum, dtypes[i]);
}

Test(chunk, two_results)
{
    expect_same_bits("squares and maximum", squares_and_maximum, DTYPE_F32);
    expect_same_bits("squares and maximum", squares_and_maximum, DTYPE_BF16);
}

Test(chunk, reducers_of_two_values)
{
    expect_same_bits("argmax", argmax, DTYPE_F32);
    expect_same_bits("argmax", argmax, DTYPE_BF16);
}

Test(chunk, results_that_are_used)
{
    expect_same_bits("|sum| - sum", epilogue, DTYPE_F32);
    expect_same_bits("|sum| - sum", epilogue, DTYPE_BF16);
    expect_same_bits("repeated sums", repeated, DTYPE_F32);
}

Test(chunk, only_large_reductions_over_rows_count)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, 64, 1024);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    const struct type *row = fixture_type(arena, DTYPE_F32, 1, 1024);
    const struct type *column = fixture_type(arena, DTYPE_F32, 1, 64);
    struct value *x = fixture_arg(f, 0), *sums = over_rows(f, x, OP_add, row);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    struct value *of_rows = fixture_reduce(f, x, zero, OP_add, column, fixture_dims(f, 1, 1));
    int64_t bytes = 64 * 1024 * 4;
    cr_expect(analysis_reduces_columns(sums, 0, bytes));
    cr_expect_not(analysis_reduces_columns(sums, 0, bytes + 1));
    cr_expect_not(analysis_reduces_columns(of_rows, 0, 1));
    cr_expect_not(analysis_reduces_columns(x, 1, 1));
    arena_destroy(arena);
}
