/* Tests custom calls of LAPACK by properties of their results: the product of the factors is the
 * matrix, and eigenvectors are scaled by their eigenvalues. Covers every type, sizes from one, and
 * batches of two. */
#include "devices/host/kernels/lapack_fixture.h"

/* ---- factors --------------------------------------------------------------------------------- */
Test(lapack, cholesky)
{
    EACH_TYPE EACH_SIZE for (int upper = 0; upper < 2; upper++)
    {
        begin(types[type]);
        struct matrix a[BATCH] = {definite(n, 1), definite(n, 2)};
        operand(a);
        value(t.dtype, n, n), value(DTYPE_S32, -1, -1);
        option("uplo", upper ? 'U' : 'L');
        run("potrf");
        for (int b = 0; b < BATCH; b++) {
            struct matrix r = result(0, b), l = triangle(&r, upper, false), h = adjoint(&l);
            struct matrix product = upper ? times(&h, &l) : times(&l, &h);
            same("cholesky", &product, &a[b]);
            cr_assert(creal(result(1, b).at[0]) == 0);
        }
    }
}

Test(lapack, cholesky_tells_what_is_not_definite)
{
    begin(DTYPE_F64);
    struct matrix a[BATCH] = {definite(3, 1), definite(3, 2)};
    a[1].at[4] = -1;
    operand(a);
    value(t.dtype, 3, 3), value(DTYPE_S32, -1, -1);
    option("uplo", 'L');
    run("potrf");
    cr_assert(creal(result(1, 0).at[0]) == 0 && creal(result(1, 1).at[0]) == 2);
}

Test(lapack, lu)
{
    EACH_TYPE EACH_SIZE for (int plain = 0; plain < 2; plain++)
    {
        int m = n + 2, k = n;
        begin(types[type]);
        struct matrix a[BATCH] = {some(m, n, 3), some(m, n, 4)};
        operand(a);
        value(t.dtype, m, n), value(DTYPE_S32, k, -1), value(DTYPE_S32, plain ? m : -1, -1);
        if (plain)
            cr_assert_null(call("LuDecomposition"));
        else
            run("getrf");
        for (int b = 0; b < BATCH; b++) {
            struct matrix r = result(0, b), l = triangle(&r, false, true),
                          u = triangle(&r, true, false), pivots = result(1, b), rows = a[b];
            u = part(&u, k, n), l = part(&l, m, k);
            for (int i = 0; i < k; i++)
                for (int j = 0; j < n; j++) {
                    int other = (int)creal(pivots.at[i]) - !plain;
                    number kept = rows.at[i + j * m];
                    rows.at[i + j * m] = rows.at[other + j * m], rows.at[other + j * m] = kept;
                }
            struct matrix product = times(&l, &u), order = result(2, b);
            same("lu", &product, &rows);
            for (int i = 0; plain && i < m; i++)
                cr_assert(rows.at[i] == a[b].at[(int)creal(order.at[i])], "permutation");
        }
    }
}

Test(lapack, qr)
{
    EACH_TYPE EACH_SIZE
    {
        int m = n + 2;
        begin(types[type]);
        struct matrix a[BATCH] = {some(m, n, 5), some(m, n, 6)}, packed[BATCH], tau[BATCH],
                      upper[BATCH];
        operand(a);
        value(t.dtype, m, n), value(t.dtype, n, -1);
        run("geqrf");
        for (int b = 0; b < BATCH; b++) {
            packed[b] = result(0, b), tau[b] = result(1, b);
            upper[b] = triangle(&packed[b], true, false);
        }
        begin(types[type]);
        operand(packed);
        value(t.dtype, n, -1), t.spec.operand_count++;
        for (int i = 0; i < BATCH * n; i++)
            put(t.dtype, t.memory[1], i, tau[i / n].at[i % n]);
        value(t.dtype, m, n);
        run(is_complex(t.dtype) ? "ungqr" : "orgqr");
        for (int b = 0; b < BATCH; b++) {
            struct matrix q = result(0, b), r = part(&upper[b], n, n), product = times(&q, &r);
            same("qr", &product, &a[b]);
            struct matrix h = adjoint(&q), unit = times(&h, &q), one = triangle(&unit, true, true);
            same("q^H q", &unit, &one);
        }
        begin(types[type]);
        operand(packed);
        value(t.dtype, n, -1), t.spec.operand_count++;
        for (int i = 0; i < BATCH * n; i++)
            put(t.dtype, t.memory[1], i, tau[i / n].at[i % n]);
        operand(a);
        value(t.dtype, m, n);
        option("left", 1), option("transpose", 1);
        run(is_complex(t.dtype) ? "unmqr" : "ormqr");
        for (int b = 0; b < BATCH; b++) {
            struct matrix r = result(0, b);
            same("q^H a", &r, &upper[b]);
        }
    }
}

