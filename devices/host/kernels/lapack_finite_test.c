/* lapack_finite_test.c: matrices with an infinity or a NaN, for which LAPACK would not return: NaN
 * at once, with a negative info, and the rest of the batch is computed. */
#include "devices/host/kernels/lapack_fixture.h"

/* Sets one element of the first matrix of the batch, of which LAPACK would not return. */
static void operand_with(int m, int n, int at, double special)
{
    struct matrix a[BATCH] = {some(m, n, 1), some(m, n, 2)};
    a[0].at[at] = special;
    operand(a);
}

/* The first matrix has results of NaN and a negative info; the second is computed. */
static void expect_nan(const char *name, int results)
{
    run(name);
    for (int r = 0; r < results; r++) {
        struct matrix first = result(r, 0), second = result(r, 1);
        for (int i = 0; i < first.rows * first.columns; i++) {
            cr_expect(isnan(creal(first.at[i])), "%s: result %d", name, r);
            cr_expect(isfinite(creal(second.at[i])), "%s: result %d", name, r);
        }
    }
    cr_expect_lt(creal(result(results, 0).at[0]), 0);
    cr_expect_eq(creal(result(results, 1).at[0]), 0);
}

static void expect_nan_svd(const char *name, double special)
{
    begin(t.dtype);
    operand_with(5, 3, 7, special);
    value(t.dtype, 5, 3), value(real_of(t.dtype), 3, -1), value(t.dtype, 5, 3),
        value(t.dtype, 3, 3), value(DTYPE_S32, -1, -1);
    option("mode", 'S');
    expect_nan(name, 4);
}

static void expect_nan_symmetric(enum dtype dtype, double special)
{
    begin(dtype);
    operand_with(4, 4, 1, special); /* in the lower triangle */
    value(dtype, 4, 4), value(real_of(dtype), 4, -1), value(DTYPE_S32, -1, -1);
    option("mode", 'V'), option("uplo", 'L');
    expect_nan(is_complex(dtype) ? "heevd" : "syevd", 2);
}

static void expect_nan_schur(enum dtype dtype, double special)
{
    begin(dtype);
    operand_with(4, 4, 6, special);
    value(dtype, 4, 4), value(dtype, 4, 4), value(dtype, 4, -1);
    if (!is_complex(dtype))
        value(dtype, 4, -1);
    value(DTYPE_S32, -1, -1), value(DTYPE_S32, -1, -1);
    option("mode", 'V'), option("sort", 'N');
    run("gees");
    int info = is_complex(dtype) ? 4 : 5;
    cr_expect(isnan(creal(result(0, 0).at[3])) && isnan(creal(result(1, 0).at[0])));
    cr_expect_lt(creal(result(info, 0).at[0]), 0);
    cr_expect_eq(creal(result(info, 1).at[0]), 0);
}

Test(lapack_finite, matrices_that_are_not_finite)
{
    static const double specials[] = {INFINITY, -INFINITY, NAN};
    EACH_TYPE for (size_t s = 0; s < sizeof specials / sizeof *specials; s++)
    {
        t.dtype = types[type];
        expect_nan_svd("gesdd", specials[s]);
        expect_nan_svd("gesvd", specials[s]);
        expect_nan_symmetric(types[type], specials[s]);
        expect_nan_schur(types[type], specials[s]);
    }
}

/* The triangle that is not read may hold anything. */
Test(lapack_finite, the_other_triangle_is_ignored)
{
    EACH_TYPE
    {
        begin(types[type]);
        operand_with(4, 4, 4, INFINITY); /* in the upper triangle */
        value(t.dtype, 4, 4), value(real_of(t.dtype), 4, -1), value(DTYPE_S32, -1, -1);
        option("mode", 'V'), option("uplo", 'L');
        run(is_complex(t.dtype) ? "heevd" : "syevd");
        cr_expect(isfinite(creal(result(0, 0).at[0])));
        cr_expect_eq(creal(result(2, 0).at[0]), 0);
    }
}
