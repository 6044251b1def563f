/* Linear solvers: see lapack.h. */
#include "devices/host/kernels/lapack.h"

LAPACK_FORTRAN(gtsv, sgtsv_, dgtsv_, cgtsv_, zgtsv_, const int *n, const int *nrhs, void *dl,
               void *d, void *du, void *b, const int *ldb, int *info);
LAPACK_FORTRAN(trsm, strsm_, dtrsm_, ctrsm_, ztrsm_, const char *side, const char *uplo,
               const char *trans, const char *diag, const int *m, const int *n, const void *alpha,
               const void *a, const int *lda, void *b, const int *ldb, size_t, size_t, size_t,
               size_t);

/* The lower diagonal is as long as the diagonal, and its first element is unused. */
struct error *lapack_solve_tridiagonal(const struct lapack_call *c, int64_t begin, int64_t end)
{
    int n = lapack_size(c, 'n'), columns = lapack_size(c, 'r'), ldb = lapack_leading(n);
    for (int64_t i = begin; i < end; i++) {
        int *info = lapack_result(c, 4, i);
        char *lower = lapack_result(c, 0, i);
        gtsv[c->type](&n, &columns, lower + (n > 1 ? c->element : 0), lapack_result(c, 1, i),
                      lapack_result(c, 2, i), lapack_result(c, 3, i), &ldb, info);
        TRY(lapack_check(c, *info));
    }
    return NULL;
}

struct error *lapack_solve_triangular(const struct lapack_call *c, int64_t begin, int64_t end)
{
    static const float one_f[2] = {1, 0};
    static const double one[2] = {1, 0};
    bool single = c->type == LAPACK_S || c->type == LAPACK_C;
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n');
    int lda = lapack_leading(lapack_size(c, 'x')), ldb = lapack_leading(m);
    char side, uplo, trans, diag;
    TRY(lapack_option(c, "side", "LR", &side));
    TRY(lapack_option(c, "uplo", "LU", &uplo));
    TRY(lapack_option(c, "trans_x", "NTC", &trans));
    TRY(lapack_option(c, "diag", "NU", &diag));
    if (lapack_size(c, 'x') != (side == 'L' ? m : n))
        return ERROR(INVALID_ARGUMENT, "custom call %s: the triangle has %d rows",
                     c->call->spec->target, lapack_size(c, 'x'));
    for (int64_t i = begin; i < end && m && n; i++)
        trsm[c->type](&side, &uplo, &trans, &diag, &m, &n,
                      single ? (const void *)one_f : (const void *)one, lapack_operand(c, 0, i),
                      &lda, lapack_result(c, 0, i), &ldb, 1, 1, 1, 1);
    return NULL;
}