/* ---- values and vectors ---------------------------------------------------------------------- */
Test(lapack, singular_values)
{
    EACH_TYPE EACH_SIZE for (int wide = 0; wide < 2; wide++) for (int qr = 0; qr < 2; qr++)
    {
        int m = wide ? n : n + 2, columns = wide ? n + 2 : n;
        begin(types[type]);
        struct matrix a[BATCH] = {some(m, columns, 7), some(m, columns, 8)};
        operand(a);
        value(t.dtype, m, columns), value(real_of(t.dtype), n, -1), value(t.dtype, m, n),
            value(t.dtype, n, columns), value(DTYPE_S32, -1, -1);
        option("mode", 'S');
        run(qr ? "gesvd" : "gesdd");
        for (int b = 0; b < BATCH; b++) {
            struct matrix s = result(1, b), u = result(2, b), v = result(3, b), d = diagonal(&s);
            struct matrix us = times(&u, &d), product = times(&us, &v);
            same("singular values", &product, &a[b]);
            for (int i = 1; i < n; i++)
                cr_assert_geq(creal(s.at[i - 1]), creal(s.at[i]));
        }
    }
}

Test(lapack, symmetric)
{
    EACH_TYPE EACH_SIZE for (int plain = 0; plain < 2; plain++)
    {
        begin(types[type]);
        struct matrix a[BATCH] = {definite(n, 9), definite(n, 10)};
        operand(a);
        value(t.dtype, n, n), value(real_of(t.dtype), n, -1);
        if (plain) {
            cr_assert_null(call("Eigh"));
        } else {
            value(DTYPE_S32, -1, -1);
            option("mode", 'V'), option("uplo", 'U');
            run(is_complex(t.dtype) ? "heevd" : "syevd");
        }
        for (int b = 0; b < BATCH; b++) {
            struct matrix v = result(0, b), w = result(1, b), d = diagonal(&w);
            struct matrix left = times(&a[b], &v), right = times(&v, &d);
            same("a v = v w", &left, &right);
        }
    }
}

