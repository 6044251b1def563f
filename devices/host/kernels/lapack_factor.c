/* Factorizations: see lapack.h. */
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/lapack.h"

LAPACK_FORTRAN(potrf, spotrf_, dpotrf_, cpotrf_, zpotrf_, const char *uplo, const int *n, void *a,
               const int *lda, int *info, size_t);
LAPACK_FORTRAN(getrf, sgetrf_, dgetrf_, cgetrf_, zgetrf_, const int *m, const int *n, void *a,
               const int *lda, int *ipiv, int *info);
LAPACK_FORTRAN(geqrf, sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_, const int *m, const int *n, void *a,
               const int *lda, void *tau, void *work, const int *lwork, int *info);
LAPACK_FORTRAN(orgqr, sorgqr_, dorgqr_, cungqr_, zungqr_, const int *m, const int *n, const int *k,
               void *a, const int *lda, const void *tau, void *work, const int *lwork, int *info);
LAPACK_FORTRAN(ormqr, sormqr_, dormqr_, cunmqr_, zunmqr_, const char *side, const char *trans,
               const int *m, const int *n, const int *k, const void *a, const int *lda,
               const void *tau, void *c, const int *ldc, void *work, const int *lwork, int *info,
               size_t, size_t);
LAPACK_FORTRAN(gehrd, sgehrd_, dgehrd_, cgehrd_, zgehrd_, const int *n, const int *low,
               const int *high, void *a, const int *lda, void *tau, void *work, const int *lwork,
               int *info);
LAPACK_FORTRAN(sytrd, ssytrd_, dsytrd_, chetrd_, zhetrd_, const char *uplo, const int *n, void *a,
               const int *lda, void *d, void *e, void *tau, void *work, const int *lwork, int *info,
               size_t);

/* The complex routines have an additional argument, rwork, which the real ones ignore. */
LAPACK_FORTRAN(geqp3, sgeqp3_, dgeqp3_, cgeqp3_, zgeqp3_, const int *m, const int *n, void *a,
               const int *lda, int *jpvt, void *tau, void *work, const int *lwork,
               void *rwork_or_info, int *info);

struct error *lapack_factor_cholesky(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int n = lapack_size(c, 'n'), lda = lapack_leading(n);
    char uplo;
    TRY(lapack_option(c, "uplo", "LU", &uplo));
    for (int64_t i = begin; i < end; i++) {
        int *info = lapack_result(c, 1, i);
        potrf[c->type](&uplo, &n, lapack_result(c, 0, i), &lda, info, 1);
        TRY(lapack_check(c, *info));
    }
    return NULL;
}

/* ---- LU -------------------------------------------------------------------------------------- */
struct error *lapack_factor_lu(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), lda = lapack_leading(m);
    for (int64_t i = begin; i < end; i++) {
        int *info = lapack_result(c, 2, i);
        getrf[c->type](&m, &n, lapack_result(c, 0, i), &lda, lapack_result(c, 1, i), info);
        TRY(lapack_check(c, *info));
    }
    return NULL;
}

/* Converts pivots to zero-based, and computes the row permutation that they describe. */
struct error *lapack_factor_lu_permutation(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), lda = lapack_leading(m), info;
    if (lapack_size(c, 'l') != m)
        return ERROR(INVALID_ARGUMENT, "custom call %s: a permutation of %d rows has %d elements",
                     c->call->spec->target, m, lapack_size(c, 'l'));
    for (int64_t i = begin; i < end; i++) {
        int *pivots = lapack_result(c, 1, i), *rows = lapack_result(c, 2, i);
        getrf[c->type](&m, &n, lapack_result(c, 0, i), &lda, pivots, &info);
        TRY(lapack_check(c, info));
        for (int r = 0; r < m; r++)
            rows[r] = r;
        for (int r = 0; r < lapack_size(c, 'k'); r++) {
            int other = --pivots[r], row = rows[r];
            rows[r] = rows[other];
            rows[other] = row;
        }
    }
    return NULL;
}

/* ---- QR -------------------------------------------------------------------------------------- */
static struct error *qr_all(const struct lapack_call *c, int64_t begin, int64_t end, void *work,
                            int size)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), lda = lapack_leading(m), info;
    for (int64_t i = begin; i < end; i++) {
        geqrf[c->type](&m, &n, lapack_result(c, 0, i), &lda, lapack_result(c, 1, i), work, &size,
                       &info);
        TRY(lapack_check(c, info));
    }
    return NULL;
}

struct error *lapack_factor_qr(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), lda = lapack_leading(m), ask = -1, info;
    double query[2] = {0, 0};
    void *work;
    geqrf[c->type](&m, &n, query, &lda, query, query, &ask, &info);
    int size = lapack_work_size(c, query);
    size = size > n ? size : lapack_leading(n);
    TRY(lapack_alloc(size, c->element, &work));
    struct error *error = qr_all(c, begin, end, work, size);
    alloc_free(work);
    return error;
}

