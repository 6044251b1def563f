/* Tests custom calls of LAPACK by properties of their results: the product of the factors is the
 * matrix, and eigenvectors are scaled by their eigenvalues. Covers every type, sizes from one, and
 * batches of two. */
#include "devices/host/kernels/lapack.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/kernels/kernels.h"

typedef double complex number;

enum { BATCH = 2, MAX_ORDER = 8, CAPACITY = MAX_ORDER * MAX_ORDER };

static const enum dtype types[] = {DTYPE_F32, DTYPE_F64, DTYPE_C64, DTYPE_C128};
static const char letters[] = "sdcz";

struct matrix { /* column-major */
    int rows, columns;
    number at[CAPACITY];
};

struct test_call { /* a call under construction */
    enum dtype dtype;
    struct call_spec spec;
    struct call_value values[10];
    int64_t dims[10][3];
    struct call_attribute attributes[4];
    int64_t numbers[4];
    void *data[10];
    _Alignas(64) char memory[10][BATCH * CAPACITY * 16];
};

static struct test_call t;

static bool is_complex(enum dtype dtype)
{
    return dtype == DTYPE_C64 || dtype == DTYPE_C128;
}

static number get(enum dtype dtype, const void *memory, int i)
{
    switch (dtype) {
    case DTYPE_F32: return ((const float *)memory)[i];
    case DTYPE_F64: return ((const double *)memory)[i];
    case DTYPE_C64: return ((const float complex *)memory)[i];
    case DTYPE_C128: return ((const double complex *)memory)[i];
    default: return ((const int *)memory)[i];
    }
}

static void put(enum dtype dtype, void *memory, int i, number value)
{
    switch (dtype) {
    case DTYPE_F32: ((float *)memory)[i] = (float)creal(value); break;
    case DTYPE_F64: ((double *)memory)[i] = creal(value); break;
    case DTYPE_C64: ((float complex *)memory)[i] = (float complex)value; break;
    case DTYPE_C128: ((double complex *)memory)[i] = value; break;
    default: ((int *)memory)[i] = (int)creal(value);
    }
}

static void begin(enum dtype dtype)
{
    t = (struct test_call){.dtype = dtype};
    t.spec.values = t.values;
    t.spec.attributes = t.attributes;
}

static int value(enum dtype dtype, int rows, int columns)
{
    int i = t.spec.value_count++;
    int64_t *dims = t.dims[i];
    dims[0] = BATCH, dims[1] = rows, dims[2] = columns;
    t.values[i] = (struct call_value){
        .shape = {.dtype = dtype, .rank = 1 + (rows >= 0) + (columns >= 0), .dims = dims},
        .slice = i};
    t.data[i] = t.memory[i];
    return i;
}

/* Adds matrices as an operand; all operands must be added before all results. */
static void operand(const struct matrix m[BATCH])
{
    int i = value(t.dtype, m[0].rows, m[0].columns), size = m[0].rows * m[0].columns;
    t.spec.operand_count++;
    for (int k = 0; k < BATCH * size; k++)
        put(t.dtype, t.memory[i], k, m[k / size].at[k % size]);
}

static struct matrix result(int i, int b)
{
    const struct call_value *v = &t.values[t.spec.operand_count + i];
    struct matrix m = {v->shape.rank > 1 ? (int)v->shape.dims[1] : 1,
                       v->shape.rank > 2 ? (int)v->shape.dims[2] : 1,
                       {0}};
    for (int k = 0; k < m.rows * m.columns; k++)
        m.at[k] = get(v->shape.dtype, t.data[v->slice], b * m.rows * m.columns + k);
    return m;
}

static void option(const char *name, int64_t what)
{
    int i = t.spec.attribute_count++;
    t.numbers[i] = what;
    t.attributes[i] = (struct call_attribute){.name = (char *)(uintptr_t)name,
                                              .name_size = strlen(name),
                                              .kind = CALL_SCALAR,
                                              .dtype = DTYPE_S64,
                                              .elements = 1,
                                              .data = &t.numbers[i],
                                              .size = 8};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct call_attribute *)a)->name,
                  ((const struct call_attribute *)b)->name);
}

