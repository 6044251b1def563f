/* reduction_test.c: bounds of the error of sums by their lengths. Equal values are the worst case:
 * all rounding errors have the same sign. */
#include "compiler/codegen/codegen_fixture.h"

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

Test(reduction, the_error_of_a_sum_is_bounded_at_every_length)
{
    static const struct {
        int64_t size;
        double bound;
    } rows[] = {{1, 0},         {100, 3e-7},     {1000, 5e-7},      {4096, 2e-6},
                {10000, 1e-6},  {12345, 1e-6},   {50000, 1e-6},     {250000, 1e-6},
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
