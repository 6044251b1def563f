/* Matrix products in f32, f64 and complex with OpenBLAS, on the calling thread. */
#include <cblas.h>

#include "base/alloc.h"
#include "devices/host/kernels/blas.h"
#include "devices/host/kernels/dot_tile.h"

static bool has_types(const struct dot_spec *spec)
{
    return spec->lhs == spec->rhs && spec->lhs == spec->out &&
           (spec->lhs == DTYPE_F32 || spec->lhs == DTYPE_F64 || spec->lhs == DTYPE_C64 ||
            spec->lhs == DTYPE_C128);
}

/* A row-major matrix with `rows` rows and unit stride within a row, or its transpose. */
struct operand {
    CBLAS_TRANSPOSE transpose;
    blasint leading;
};

static struct operand operand_of(int64_t rows, int64_t columns, int64_t row_stride,
                                 int64_t column_stride)
{
    bool plain = column_stride == 1 || columns == 1;
    int64_t leading = plain ? row_stride : column_stride;
    int64_t minimum = plain ? columns : rows;
    return (struct operand){plain ? CblasNoTrans : CblasTrans,
                            (blasint)(leading < minimum ? minimum : leading)};
}

/* Whether rows of a matrix do not overlap, as OpenBLAS requires, and its integers have their
 * distance. */
static bool is_matrix(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride)
{
    bool plain = column_stride == 1 || columns == 1;
    int64_t lines = plain ? rows : columns, leading = plain ? row_stride : column_stride;
    return lines == 1 || (leading >= (plain ? columns : rows) && leading <= INT32_MAX);
}

static void multiply(const struct dot_spec *s, const char *lhs, const char *rhs, char *out)
{
    static const double one[2] = {1, 0}, zero[2] = {0, 0};
    static const float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    struct operand a = operand_of(s->m, s->k, s->lhs_m_stride, s->lhs_k_stride);
    struct operand b = operand_of(s->k, s->n, s->rhs_k_stride, s->rhs_n_stride);
    blasint m = (blasint)s->m, n = (blasint)s->n, k = (blasint)s->k;
    blasint ldc = (blasint)(s->out_m_stride < s->n ? s->n : s->out_m_stride);
    if (s->out == DTYPE_F32)
        cblas_sgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, 1, (const float *)lhs,
                    a.leading, (const float *)rhs, b.leading, 0, (float *)out, ldc);
    else if (s->out == DTYPE_F64)
        cblas_dgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, 1.0, (const double *)lhs,
                    a.leading, (const double *)rhs, b.leading, 0.0, (double *)out, ldc);
    else if (s->out == DTYPE_C64)
        cblas_cgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, one_f, lhs, a.leading, rhs,
                    b.leading, zero_f, out, ldc);
    else
        cblas_zgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, one, lhs, a.leading, rhs,
                    b.leading, zero, out, ldc);
}

static struct error *run(const struct dot_tile *tile, const void *lhs, const void *rhs, void *out,
                         void *scratch)
{
    const struct dot_spec *s = &tile->spec;
    int64_t bytes = dtype_bytes(s->out);
    (void)scratch;
    TRY(blas_enter());
    for (int64_t i = 0; i < s->batch; i++)
        multiply(s, (const char *)lhs + i * s->lhs_batch_stride * bytes,
                 (const char *)rhs + i * s->rhs_batch_stride * bytes,
                 (char *)out + i * s->out_batch_stride * bytes);
    blas_leave();
    return NULL;
}

static void destroy(struct dot_tile *tile)
{
    alloc_free(tile);
}

/* OpenBLAS has kernels for all tile layouts on every processor. */
static bool supports(const struct dot_spec *tile)
{
    return has_types(tile);
}

static struct error *create(const struct dot_spec *spec, struct dot_tile **out)
{
    *out = NULL;
    if (!is_matrix(spec->m, spec->k, spec->lhs_m_stride, spec->lhs_k_stride) ||
        !is_matrix(spec->k, spec->n, spec->rhs_k_stride, spec->rhs_n_stride) ||
        !is_matrix(spec->m, spec->n, spec->out_m_stride, spec->out_n_stride))
        return ERROR(INVALID_ARGUMENT,
                     "a product's rows overlap or are more than %d elements apart", INT32_MAX);
    TRY(alloc_zeroed(sizeof **out, out));
    **out = (struct dot_tile){.spec = *spec, .run = run, .destroy = destroy};
    return NULL;
}

const struct dot_library dot_blas = {"OpenBLAS", has_types, supports, create};