/* Rows without off-diagonal elements keep their positions if sorting is off. */
Test(lapack, symmetric_in_place)
{
    EACH_TYPE for (int upper = 0; upper < 2; upper++)
    {
        enum { N = 6 };
        begin(types[type]);
        struct matrix a[BATCH] = {definite(N, 9), definite(N, 10)};
        for (int b = 0; b < BATCH; b++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    if (i != j && (i == 1 || j == 1 || i == N - 1 || j == N - 1))
                        a[b].at[i + j * N] = 0;
        for (int b = 0; b < BATCH; b++)
            a[b].at[1 + N] = 0.5 + 2000 * b, a[b].at[N * N - 1] = 0.25;
        operand(a);
        value(t.dtype, N, N), value(real_of(t.dtype), N, -1);
        t.spec.config = upper ? "0,0,100,1e-6" : "1,0,100,1e-6";
        t.spec.config_size = 12;
        cr_assert_null(call("Eigh"));
        for (int b = 0; b < BATCH; b++) {
            struct matrix v = result(0, b), w = result(1, b), d = diagonal(&w);
            struct matrix left = times(&a[b], &v), right = times(&v, &d);
            same("a v = v w", &left, &right);
            for (int i = 1; i < N; i += N - 2) {
                cr_assert_eq(w.at[i], a[b].at[i + i * N]);
                for (int j = 0; j < N; j++)
                    cr_assert(v.at[j + i * N] == (i == j) && v.at[i + j * N] == (i == j));
            }
        }
    }
}

Test(lapack, general)
{
    EACH_TYPE EACH_SIZE
    {
        begin(types[type]);
        bool complex_type = is_complex(t.dtype);
        enum dtype wide = type & 1 ? DTYPE_C128 : DTYPE_C64;
        struct matrix a[BATCH] = {some(n, n, 11), some(n, n, 12)};
        operand(a);
        if (complex_type)
            value(t.dtype, n, -1);
        else
            value(t.dtype, n, -1), value(t.dtype, n, -1);
        value(wide, n, n), value(wide, n, n), value(DTYPE_S32, -1, -1);
        option("compute_left", 'V'), option("compute_right", 'V');
        run("geev");
        for (int b = 0; b < BATCH; b++) {
            struct matrix w = result(0, b), left = result(complex_type ? 1 : 2, b),
                          right = result(complex_type ? 2 : 3, b);
            for (int i = 0; !complex_type && i < n; i++)
                w.at[i] += result(1, b).at[i] * I;
            struct matrix d = diagonal(&w), av = times(&a[b], &right), vw = times(&right, &d);
            same("a v = v w", &av, &vw);
            struct matrix h = adjoint(&left), ha = times(&h, &a[b]), wh = times(&d, &h);
            same("u^H a = w u^H", &ha, &wh);
        }
    }
}

Test(lapack, schur)
{
    EACH_TYPE EACH_SIZE
    {
        begin(types[type]);
        struct matrix a[BATCH] = {some(n, n, 13), some(n, n, 14)};
        operand(a);
        value(t.dtype, n, n), value(t.dtype, n, n), value(t.dtype, n, -1);
        if (!is_complex(t.dtype))
            value(t.dtype, n, -1);
        value(DTYPE_S32, -1, -1), value(DTYPE_S32, -1, -1);
        option("mode", 'V'), option("sort", 'N');
        run("gees");
        for (int b = 0; b < BATCH; b++) {
            struct matrix s = result(0, b), z = result(1, b), zs = times(&z, &s), h = adjoint(&z);
            struct matrix product = times(&zs, &h);
            same("schur", &product, &a[b]);
        }
    }
}

/* ---- systems --------------------------------------------------------------------------------- */
Test(lapack, triangular_systems)
{
    EACH_TYPE EACH_SIZE for (int choice = 0; choice < 16; choice++)
    {
        bool left = choice & 1, upper = choice & 2, transposed = choice & 4, unit = choice & 8;
        begin(types[type]);
        struct matrix a[BATCH] = {definite(n, 15), definite(n, 16)};
        struct matrix rhs[BATCH] = {left ? some(n, 3, 17) : some(3, n, 17),
                                    left ? some(n, 3, 18) : some(3, n, 18)};
        for (int i = 0; i < n * n * BATCH; i++)
            a[i / (n * n)].at[i % (n * n)] /= 10;
        operand(a), operand(rhs);
        value(t.dtype, rhs[0].rows, rhs[0].columns);
        option("side", left ? 'L' : 'R'), option("uplo", upper ? 'U' : 'L');
        option("trans_x", transposed ? 'C' : 'N'), option("diag", unit ? 'U' : 'N');
        run("trsm");
        for (int b = 0; b < BATCH; b++) {
            struct matrix x = result(0, b), m = triangle(&a[b], upper, unit), h = adjoint(&m);
            const struct matrix *which = transposed ? &h : &m;
            struct matrix product = left ? times(which, &x) : times(&x, which);
            same("triangular system", &product, &rhs[b]);
        }
    }
}

/* ---- invalid calls --------------------------------------------------------------------------- */
static void refuses(const char *what, PJRT_Error_Code code)
{
    struct error *error = call("lapack_dpotrf_ffi");
    cr_assert(error && error_code(error) == code, "%s: %s", what,
              error ? error_message(error, NULL) : "taken");
    error_free(error);
}

static void definite_call(void)
{
    begin(DTYPE_F64);
    struct matrix a[BATCH] = {definite(3, 1), definite(3, 2)};
    operand(a);
    value(t.dtype, 3, 3), value(DTYPE_S32, -1, -1);
}

Test(lapack, calls_that_do_not_fit_are_refused)
{
    definite_call();
    refuses("no attribute", PJRT_Error_Code_INVALID_ARGUMENT);
    option("uplo", 'X');
    refuses("an unknown triangle", PJRT_Error_Code_INVALID_ARGUMENT);
    t.numbers[0] = 'L';
    t.values[0].shape.dtype = DTYPE_BF16;
    refuses("bf16", PJRT_Error_Code_UNIMPLEMENTED);
    t.values[0].shape.dtype = DTYPE_F32;
    refuses("results of another type", PJRT_Error_Code_INVALID_ARGUMENT);
    t.values[0].shape.dtype = DTYPE_F64;
    t.dims[1][2] = 4;
    refuses("results of another size", PJRT_Error_Code_INVALID_ARGUMENT);
    t.dims[1][2] = 3, t.dims[2][0] = 1;
    refuses("another batch", PJRT_Error_Code_INVALID_ARGUMENT);
    t.dims[2][0] = BATCH, t.values[0].shape.rank = 1;
    refuses("a vector", PJRT_Error_Code_INVALID_ARGUMENT);
    t.values[0].shape.rank = 3, t.spec.value_count = 2;
    refuses("a result too few", PJRT_Error_Code_INVALID_ARGUMENT);
    t.spec.value_count = 3, t.spec.operand_count = 2;
    refuses("an operand too many", PJRT_Error_Code_INVALID_ARGUMENT);
    t.spec.operand_count = t.spec.value_count = 0;
    refuses("nothing", PJRT_Error_Code_UNIMPLEMENTED);
    struct custom_call_handler handler;
    cr_assert(!kernels_find_call("lapack_xpotrf_ffi", 17, &handler));
    cr_assert(!kernels_find_call("lapack_dpotrf_ff", 16, &handler));
}

Test(lapack, empty_batches_do_nothing)
{
    definite_call();
    option("uplo", 'L');
    for (int i = 0; i < 3; i++)
        t.dims[i][0] = 0;
    cr_assert_null(call("lapack_dpotrf_ffi"));
}
