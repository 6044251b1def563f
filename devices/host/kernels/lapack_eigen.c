/* Eigenvalues and singular values: see lapack.h. Each routine queries LAPACK for its workspace
 * size, and allocates at least the documented minimum, because a query in 32-bit floats is
 * rounded. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/host/kernels/lapack.h"

LAPACK_FORTRAN_PAIR(gesdd_real, sgesdd_, dgesdd_, const char *job, const int *m, const int *n,
                    void *a, const int *lda, void *s, void *u, const int *ldu, void *vt,
                    const int *ldvt, void *work, const int *lwork, int *iwork, int *info, size_t);
LAPACK_FORTRAN_PAIR(gesdd_complex, cgesdd_, zgesdd_, const char *job, const int *m, const int *n,
                    void *a, const int *lda, void *s, void *u, const int *ldu, void *vt,
                    const int *ldvt, void *work, const int *lwork, void *rwork, int *iwork,
                    int *info, size_t);
LAPACK_FORTRAN_PAIR(gesvd_real, sgesvd_, dgesvd_, const char *jobu, const char *jobvt, const int *m,
                    const int *n, void *a, const int *lda, void *s, void *u, const int *ldu,
                    void *vt, const int *ldvt, void *work, const int *lwork, int *info, size_t,
                    size_t);
LAPACK_FORTRAN_PAIR(gesvd_complex, cgesvd_, zgesvd_, const char *jobu, const char *jobvt,
                    const int *m, const int *n, void *a, const int *lda, void *s, void *u,
                    const int *ldu, void *vt, const int *ldvt, void *work, const int *lwork,
                    void *rwork, int *info, size_t, size_t);
LAPACK_FORTRAN_PAIR(syevd, ssyevd_, dsyevd_, const char *job, const char *uplo, const int *n,
                    void *a, const int *lda, void *w, void *work, const int *lwork, int *iwork,
                    const int *liwork, int *info, size_t, size_t);
LAPACK_FORTRAN_PAIR(heevd, cheevd_, zheevd_, const char *job, const char *uplo, const int *n,
                    void *a, const int *lda, void *w, void *work, const int *lwork, void *rwork,
                    const int *lrwork, int *iwork, const int *liwork, int *info, size_t, size_t);
LAPACK_FORTRAN_PAIR(geev_real, sgeev_, dgeev_, const char *jobvl, const char *jobvr, const int *n,
                    void *a, const int *lda, void *wr, void *wi, void *vl, const int *ldvl,
                    void *vr, const int *ldvr, void *work, const int *lwork, int *info, size_t,
                    size_t);
LAPACK_FORTRAN_PAIR(geev_complex, cgeev_, zgeev_, const char *jobvl, const char *jobvr,
                    const int *n, void *a, const int *lda, void *w, void *vl, const int *ldvl,
                    void *vr, const int *ldvr, void *work, const int *lwork, void *rwork, int *info,
                    size_t, size_t);
LAPACK_FORTRAN_PAIR(gees_real, sgees_, dgees_, const char *jobvs, const char *sort, void *select,
                    const int *n, void *a, const int *lda, int *sdim, void *wr, void *wi, void *vs,
                    const int *ldvs, void *work, const int *lwork, int *bwork, int *info, size_t,
                    size_t);
LAPACK_FORTRAN_PAIR(gees_complex, cgees_, zgees_, const char *jobvs, const char *sort, void *select,
                    const int *n, void *a, const int *lda, int *sdim, void *w, void *vs,
                    const int *ldvs, void *work, const int *lwork, void *rwork, int *bwork,
                    int *info, size_t, size_t);

/* `info` for a matrix that is not finite: LAPACK's for a NaN in that argument of a routine. */
enum { INFO_GESDD = -4, INFO_GESVD = -5, INFO_SYEVD = -4, INFO_GEEV = -4, INFO_GEES = -5 };

struct workspace {
    void *work, *real, *extra;
    int *integers;
    int size, real_size, integer_size;
};

