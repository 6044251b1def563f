/* row_fetch_test.c: which loops fetch the next row of what they read, and that they read the same.
 */
#include "compiler/codegen/loops/row_fetch.h"

#include "compiler/codegen/codegen_fixture.h"

static const char CALL[] = "call void @llvm.prefetch";

enum { ROWS = 40, COLUMNS = 1050, SMALL_CACHE = 17000 };

static struct value *over_row(struct fixture *f, struct value *value, enum op_code code)
{
    const struct type *type = value->type;
    struct value *init = fixture_constant(f, type_scalar(f->arena, type->shape.dtype), 0);
    const struct type *result = type_tensor(f->arena, type->shape.dtype, 1, type->shape.dims);
    value = fixture_reduce(f, value, init, code, result, fixture_dims(f, 1, 1));
    return fixture_broadcast(f, value, type, fixture_dims(f, 1, 0));
}

/* x / sum(x), with x = function(x - max(x)) if `centered`. */
static struct fixture *normalize(struct arena *arena, int rows, int columns, enum op_code function,
                                 bool centered)
{
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *x = fixture_arg(f, 0);
    if (centered)
        x = fixture_value(f, OP_subtract, type, x, over_row(f, x, OP_maximum));
    x = fixture_value(f, function, type, x, NULL);
    fixture_return(f, 1, fixture_value(f, OP_divide, type, x, over_row(f, x, OP_add)));
    return f;
}

static int fetches(int rows, int columns, enum op_code function, bool centered)
{
    struct arena *arena = fixture_arena();
    int count = fixture_count_in_ir(normalize(arena, rows, columns, function, centered), CALL);
    arena_destroy(arena);
    return count;
}

static int fetches_of_sum_over_rows(int rows, int columns)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, DTYPE_F32, 2, rows, columns),
                      *result = fixture_type(arena, DTYPE_F32, 1, columns);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct value *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0);
    fixture_return(
        f, 1, fixture_reduce(f, fixture_arg(f, 0), zero, OP_add, result, fixture_dims(f, 1, 0)));
    int count = fixture_count_in_ir(f, CALL);
    arena_destroy(arena);
    return count;
}

Test(row_fetch, loops_with_much_arithmetic_fetch_rows_that_are_read_again)
{
    cr_expect_gt(fetches(4096, 4096, OP_exponential, true), 0);
    cr_expect_eq(fetches(4096, 4096, OP_exponential, false), 0, "the first loop that reads");
    cr_expect_eq(fetches(4096, 4096, OP_abs, true), 0, "not much arithmetic");
    cr_expect_eq(fetches(100000, 500, OP_exponential, true), 0, "short rows");
    cr_expect_eq(fetches(16, 1 << 20, OP_exponential, true), 0, "rows that fill the cache");
    cr_expect_eq(fetches(64, 4096, OP_exponential, true), 0, "an array in the cache");
}

/* Columns of smaller arrays are not reduced together. */
Test(row_fetch, groups_of_rows_of_large_arrays_fetch_the_next_group)
{
    cr_expect_gt(fetches_of_sum_over_rows(8192, 4096), 0);
    cr_expect_eq(fetches_of_sum_over_rows(512, 512), 0);
}

static void run(uint64_t cache, float *out)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = normalize(arena, ROWS, COLUMNS, OP_exponential, true);
    f->target.cache_bytes = cache;
    float *in = fixture_floats(f, ROWS * COLUMNS, 1);
    fixture_run(f, 1, 0, (void *const[]){in, out}, NULL);
    arena_destroy(arena);
}

Test(row_fetch, results_are_the_same)
{
    static float with[ROWS * COLUMNS], without[ROWS * COLUMNS];
    run(SMALL_CACHE, with);
    run(1 << 30, without);
    cr_expect_not(memcmp(with, without, sizeof with));
}
