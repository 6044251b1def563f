/* Matrix products with oneDNN's matmul primitive. Right-hand sides are read in place, except large
 * ones that are reused by many rows: those are packed first, which avoids cache conflicts of wide
 * rows, unless the primitive calls oneDNN's gemm, which packs them itself. Where it would only call
 * the function sgemm, that is called directly: small products cost less without a primitive's
 * arguments. */
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/dot_tile.h"
#include "devices/host/kernels/onednn.h"

#define PACK_ROWS 256           /* minimum rows of lhs for which packing is worthwhile */
#define PACK_ELEMENTS (1 << 19) /* minimum size of a right-hand side to pack */

/* Without AVX-512 sgemm reads operands in place, across the rows of k. Where they are so many
 * elements apart, they share few sets of the first-level cache; then a copy with another stride
 * costs less than the cache misses, or, if it were large, another library that packs operands. */
#define CONFLICT_STRIDE 256
#define LINE_ELEMENTS 16        /* of a cache line */
#define COPY_REUSES 16          /* minimum rows or columns of the other operand for a copy */
#define COPY_ELEMENTS (2 << 20) /* maximum size of a copy, which is scratch of each thread */
/* A larger operand, whose rows are so many elements apart, is better packed for so many rows of the
 * left or columns of the right side. */
#define LARGE_COPY (1 << 18)
#define LARGE_STRIDE 512
#define LARGE_ROWS 8
#define LARGE_COLUMNS 64
#define LONG_ROWS 64 /* elements of the rows in a sum of rows */
#define FEW_ROWS 15  /* of a left side, for which sgemm does not pack the right side */
#define FEW_TERMS 32 /* of sums for which that matters */
#define GEMM_ROWS 32
#define GEMM_PRODUCTS (1 << 24) /* multiply-adds */

struct gemm_side {  /* an operand as dnnl_sgemm() reads it */
    char form;      /* 'N': rows are contiguous; 'T': columns are */
    int64_t stride; /* of rows or columns, in elements */
    /* If not 0, `count` runs of `length` elements are copied to `at` in scratch first, this far
     * apart. */
    int64_t copied_stride;
    int64_t count, length;
    uint64_t at; /* bytes */
};

struct onednn_tile {
    struct dot_tile base;
    struct onednn_primitive matmul;
    struct gemm_side lhs, rhs;
};

static bool has_types(const struct dot_spec *spec)
{
    return onednn_type(spec->lhs) != dnnl_data_type_undef &&
           onednn_type(spec->rhs) != dnnl_data_type_undef &&
           onednn_type(spec->out) != dnnl_data_type_undef;
}

/* Whether an operand with k rows of `length` elements is better packed than copied. */
static bool is_better_packed(int64_t stride, int64_t k, int64_t length)
{
    return stride >= length && stride % LARGE_STRIDE == 0 && k >= LINE_ELEMENTS &&
           length > LARGE_COPY / k;
}

static bool applies(const struct dot_spec *s)
{
    if (s->lhs != DTYPE_F32 || !cpu_features()->avx2 || cpu_features()->avx512)
        return has_types(s);
    return has_types(s) &&
           !(s->lhs_m_stride == 1 && s->n >= LARGE_COLUMNS &&
             is_better_packed(s->lhs_k_stride, s->k, s->m)) &&
           !(s->rhs_n_stride == 1 && s->m >= LARGE_ROWS &&
             is_better_packed(s->rhs_k_stride, s->k, s->n));
}

/* oneDNN requires consistent strides even for dimensions of size 1. */
static struct error *describe(dnnl_memory_desc_t *out, enum dtype dtype, int64_t batch,
                              int64_t rows, int64_t columns, int64_t batch_stride,
                              int64_t row_stride, int64_t column_stride)
{
    if (rows == 1)
        row_stride = column_stride == 1 ? columns : 1;
    if (columns == 1)
        column_stride = row_stride == 1 ? rows : 1;
    if (batch == 1)
        batch_stride = rows * columns;
    dnnl_dims_t dims = {batch, rows, columns};
    dnnl_dims_t strides = {batch_stride, row_stride, column_stride};
    ONEDNN_TRY(dnnl_memory_desc_create_with_strides(out, 3, dims, onednn_type(dtype), strides));
    return NULL;
}

struct layouts_of_dot {
    dnnl_memory_desc_t lhs, rhs, out, any;
    dnnl_primitive_attr_t attributes;
};

static struct error *describe_all(const struct dot_spec *s, struct layouts_of_dot *l)
{
    dnnl_dims_t rhs_dims = {s->batch, s->k, s->n};
    TRY(describe(&l->lhs, s->lhs, s->batch, s->m, s->k, s->lhs_batch_stride, s->lhs_m_stride,
                 s->lhs_k_stride));
    TRY(describe(&l->rhs, s->rhs, s->batch, s->k, s->n, s->rhs_batch_stride, s->rhs_k_stride,
                 s->rhs_n_stride));
    TRY(describe(&l->out, s->out, s->batch, s->m, s->n, s->out_batch_stride, s->out_m_stride,
                 s->out_n_stride));
    ONEDNN_TRY(dnnl_memory_desc_create_with_tag(&l->any, 3, rhs_dims, onednn_type(s->rhs),
                                                dnnl_format_tag_any));
    ONEDNN_TRY(dnnl_primitive_attr_create(&l->attributes));
    ONEDNN_TRY(dnnl_primitive_attr_set_scratchpad_mode(l->attributes, dnnl_scratchpad_mode_user));
    return NULL;
}