static struct error *workspace_alloc(const struct lapack_call *c, struct workspace *out,
                                     int64_t extra)
{
    TRY(lapack_alloc(out->size, c->element, &out->work));
    TRY(lapack_alloc(out->real_size, c->real, &out->real));
    TRY(lapack_alloc(out->integer_size, sizeof *out->integers, &out->integers));
    return lapack_alloc(extra, c->element, &out->extra);
}

static void workspace_free(struct workspace *space)
{
    alloc_free(space->work);
    alloc_free(space->real);
    alloc_free(space->integers);
    alloc_free(space->extra);
}

static int max(int64_t left, int64_t right)
{
    int64_t more = left > right ? left : right;
    return more > INT32_MAX ? INT32_MAX : more < 1 ? 1 : (int)more;
}

/* ---- singular values ------------------------------------------------------------------------- */
static void divide_and_conquer(const struct lapack_call *c, char job, int64_t i,
                               const struct workspace *space, int size, int *info)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), which = c->type & 1;
    int lda = lapack_leading(m), ldu = lapack_leading(m), ldv = lapack_leading(lapack_size(c, 'v'));
    void *a = lapack_result(c, 0, i), *s = lapack_result(c, 1, i), *u = lapack_result(c, 2, i);
    void *v = lapack_result(c, 3, i);
    if (lapack_is_complex(c))
        gesdd_complex[which](&job, &m, &n, a, &lda, s, u, &ldu, v, &ldv, space->work, &size,
                             space->real, space->integers, info, 1);
    else
        gesdd_real[which](&job, &m, &n, a, &lda, s, u, &ldu, v, &ldv, space->work, &size,
                          space->integers, info, 1);
}

static void by_rotations(const struct lapack_call *c, char job, int64_t i,
                         const struct workspace *space, int size, int *info)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), which = c->type & 1;
    int lda = lapack_leading(m), ldu = lapack_leading(m), ldv = lapack_leading(lapack_size(c, 'v'));
    void *a = lapack_result(c, 0, i), *s = lapack_result(c, 1, i), *u = lapack_result(c, 2, i);
    void *v = lapack_result(c, 3, i);
    if (lapack_is_complex(c))
        gesvd_complex[which](&job, &job, &m, &n, a, &lda, s, u, &ldu, v, &ldv, space->work, &size,
                             space->real, info, 1, 1);
    else
        gesvd_real[which](&job, &job, &m, &n, a, &lda, s, u, &ldu, v, &ldv, space->work, &size,
                          info, 1, 1);
}

typedef void svd_function(const struct lapack_call *c, char job, int64_t i,
                          const struct workspace *space, int size, int *info);

static struct error *svd_check(const struct lapack_call *c, char job)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), k = lapack_size(c, 'k');
    if (job == 'N' || (lapack_size(c, 'u') == (job == 'A' ? m : k) &&
                       lapack_size(c, 'v') == (job == 'A' ? n : k)))
        return NULL;
    return ERROR(INVALID_ARGUMENT, "custom call %s: the sizes of u and vt do not fit its mode",
                 c->call->spec->target);
}

static struct error *svd_all(const struct lapack_call *c, int64_t begin, int64_t end, char job,
                             svd_function *svd, struct workspace *space)
{
    int m = lapack_size(c, 'm'), n = lapack_size(c, 'n'), info = 0;
    int64_t small = lapack_size(c, 'k'), large = m > n ? m : n;
    int64_t minimum = 4 * small * small + 7 * small + large + 3 * small;
    char query[16] = {0};
    struct workspace ask = {.work = query, .real = query, .integers = (int *)query};
    svd(c, job, begin, &ask, -1, &info);
    TRY(lapack_check(c, info));
    space->size = max(lapack_work_size(c, query), minimum);
    space->real_size = lapack_is_complex(c) ? max(5 * small * small + 7 * small,
                                                  2 * large * small + 2 * small * small + 7 * small)
                                            : 1;
    space->integer_size = max(8 * small, 1);
    TRY(workspace_alloc(c, space, 0));
    for (int64_t i = begin; i < end; i++) {
        int *result = lapack_result(c, 4, i);
        if (lapack_is_finite(c, lapack_result(c, 0, i), m, n, 'A')) {
            svd(c, job, i, space, space->size, result);
            continue;
        }
        lapack_fill_nan(c, i);
        *result = svd == divide_and_conquer ? INFO_GESDD : INFO_GESVD;
    }
    return NULL;
}