static struct error *call(const char *target)
{
    struct custom_call_handler handler;
    struct custom_call what = {.spec = &t.spec, .data = t.data};
    t.spec.target = (char *)(uintptr_t)target;
    qsort(t.attributes, (size_t)t.spec.attribute_count, sizeof *t.attributes, by_name);
    cr_assert(kernels_find_call(target, strlen(target), &handler), "%s", target);
    return handler.run(handler.user, &what);
}

static void run(const char *name)
{
    char target[64];
    size_t type = 0;
    while (types[type] != t.dtype)
        type++;
    snprintf(target, sizeof target, "lapack_%c%s_ffi", letters[type], name);
    struct error *error = call(target);
    cr_assert_null(error, "%s: %s", target, error ? error_message(error, NULL) : "");
}

/* ---- matrices -------------------------------------------------------------------------------- */
static struct matrix some(int rows, int columns, int seed)
{
    struct matrix m = {rows, columns, {0}};
    uint64_t state = (uint64_t)seed + 1;
    for (int i = 0; i < rows * columns; i++) {
        double parts[2];
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            parts[k] = (double)(int32_t)(state >> 32) / 2147483648.0;
        }
        m.at[i] = parts[0] + (is_complex(t.dtype) ? parts[1] : 0) * I;
    }
    return m;
}

static struct matrix times(const struct matrix *a, const struct matrix *b)
{
    struct matrix m = {a->rows, b->columns, {0}};
    cr_assert_eq(a->columns, b->rows);
    for (int j = 0; j < m.columns; j++)
        for (int i = 0; i < m.rows; i++)
            for (int k = 0; k < a->columns; k++)
                m.at[i + j * m.rows] += a->at[i + k * a->rows] * b->at[k + j * b->rows];
    return m;
}

static struct matrix adjoint(const struct matrix *a)
{
    struct matrix m = {a->columns, a->rows, {0}};
    for (int j = 0; j < a->columns; j++)
        for (int i = 0; i < a->rows; i++)
            m.at[j + i * m.rows] = conj(a->at[i + j * a->rows]);
    return m;
}

/* Keeps only the triangle; `unit`: with ones on the diagonal. */
static struct matrix triangle(const struct matrix *a, bool upper, bool unit)
{
    struct matrix m = *a;
    for (int j = 0; j < m.columns; j++)
        for (int i = 0; i < m.rows; i++)
            m.at[i + j * m.rows] = unit && i == j              ? 1
                                   : (upper ? i <= j : i >= j) ? a->at[i + j * a->rows]
                                                               : 0;
    return m;
}

static struct matrix part(const struct matrix *a, int rows, int columns)
{
    struct matrix m = {rows, columns, {0}};
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            m.at[i + j * rows] = a->at[i + j * a->rows];
    return m;
}

static struct matrix diagonal(const struct matrix *vector)
{
    struct matrix m = {vector->rows, vector->rows, {0}};
    for (int i = 0; i < m.rows; i++)
        m.at[i + i * m.rows] = vector->at[i];
    return m;
}

/* Positive definite: m m^H + rows. */
static struct matrix definite(int n, int seed)
{
    struct matrix m = some(n, n, seed), h = adjoint(&m), p = times(&m, &h);
    for (int i = 0; i < n; i++)
        p.at[i + i * n] += n;
    return p;
}

static void same(const char *what, const struct matrix *a, const struct matrix *b)
{
    double bound = t.dtype == DTYPE_F32 || t.dtype == DTYPE_C64 ? 1e-4 : 1e-11;
    cr_assert(a->rows == b->rows && a->columns == b->columns, "%s", what);
    for (int i = 0; i < a->rows * a->columns; i++)
        cr_assert_leq(cabs(a->at[i] - b->at[i]), bound, "%s of %s at %d: %g%+gi, not %g%+gi", what,
                      dtype_name(t.dtype), i, creal(a->at[i]), cimag(a->at[i]), creal(b->at[i]),
                      cimag(b->at[i]));
}

#define EACH_TYPE for (int type = 0; type < 4; type++)
#define EACH_SIZE for (int n = 1; n <= 5; n += 2)

static enum dtype real_of(enum dtype dtype)
{
    return dtype_real_part(dtype);
}

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

/* ---- matrices that are not finite ------------------------------------------------------------ */
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

Test(lapack, matrices_that_are_not_finite)
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
Test(lapack, the_other_triangle_is_ignored)
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