static void forget_layouts(struct layouts_of_dot *l)
{
    dnnl_memory_desc_t all[] = {l->lhs, l->rhs, l->out, l->any};
    for (int i = 0; i < 4; i++)
        if (all[i])
            dnnl_memory_desc_destroy(all[i]);
    if (l->attributes)
        dnnl_primitive_attr_destroy(l->attributes);
}

/* Whether both sides are read across the rows of a long sum, as in gradients of weights. sgemm
 * packs both, and with AVX-512 is faster than the primitive, which transposes the left side
 * first. */
static bool is_sum_of_rows(const struct dot_spec *s)
{
    return s->lhs_m_stride == 1 && s->rhs_n_stride == 1 && s->m >= LONG_ROWS && s->n >= LONG_ROWS &&
           s->k >= s->m && s->k >= s->n;
}

/* Whether few rows are multiplied with a right side whose columns are contiguous: the primitive
 * transposes it, sgemm reads it in place. */
static bool has_few_rows(const struct dot_spec *s)
{
    return s->m <= FEW_ROWS && s->k >= FEW_TERMS && s->rhs_k_stride == 1 && s->lhs_k_stride == 1;
}

/* Whether both sides are read across the columns, in a product of some size: sgemm packs blocks of
 * them, and with AVX-512 is faster than the primitive. */
static bool has_plain_columns(const struct dot_spec *s)
{
    return cpu_features()->avx512 && s->rhs_n_stride == 1 && s->m >= GEMM_ROWS &&
           (double)s->m * (double)s->n * (double)s->k >= GEMM_PRODUCTS;
}

static bool should_pack(const struct dot_spec *s)
{
    return s->batch == 1 && !is_sum_of_rows(s) && s->m >= PACK_ROWS &&
           s->n * s->k >= PACK_ELEMENTS && s->rhs_n_stride == 1;
}

/* Queries oneDNN's implementation. Errors: UNIMPLEMENTED for types that it does not support on this
 * processor. */
static struct error *describe_matmul(const struct dot_spec *spec, struct layouts_of_dot *l,
                                     dnnl_primitive_desc_t *out)
{
    static const char what[] = "a matrix product of these element types";
    dnnl_engine_t cpu;
    TRY(onednn_engine(&cpu));
    TRY(describe_all(spec, l));
    TRY(onednn_check(
        dnnl_matmul_primitive_desc_create(out, cpu, l->lhs, l->rhs, NULL, l->out, l->attributes),
        what));
    if (!should_pack(spec) || onednn_is_gemm(*out))
        return NULL;
    dnnl_primitive_desc_destroy(*out);
    *out = NULL;
    return onednn_check(
        dnnl_matmul_primitive_desc_create(out, cpu, l->lhs, l->any, NULL, l->out, l->attributes),
        what);
}

static bool supports(const struct dot_spec *tile)
{
    struct layouts_of_dot layouts = {0};
    dnnl_primitive_desc_t description = NULL;
    int threads = onednn_enter();
    struct error *error = describe_matmul(tile, &layouts, &description);
    bool answer = !error && onednn_is_native(tile->lhs) && !onednn_is_reference(description);
    if (description)
        dnnl_primitive_desc_destroy(description);
    forget_layouts(&layouts);
    onednn_leave(threads);
    error_free(error);
    return answer;
}

static struct error *create_matmul(const struct dot_spec *spec, struct layouts_of_dot *l,
                                   struct onednn_primitive *out)
{
    dnnl_primitive_desc_t description = NULL;
    TRY(describe_matmul(spec, l, &description));
    const const_dnnl_memory_desc_t plain[] = {l->lhs, l->rhs, l->out};
    return onednn_primitive_create(out, description, &onednn_forward, plain, ONEDNN_NONE_SHARED);
}

static struct error *run(const struct dot_tile *base, const void *lhs, const void *rhs, void *out,
                         void *scratch)
{
    const struct onednn_tile *tile = (const struct onednn_tile *)base;
    void *arguments[] = {(void *)(uintptr_t)lhs, (void *)(uintptr_t)rhs, out};
    return onednn_primitive_run(&tile->matmul, arguments, scratch);
}

/* ---- sgemm ----------------------------------------------------------------------------------- */
/* Whether dnnl_sgemm() reads a matrix of these strides. */
static bool describe_side(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride,
                          struct gemm_side *out)
{
    bool is_plain = column_stride == 1 && row_stride >= columns;
    *out = (struct gemm_side){.form = is_plain ? 'N' : 'T',
                              .stride = is_plain ? row_stride : column_stride};
    return is_plain || (row_stride == 1 && column_stride >= rows);
}