static struct error *svd_by(const struct lapack_call *c, int64_t begin, int64_t end,
                            svd_function *svd)
{
    struct workspace space = {0};
    char job;
    TRY(lapack_option(c, "mode", "ASN", &job));
    TRY(svd_check(c, job));
    if (begin == end)
        return NULL;
    struct error *error = svd_all(c, begin, end, job, svd, &space);
    workspace_free(&space);
    return error;
}

struct error *lapack_eigen_svd(const struct lapack_call *c, int64_t begin, int64_t end)
{
    return svd_by(c, begin, end, divide_and_conquer);
}

struct error *lapack_eigen_svd_qr(const struct lapack_call *c, int64_t begin, int64_t end)
{
    return svd_by(c, begin, end, by_rotations);
}

/* ---- symmetric and Hermitian matrices -------------------------------------------------------- */
static double number(const struct lapack_call *c, const void *parts, int64_t i)
{
    return c->type & 1 ? ((const double *)parts)[i] : (double)((const float *)parts)[i];
}

static void put(const struct lapack_call *c, void *parts, int64_t i, double value)
{
    if (c->type & 1)
        ((double *)parts)[i] = value;
    else
        ((float *)parts)[i] = (float)value;
}

enum order { SORTED, SORTED_TELLS_INFO, IN_PLACE };

/* Compacts the first n rows and columns. */
static void symmetric_one(const struct lapack_call *c, char job, char uplo, int n, int64_t i,
                          const struct workspace *space, int *info)
{
    int lda = lapack_leading(n), which = c->type & 1;
    void *a = lapack_result(c, 0, i), *w = lapack_result(c, 1, i);
    if (lapack_is_complex(c))
        heevd[which](&job, &uplo, &n, a, &lda, w, space->work, &space->size, space->real,
                     &space->real_size, space->integers, &space->integer_size, info, 1, 1);
    else
        syevd[which](&job, &uplo, &n, a, &lda, w, space->work, &space->size, space->integers,
                     &space->integer_size, info, 1, 1);
}

/* Lists the rows with nonzero off-diagonal elements; returns their number. */
static int coupled_rows(const struct lapack_call *c, const void *matrix, char uplo, int *rows)
{
    int64_t n = lapack_size(c, 'n'), parts = lapack_is_complex(c) ? 2 : 1;
    int count = 0;
    for (int64_t i = 0; i < n; i++) {
        bool coupled = false;
        for (int64_t j = 0; j < n && !coupled; j++) {
            bool transposed = uplo == 'L' ? j > i : j < i; /* (i, j) is in the other triangle */
            int64_t at = parts * (transposed ? i * n + j : j * n + i);
            coupled =
                j != i && (number(c, matrix, at) != 0 || number(c, matrix, at + parts - 1) != 0);
        }
        if (coupled)
            rows[count++] = (int)i;
    }
    return count;
}

/* Moves the values and vectors of the `count` coupled rows to the positions of these rows. Iterates
 * backwards, since all moves are to higher indices. */
