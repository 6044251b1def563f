/* row_cache_test.c: rows that are read again after they have been reduced. */
#include "compiler/codegen/codegen_fixture.h"

enum { ROWS = 3 };

/* The exponentials of rows of a small float, divided by their sum in f32, as in a softmax. Each is
 * converted for the sum, which is rounded. */
static struct fixture *shares_of_exponentials(struct arena *arena, enum dtype dtype, int columns)
{
    const struct type *type = fixture_type(arena, dtype, 2, ROWS, columns),
                      *wide = fixture_type(arena, DTYPE_F32, 2, ROWS, columns),
                      *sums = fixture_type(arena, DTYPE_F32, 1, ROWS),
                      *small = fixture_type(arena, dtype, 1, ROWS);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *[]){type}, arena);
    struct value *power = fixture_value(f, OP_exponential, type, fixture_arg(f, 0), NULL),
                 *zero = fixture_constant(f, type_scalar(arena, DTYPE_F32), 0),
                 *terms = fixture_value(f, OP_convert, wide, power, NULL),
                 *sum = fixture_reduce(f, terms, zero, OP_add, sums, fixture_dims(f, 1, 1)),
                 *rounded = fixture_value(f, OP_convert, small, sum, NULL),
                 *all = fixture_broadcast(f, rounded, type, fixture_dims(f, 1, 0));
    fixture_return(f, 1, fixture_value(f, OP_divide, type, power, all));
    return f;
}

static double rounded(enum dtype dtype, double x)
{
    uint16_t bits;
    dtype_from_double(dtype, x, &bits);
    return dtype_to_double(dtype, &bits);
}

static void check_row(enum dtype dtype, const uint16_t *in, const uint16_t *out, int columns)
{
    double sum = 0;
    for (int j = 0; j < columns; j++)
        sum += rounded(dtype, exp(dtype_to_double(dtype, &in[j])));
    for (int j = 0; j < columns; j++) {
        double power = rounded(dtype, exp(dtype_to_double(dtype, &in[j]))),
               expected = power / rounded(dtype, sum), found = dtype_to_double(dtype, &out[j]);
        cr_assert_float_eq(found, expected, 0x1p-7 * expected, "%s, %d columns, at %d: %g, not %g",
                           dtype_name(dtype), columns, j, found, expected);
    }
}

Test(row_cache, small_floats_that_are_summed_as_f32)
{
    static const enum dtype dtypes[] = {DTYPE_BF16, DTYPE_F16};
    static const int sizes[] = {5, 16, 37, 128, 301};
    for (int i = 0; i < 2 * 5; i++) {
        enum dtype dtype = dtypes[i % 2];
        int columns = sizes[i / 2], count = ROWS * columns;
        struct arena *arena = fixture_arena();
        struct fixture *f = shares_of_exponentials(arena, dtype, columns);
        uint16_t *in = fixture_memory(f, (size_t)count * 2);
        for (int k = 0; k < count; k++)
            dtype_from_double(dtype, k * 7 % 31 / 8.0 - 2, &in[k]);
        for (int tier = 0; tier < CODEGEN_TIERS; tier++) {
            uint16_t *out = fixture_memory(f, (size_t)count * 2);
            fixture_run(f, tier, 0, (void *[]){in, out}, NULL);
            fixture_guarded(out, (size_t)count * 2);
            for (int row = 0; row < ROWS; row++)
                check_row(dtype, in + row * columns, out + row * columns, columns);
        }
        arena_destroy(arena);
    }
}

/* A row of f32 is on the stack. */
Test(row_cache, exponentials_of_small_floats_are_computed_once)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = shares_of_exponentials(arena, DTYPE_BF16, 256);
    cr_expect_eq(fixture_count_in_ir(f, "= alloca [1024 x i8]"), 1);
    arena_destroy(arena);
}