/* Whether sgemm computes it with the operands in place, and the primitive calls it or is slower. */
static bool is_gemm(struct onednn_tile *tile)
{
    const struct dot_spec *s = &tile->base.spec;
    const struct onednn_argument *arguments = tile->matmul.arguments;
    return (onednn_is_gemm(tile->matmul.description) || is_sum_of_rows(s) || has_few_rows(s) ||
            has_plain_columns(s)) &&
           s->lhs == DTYPE_F32 && s->rhs == DTYPE_F32 && s->out == DTYPE_F32 &&
           !arguments[0].differs && !arguments[1].differs && !arguments[2].differs &&
           s->out_n_stride == 1 && s->out_m_stride >= s->n &&
           describe_side(s->m, s->k, s->lhs_m_stride, s->lhs_k_stride, &tile->lhs) &&
           describe_side(s->k, s->n, s->rhs_k_stride, s->rhs_n_stride, &tile->rhs);
}

/* Reserves scratch for a copy of an operand with k rows of `length` elements if that pays. */
static void plan_copy(struct gemm_side *side, int64_t k, int64_t length, int64_t reuses,
                      uint64_t *scratch_bytes)
{
    if (side->stride % CONFLICT_STRIDE || reuses < COPY_REUSES || k < LINE_ELEMENTS ||
        length > COPY_ELEMENTS / k)
        return;
    int64_t lines = (length + LINE_ELEMENTS - 1) / LINE_ELEMENTS;
    side->count = k, side->length = length;
    side->copied_stride = (lines | 1) * LINE_ELEMENTS; /* an odd number of lines uses all sets */
    side->at = *scratch_bytes;
    *scratch_bytes += (uint64_t)(k * side->copied_stride) * sizeof(float);
}

/* The operand as sgemm reads it: itself or its copy in `scratch`, which is NULL without copies. */
static const float *place_side(const struct gemm_side *side, const float *from, char *scratch)
{
    if (!side->copied_stride)
        return from;
    float *copy = (float *)(void *)(scratch + side->at);
    for (int64_t i = 0; i < side->count; i++)
        memcpy(copy + i * side->copied_stride, from + i * side->stride,
               (size_t)side->length * sizeof *copy);
    return copy;
}

static int64_t stride_of(const struct gemm_side *side)
{
    return side->copied_stride ? side->copied_stride : side->stride;
}

static struct error *run_gemm(const struct dot_tile *base, const void *lhs, const void *rhs,
                              void *out, void *scratch)
{
    const struct onednn_tile *tile = (const struct onednn_tile *)base;
    const struct dot_spec *s = &base->spec;
    dnnl_status_t status = dnnl_success;
    int threads = onednn_enter();
    for (int64_t b = 0; b < s->batch && status == dnnl_success; b++) {
        const float *left =
            place_side(&tile->lhs, (const float *)lhs + b * s->lhs_batch_stride, scratch);
        const float *right =
            place_side(&tile->rhs, (const float *)rhs + b * s->rhs_batch_stride, scratch);
        status = dnnl_sgemm(tile->lhs.form, tile->rhs.form, s->m, s->n, s->k, 1, left,
                            stride_of(&tile->lhs), right, stride_of(&tile->rhs), 0,
                            (float *)out + b * s->out_batch_stride, s->out_m_stride);
    }
    onednn_leave(threads);
    return onednn_check(status, "dnnl_sgemm");
}

static void use_gemm(struct onednn_tile *tile)
{
    const struct dot_spec *s = &tile->base.spec;
    tile->base.run = run_gemm;
    if (!onednn_is_gemm(tile->matmul.description))
        return;
    if (tile->lhs.form == 'T')
        plan_copy(&tile->lhs, s->k, s->m, s->n, &tile->base.scratch_bytes);
    if (tile->rhs.form == 'N')
        plan_copy(&tile->rhs, s->k, s->n, s->m, &tile->base.scratch_bytes);
}

/* ---- the library ----------------------------------------------------------------------------- */
static void destroy(struct dot_tile *base)
{
    onednn_primitive_free(&((struct onednn_tile *)base)->matmul);
    alloc_free(base);
}

static struct error *create(const struct dot_spec *spec, struct dot_tile **out)
{
    struct onednn_tile *tile;
    struct layouts_of_dot layouts = {0};
    *out = NULL;
    TRY(alloc_zeroed(sizeof *tile, &tile));
    tile->base = (struct dot_tile){.spec = *spec, .run = run, .destroy = destroy};
    int threads = onednn_enter();
    struct error *error = create_matmul(spec, &layouts, &tile->matmul);
    forget_layouts(&layouts);
    onednn_leave(threads);
    tile->base.scratch_bytes = tile->matmul.scratch_bytes;
    if (!error && is_gemm(tile))
        use_gemm(tile);
    if (error)
        destroy(&tile->base);
    else
        *out = &tile->base;
    return error;
}

const struct dot_library dot_onednn = {"oneDNN", applies, supports, create};
