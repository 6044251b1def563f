/* LU factorizations, checked by multiplication: the rows of L U are those of A in the order of the
 * pivots, each of which is the largest of what was left of its column. */
#include "compiler/codegen/codegen_fixture.h"

enum { MOST = 8, BATCHES = 3 };

struct matrices { /* of f64, but stored as the type of the factorization */
    enum dtype dtype;
    int rows, columns;
    double a[BATCHES * MOST * MOST], lu[BATCHES * MOST * MOST];
    int32_t pivots[BATCHES * MOST], info[BATCHES];
};

static int steps_of(const struct matrices *m)
{
    return m->rows < m->columns ? m->rows : m->columns;
}

static struct fixture *program(struct arena *arena, const struct matrices *m)
{
    const struct type *type = fixture_type(arena, m->dtype, 3, BATCHES, m->rows, m->columns);
    struct fixture *f = fixture_begin(FUSION_STANDALONE, 1, &type, arena);
    const struct type *types[] = {type, fixture_type(arena, DTYPE_S32, 2, BATCHES, steps_of(m)),
                                  fixture_type(arena, DTYPE_S32, 1, BATCHES)};
    struct value *a = fixture_arg(f, 0);
    struct op *lu = ir_op(f->module, OP_lu, 1, &a, 3, types, 0);
    ir_append(f->block, lu);
    fixture_return(f, 3, &lu->results[0], &lu->results[1], &lu->results[2]);
    return f;
}

static void factor(struct matrices *m)
{
    struct arena *arena = fixture_arena();
    struct fixture *f = program(arena, m);
    size_t count = (size_t)(BATCHES * m->rows * m->columns);
    size_t bytes = count * (m->dtype == DTYPE_F32 ? 4 : 8);
    size_t pivots = (size_t)(BATCHES * steps_of(m)) * 4;
    char *in = fixture_memory(f, bytes), *out = fixture_memory(f, bytes);
    void *pivot = fixture_memory(f, pivots), *info = fixture_memory(f, BATCHES * 4);
    for (size_t i = 0; i < count; i++)
        dtype_from_double(m->dtype, m->a[i], in + i * (bytes / count));
    fixture_run(f, 0, 1, (void *const[]){in, out, pivot, info}, NULL);
    fixture_guarded(out, bytes);
    fixture_guarded(pivot, pivots);
    fixture_guarded(info, BATCHES * 4);
    for (size_t i = 0; i < count; i++) {
        m->a[i] = dtype_to_double(m->dtype, in + i * (bytes / count));
        m->lu[i] = dtype_to_double(m->dtype, out + i * (bytes / count));
    }
    memcpy(m->pivots, pivot, pivots);
    memcpy(m->info, info, sizeof m->info);
    arena_destroy(arena);
}

static double of_product(const struct matrices *m, const double *lu, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < steps_of(m) && k <= j && k <= i; k++)
        sum += (k == i ? 1 : lu[i * m->columns + k]) * lu[k * m->columns + j];
    return sum;
}

static void check(const struct matrices *m, int batch, double tolerance)
{
    const double *a = m->a + batch * m->rows * m->columns,
                 *lu = m->lu + batch * m->rows * m->columns;
    int order[MOST];
    for (int i = 0; i < m->rows; i++)
        order[i] = i;
    for (int k = 0; k < steps_of(m); k++) {
        int other = m->pivots[batch * steps_of(m) + k] - 1, row = order[k];
        cr_assert(other >= k && other < m->rows, "row %d is exchanged for %d", k, other);
        order[k] = order[other];
        order[other] = row;
    }
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++) {
            double got = of_product(m, lu, i, j), wanted = a[order[i] * m->columns + j];
            cr_expect(fabs(got - wanted) <= tolerance, "%s %d x %d at %d, %d: %g, not %g",
                      dtype_name(m->dtype), m->rows, m->columns, i, j, got, wanted);
            cr_expect(j >= i || fabs(lu[i * m->columns + j]) <= 1 + tolerance);
        }
}

Test(lu, factors_are_those_of_the_matrix_at_every_size)
{
    uint64_t state = 7;
    for (int rows = 1; rows <= MOST; rows++)
        for (int columns = 1; columns <= MOST; columns++)
            for (int wide = 0; wide < 2; wide++) {
                struct matrices m = {
                    .dtype = wide ? DTYPE_F64 : DTYPE_F32, .rows = rows, .columns = columns};
                for (int i = 0; i < BATCHES * rows * columns; i++)
                    m.a[i] = (double)fixture_random(&state);
                factor(&m);
                for (int batch = 0; batch < BATCHES; batch++) {
                    check(&m, batch, wide ? 1e-14 : 4e-6);
                    cr_expect_eq(m.info[batch], 0);
                }
            }
}

Test(lu, the_first_zero_on_the_diagonal_is_reported)
{
    static const double singular[BATCHES * 9] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, /* at once */
        1, 2, 3, 2, 4, 6, 1, 1, 1, /* at the end */
        1, 1, 1, 2, 2, 1, 4, 4, 1, /* in the second step; the third is none */
    };
    struct matrices m = {.dtype = DTYPE_F32, .rows = 3, .columns = 3};
    memcpy(m.a, singular, sizeof singular);
    factor(&m);
    for (int batch = 0; batch < BATCHES; batch++)
        check(&m, batch, 1e-6);
    cr_expect_eq(m.info[0], 1);
    cr_expect_eq(m.info[1], 3);
    cr_expect_eq(m.info[2], 2);
}

Test(lu, a_nan_is_no_pivot_but_on_the_diagonal)
{
    struct matrices m = {.dtype = DTYPE_F64, .rows = 2, .columns = 2};
    const double values[] = {1, 2, (double)NAN, 1, (double)NAN, 1, 3, 1, 1, 2, 3, 4};
    memcpy(m.a, values, sizeof values);
    factor(&m);
    cr_expect_eq(m.pivots[0], 1);
    cr_expect_eq(m.pivots[2], 1);
    cr_expect(isnan(m.lu[2]) && isnan(m.lu[4]));
    cr_expect_eq(m.pivots[4], 2);
}
