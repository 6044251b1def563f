/* lapack_solve.c: triangular solvers: see lapack.h. */
#include "devices/host/kernels/lapack.h"

LAPACK_FORTRAN(trsm, strsm_, dtrsm_, ctrsm_, ztrsm_, const char *side, const char *uplo,
               const char *trans, const char *diag, const int *m, const int *n, const void *alpha,
               const void *a, const int *lda, void *b, const int *ldb, size_t, size_t, size_t,
               size_t);

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