static void put_in_place(const struct lapack_call *c, int64_t i, const int *rows, int count,
                         const double *diagonal)
{
    int n = lapack_size(c, 'n'), last = count - 1, parts = lapack_is_complex(c) ? 2 : 1;
    void *vectors = lapack_result(c, 0, i), *values = lapack_result(c, 1, i);
    for (int64_t column = n - 1; column >= 0; column--) {
        bool coupled = last >= 0 && rows[last] == column;
        put(c, values, column, coupled ? number(c, values, last) : diagonal[column]);
        for (int64_t row = n - 1, from = count - 1; row >= 0; row--) {
            bool inside = from >= 0 && rows[from] == row;
            for (int64_t part = parts - 1; part >= 0; part--) {
                double value = row == column && part == 0 ? 1 : 0;
                if (coupled)
                    value = inside
                                ? number(c, vectors, (last * (int64_t)count + from) * parts + part)
                                : 0;
                put(c, vectors, (column * n + row) * parts + part, value);
            }
            from -= inside;
        }
        last -= coupled;
    }
}

/* Unsorted, as with Jacobi methods: a row without off-diagonal elements keeps its position and its
 * value. */
static void symmetric_in_place(const struct lapack_call *c, char job, char uplo, int64_t i,
                               const struct workspace *space, int *info)
{
    int64_t n = lapack_size(c, 'n');
    char *a = lapack_result(c, 0, i);
    double *diagonal = space->extra;
    int *rows = (int *)(diagonal + n), count = coupled_rows(c, a, uplo, rows);
    for (int64_t k = 0; k < n; k++)
        diagonal[k] = number(c, a, (k * n + k) * (lapack_is_complex(c) ? 2 : 1));
    for (int64_t column = 0; column < count; column++)
        for (int64_t row = 0; row < count; row++)
            memmove(a + (size_t)(column * count + row) * c->element,
                    a + (size_t)(rows[column] * n + rows[row]) * c->element, c->element);
    symmetric_one(c, job, uplo, count, i, space, info);
    put_in_place(c, i, rows, count, diagonal);
}

static struct error *symmetric_all(const struct lapack_call *c, int64_t begin, int64_t end,
                                   char job, char uplo, enum order order, struct workspace *space)
{
    int64_t n = lapack_size(c, 'n');
    char query[3][16] = {{0}};
    struct workspace ask = {.work = query[0],
                            .real = query[1],
                            .integers = (int *)query[2],
                            .size = -1,
                            .real_size = -1,
                            .integer_size = -1};
    int info = 0;
    symmetric_one(c, job, uplo, (int)n, begin, &ask, &info);
    TRY(lapack_check(c, info));
    space->size = max(lapack_work_size(c, query[0]), 1 + 6 * n + 2 * n * n);
    space->real_size = max(1 + 5 * n + 2 * n * n, 1);
    space->integer_size = max(3 + 5 * n, 1);
    TRY(workspace_alloc(c, space, order == IN_PLACE ? 3 * n : 0)); /* a double and an int per row */
    for (int64_t i = begin; i < end; i++) {
        if (!lapack_is_finite(c, lapack_result(c, 0, i), n, n, uplo)) {
            lapack_fill_nan(c, i);
            if (order == SORTED_TELLS_INFO)
                *(int *)lapack_result(c, 2, i) = INFO_SYEVD;
            continue;
        }
        if (order == IN_PLACE)
            symmetric_in_place(c, job, uplo, i, space, &info);
        else
            symmetric_one(c, job, uplo, (int)n, i, space, &info);
        TRY(lapack_check(c, info));
        if (order == SORTED_TELLS_INFO)
            *(int *)lapack_result(c, 2, i) = info;
    }
    return NULL;
}

static struct error *symmetric(const struct lapack_call *c, int64_t begin, int64_t end, char job,
                               char uplo, enum order order)
{
    struct workspace space = {0};
    if (begin == end)
        return NULL;
    struct error *error = symmetric_all(c, begin, end, job, uplo, order, &space);
    workspace_free(&space);
    return error;
}

struct error *lapack_eigen_symmetric(const struct lapack_call *c, int64_t begin, int64_t end)
{
    char job, uplo;
    TRY(lapack_option(c, "mode", "VN", &job));
    TRY(lapack_option(c, "uplo", "LU", &uplo));
    return symmetric(c, begin, end, job, uplo, SORTED_TELLS_INFO);
}