struct error *lapack_factor_pivoted_qr(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), lda = lapack_leading(m), info = 0;
    int block = 64, size = 2 * n + (n + 1) * block; /* at least 3n + 1, as from a query */
    char *work;
    void *rwork;
    size_t bytes = (size_t)size * c->element;
    TRY(lapack_alloc((int64_t)bytes + 2 * n * (int64_t)c->real, 1, &work));
    rwork = work + bytes;
    for (int64_t i = begin; i < end && info >= 0; i++)
        geqp3[c->type](&m, &n, lapack_result(c, 0, i), &lda, lapack_result(c, 1, i),
                       lapack_result(c, 2, i), work, &size,
                       lapack_is_complex(c) ? rwork : (void *)&info, &info);
    alloc_free(work);
    return lapack_check(c, info);
}

static struct error *form_q_all(const struct lapack_call *c, int64_t begin, int64_t end, void *work,
                                int size)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), k = lapack_size(c, 'j'),
        lda = lapack_leading(m), info;
    for (int64_t i = begin; i < end; i++) {
        orgqr[c->type](&m, &n, &k, lapack_result(c, 0, i), &lda, lapack_operand(c, 1, i), work,
                       &size, &info);
        TRY(lapack_check(c, info));
    }
    return NULL;
}

struct error *lapack_factor_make_q(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), k = lapack_size(c, 'j'),
        size = lapack_leading(n) * 64;
    void *work;
    if (n > m || k > n)
        return ERROR(INVALID_ARGUMENT,
                     "custom call %s: %d reflectors cannot define %d columns of %d elements",
                     c->call->spec->target, k, n, m);
    TRY(lapack_alloc(size, c->element, &work));
    struct error *error = form_q_all(c, begin, end, work, size);
    alloc_free(work);
    return error;
}

static struct error *times_q_all(const struct lapack_call *c, int64_t begin, int64_t end, char side,
                                 char trans, void *work, int size)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), k = lapack_size(c, 'j'), info;
    int lda = lapack_leading(lapack_size(c, 'r')), ldc = lapack_leading(m);
    for (int64_t i = begin; i < end; i++) {
        ormqr[c->type](&side, &trans, &m, &n, &k, lapack_operand(c, 0, i), &lda,
                       lapack_operand(c, 1, i), lapack_result(c, 0, i), &ldc, work, &size, &info, 1,
                       1);
        TRY(lapack_check(c, info));
    }
    return NULL;
}

struct error *lapack_factor_times_q(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), k = lapack_size(c, 'j');
    int64_t left = 1, transpose = 0;
    void *work;
    custom_call_integer(c->call->spec, "left", &left);
    custom_call_integer(c->call->spec, "transpose", &transpose);
    if (lapack_size(c, 'r') != (left ? m : n) || k > lapack_size(c, 'r') || k > lapack_size(c, 's'))
        return ERROR(INVALID_ARGUMENT, "custom call %s: reflectors do not fit the matrix",
                     c->call->spec->target);
    int size = lapack_leading(left ? n : m) * 64 + 65 * 64;
    TRY(lapack_alloc(size, c->element, &work));
    struct error *error = times_q_all(c, begin, end, left ? 'L' : 'R',
                                      !transpose             ? 'N'
                                      : lapack_is_complex(c) ? 'C'
                                                             : 'T',
                                      work, size);
    alloc_free(work);
    return error;
}

/* ---- reductions to simpler forms ------------------------------------------------------------- */
static struct error *hessenberg_all(const struct lapack_call *c, int64_t begin, int64_t end,
                                    int low, int high, void *work, int size)
{
    int n = lapack_size(c, 'n'), lda = lapack_leading(n);
    for (int64_t i = begin; i < end; i++) {
        int *info = lapack_result(c, 2, i);
        gehrd[c->type](&n, &low, &high, lapack_result(c, 0, i), &lda, lapack_result(c, 1, i), work,
                       &size, info);
        TRY(lapack_check(c, *info));
    }
    return NULL;
}

struct error *lapack_factor_hessenberg(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int n = lapack_size(c, 'n'), size = lapack_leading(n) * 64 + 65 * 64;
    int64_t low, high;
    void *work;
    if (!custom_call_integer(c->call->spec, "low", &low) ||
        !custom_call_integer(c->call->spec, "high", &high) || low < 1 || low > lapack_leading(n) ||
        high > n || high < (low < n ? low : n))
        return ERROR(INVALID_ARGUMENT,
                     "custom call %s: low and high are not a range within 1 to %d",
                     c->call->spec->target, n);
    TRY(lapack_alloc(size, c->element, &work));
    struct error *error = hessenberg_all(c, begin, end, (int)low, (int)high, work, size);
    alloc_free(work);
    return error;
}

struct error *lapack_factor_tridiagonal(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int n = lapack_size(c, 'n'), lda = lapack_leading(n), size = lapack_leading(n) * 64, last = 0;
    char uplo;
    void *work;
    TRY(lapack_option(c, "uplo", "LU", &uplo));
    TRY(lapack_alloc(size, c->element, &work));
    for (int64_t i = begin; i < end && last >= 0; i++) {
        int *info = lapack_result(c, 4, i);
        sytrd[c->type](&uplo, &n, lapack_result(c, 0, i), &lda, lapack_result(c, 1, i),
                       lapack_result(c, 2, i), lapack_result(c, 3, i), work, &size, info, 1);
        last = *info;
    }
    alloc_free(work);
    return lapack_check(c, last);
}