/* Its configuration string is "lower,sort,sweeps,tolerance". */
struct error *lapack_eigen_plain_symmetric(const struct lapack_call *c, int64_t begin, int64_t end)
{
    const struct call_spec *spec = c->call->spec;
    bool lower = !spec->config_size || spec->config[0] != '0';
    bool sorted = spec->config_size < 3 || spec->config[2] != '0';
    return symmetric(c, begin, end, 'V', lower ? 'L' : 'U', sorted ? SORTED : IN_PLACE);
}

/* ---- general matrices ------------------------------------------------------------------------ */
/* LAPACK returns a pair of conjugate vectors as the real parts in one column and the imaginary
 * parts in the next. */
static void unpack_vectors(const struct lapack_call *c, const void *imaginary, const void *packed,
                           void *out)
{
    int64_t n = lapack_size(c, 'n');
    for (int64_t j = 0; j < n; j++) {
        bool pair = number(c, imaginary, j) != 0 && j + 1 < n;
        for (int64_t i = 0; i < n; i++) {
            double real = number(c, packed, j * n + i),
                   other = pair ? number(c, packed, (j + 1) * n + i) : 0;
            put(c, out, 2 * (j * n + i), real);
            put(c, out, 2 * (j * n + i) + 1, other);
            if (pair) {
                put(c, out, 2 * ((j + 1) * n + i), real);
                put(c, out, 2 * ((j + 1) * n + i) + 1, -other);
            }
        }
        j += pair;
    }
}

static void real_one(const struct lapack_call *c, const char jobs[2], int64_t i,
                     const struct workspace *space, int size, int *info)
{
    int n = lapack_size(c, 'n'), lda = lapack_leading(n);
    size_t bytes = (size_t)n * (size_t)n * c->element;
    char *a = space->extra, *left = a ? a + bytes : NULL, *right = a ? left + bytes : NULL;
    void *wr = lapack_result(c, 0, i), *wi = lapack_result(c, 1, i);
    geev_real[c->type & 1](&jobs[0], &jobs[1], &n, a, &lda, wr, wi, left, &lda, right, &lda,
                           space->work, &size, info, 1, 1);
    if (size < 0 || *info)
        return;
    if (jobs[0] == 'V')
        unpack_vectors(c, wi, left, lapack_result(c, 2, i));
    if (jobs[1] == 'V')
        unpack_vectors(c, wi, right, lapack_result(c, 3, i));
}

static void complex_one(const struct lapack_call *c, const char jobs[2], int64_t i,
                        const struct workspace *space, int size, int *info)
{
    int n = lapack_size(c, 'n'), lda = lapack_leading(n);
    geev_complex[c->type & 1](&jobs[0], &jobs[1], &n, space->extra, &lda, lapack_result(c, 0, i),
                              lapack_result(c, 1, i), &lda, lapack_result(c, 2, i), &lda,
                              space->work, &size, space->real, info, 1, 1);
}

typedef void general_function(const struct lapack_call *c, const char jobs[2], int64_t i,
                              const struct workspace *space, int size, int *info);

static struct error *general_all(const struct lapack_call *c, int64_t begin, int64_t end,
                                 const char jobs[2], general_function *one, struct workspace *space)
{
    int n = lapack_size(c, 'n'), info = 0,
        info_result = c->call->spec->value_count - c->call->spec->operand_count - 1;
    char query[16] = {0};
    struct workspace ask = {.work = query, .real = query};
    one(c, jobs, begin, &ask, -1, &info);
    TRY(lapack_check(c, info));
    space->size = max(lapack_work_size(c, query), 4 * (int64_t)n);
    space->real_size = max(2 * (int64_t)n, 1);
    TRY(workspace_alloc(c, space, (lapack_is_complex(c) ? 1 : 3) * (int64_t)n * n));
    for (int64_t i = begin; i < end; i++) {
        const void *matrix = lapack_operand(c, 0, i);
        memcpy(space->extra, matrix, (size_t)n * (size_t)n * c->element);
        if (lapack_is_finite(c, matrix, n, n, 'A')) {
            one(c, jobs, i, space, space->size, &info);
        } else {
            lapack_fill_nan(c, i);
            info = INFO_GEEV;
        }
        *(int *)lapack_result(c, info_result, i) = info;
    }
    return NULL;
}

static struct error *general(const struct lapack_call *c, int64_t begin, int64_t end,
                             general_function *one)
{
    struct workspace space = {0};
    char jobs[2];
    TRY(lapack_option(c, "compute_left", "VN", &jobs[0]));
    TRY(lapack_option(c, "compute_right", "VN", &jobs[1]));
    if (begin == end)
        return NULL;
    struct error *error = general_all(c, begin, end, jobs, one, &space);
    workspace_free(&space);
    return error;
}

struct error *lapack_eigen_real(const struct lapack_call *c, int64_t begin, int64_t end)
{
    return general(c, begin, end, real_one);
}

struct error *lapack_eigen_complex(const struct lapack_call *c, int64_t begin, int64_t end)
{
    return general(c, begin, end, complex_one);
}

/* ---- Schur form ------------------------------------------------------------------------------ */
static void schur_one(const struct lapack_call *c, char job, int64_t i,
                      const struct workspace *space, int size, int *selected, int *info)
{
    int n = lapack_size(c, 'n'), lda = lapack_leading(n), which = c->type & 1;
    void *a = lapack_result(c, 0, i), *vectors = lapack_result(c, 1, i),
         *w = lapack_result(c, 2, i);
    if (lapack_is_complex(c))
        gees_complex[which](&job, "N", NULL, &n, a, &lda, selected, w, vectors, &lda, space->work,
                            &size, space->real, space->integers, info, 1, 1);
    else
        gees_real[which](&job, "N", NULL, &n, a, &lda, selected, w, lapack_result(c, 3, i), vectors,
                         &lda, space->work, &size, space->integers, info, 1, 1);
}

static struct error *schur_all(const struct lapack_call *c, int64_t begin, int64_t end, char job,
                               struct workspace *space)
{
    int n = lapack_size(c, 'n'), info = 0, selected = 0, counts = lapack_is_complex(c) ? 3 : 4;
    char query[16] = {0};
    struct workspace ask = {.work = query, .real = query, .integers = (int *)query};
    schur_one(c, job, begin, &ask, -1, &selected, &info);
    TRY(lapack_check(c, info));
    space->size = max(lapack_work_size(c, query), 3 * (int64_t)n);
    space->real_size = space->integer_size = max(n, 1);
    TRY(workspace_alloc(c, space, 0));
    for (int64_t i = begin; i < end; i++) {
        if (!lapack_is_finite(c, lapack_result(c, 0, i), n, n, 'A')) {
            lapack_fill_nan(c, i);
            *(int *)lapack_result(c, counts + 1, i) = INFO_GEES;
            continue;
        }
        schur_one(c, job, i, space, space->size, &selected, &info);
        TRY(lapack_check(c, info));
        *(int *)lapack_result(c, counts, i) = selected;
        *(int *)lapack_result(c, counts + 1, i) = info;
    }
    return NULL;
}

struct error *lapack_eigen_real_schur(const struct lapack_call *c, int64_t begin, int64_t end)
{
    struct workspace space = {0};
    char job, sort;
    TRY(lapack_option(c, "mode", "VN", &job));
    TRY(lapack_option(c, "sort", "N", &sort)); /* a sort function cannot be passed */
    if (begin == end)
        return NULL;
    struct error *error = schur_all(c, begin, end, job, &space);
    workspace_free(&space);
    return error;
}

struct error *lapack_eigen_complex_schur(const struct lapack_call *c, int64_t begin, int64_t end)
{
    return lapack_eigen_real_schur(c, begin, end);
}
