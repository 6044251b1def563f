#include "compiler/passes/canonicalize/canonicalize_fft.h"

#include <string.h>

#include "compiler/passes/canonicalize/fft_tables.h"
#include "compiler/passes/rewrite/rewrite.h"

struct rule {
    struct module *module;
    struct op *op;
    struct builder b;
    enum fft_type kind;
    bool inverse;
    int64_t n; /* the length */
};

/* ---- building blocks ------------------------------------------------------------------------ */
static int64_t last_of(const struct value *value)
{
    return value->type->shape.dims[value->type->shape.rank - 1];
}

static struct value *transform(struct rule *r, struct value *value, enum fft_type kind, int64_t n)
{
    union attrs attrs = {0};
    attrs.fft.fft_type = kind;
    attrs.fft.fft_length = rewrite_dims(r->module, &n, 1);
    return &build_op(&r->b, OP_fft, 1, &value, 1, &attrs)->results[0];
}

/* Exchanges a dimension with the last one. */
static struct value *exchange(struct rule *r, struct value *value, int dim)
{
    int64_t permutation[SHAPE_MAX_RANK];
    int rank = value->type->shape.rank;
    for (int i = 0; i < rank; i++)
        permutation[i] = i == dim ? rank - 1 : i == rank - 1 ? dim : i;
    return dim == rank - 1 ? value : build_transpose(&r->b, value, permutation);
}

/* Elements first, first + step ... below limit of the last dimension. */
static struct value *part(struct rule *r, struct value *value, int64_t first, int64_t limit,
                          int64_t step)
{
    int64_t start[SHAPE_MAX_RANK] = {0}, strides[SHAPE_MAX_RANK], end[SHAPE_MAX_RANK];
    int rank = value->type->shape.rank;
    for (int i = 0; i < rank; i++) {
        strides[i] = 1;
        end[i] = value->type->shape.dims[i];
    }
    start[rank - 1] = first;
    end[rank - 1] = limit;
    strides[rank - 1] = step;
    return build_slice(&r->b, value, start, end, strides);
}

static struct value *join(struct rule *r, struct value *a, struct value *b)
{
    union attrs attrs = {0};
    struct value *values[] = {a, b};
    attrs.dimension.dimension = a->type->shape.rank - 1;
    return &build_op(&r->b, OP_concatenate, 2, values, 1, &attrs)->results[0];
}

static struct value *reverse_last(struct rule *r, struct value *value)
{
    union attrs attrs = {0};
    attrs.dimensions.dimensions = rewrite_range(r->module, value->type->shape.rank - 1, 1);
    return &build_op(&r->b, OP_reverse, 1, &value, 1, &attrs)->results[0];
}

static struct value *reshape_last(struct rule *r, struct value *value, int64_t n1, int64_t n2)
{
    int64_t dims[SHAPE_MAX_RANK + 1];
    int rank = value->type->shape.rank;
    memcpy(dims, value->type->shape.dims, (size_t)rank * sizeof *dims);
    dims[rank - 1] = n1;
    dims[rank] = n2;
    return build_reshape(&r->b, value, rank + 1, dims);
}

static struct value *complex_of(struct rule *r, struct value *re, struct value *im)
{
    return build_binary(&r->b, OP_complex, re, im);
}

static struct value *conjugate(struct rule *r, struct value *value)
{
    struct value *im = build_unary(&r->b, OP_imag, value);
    return complex_of(r, build_unary(&r->b, OP_real, value), build_unary(&r->b, OP_negate, im));
}

static struct value *multiply(struct rule *r, struct value *a, struct value *b)
{
    return build_binary(&r->b, OP_multiply, a, b);
}

/* A constant of complex numbers (pairs of doubles) along the last dimensions, for all rows of
 * `like`. */
static struct value *spread_constant(struct rule *r, const struct value *like,
                                     const double *numbers, int rank, const int64_t *dims)
{
    enum dtype part = dtype_real_part(r->op->operands[0]->type->shape.dtype);
    enum dtype dtype = part == DTYPE_F64 ? DTYPE_C128 : DTYPE_C64;
    const struct type *type = type_tensor(r->module->arena, dtype, rank, dims);
    int64_t count = 2 * type_elements(type), dims_of[SHAPE_MAX_RANK];
    void *bytes = arena_alloc(r->module->arena, (size_t)type_bytes(type));
    for (int64_t i = 0; i < count; i++)
        if (dtype == DTYPE_C128)
            ((double *)bytes)[i] = numbers[i];
        else
            ((float *)bytes)[i] = (float)numbers[i];
    struct value *constant = build_constant(&r->b, literal_dense(r->module->arena, type, bytes));
    for (int i = 0; i < rank; i++)
        dims_of[i] = like->type->shape.rank - rank + i;
    return build_broadcast(&r->b, constant, like->type, rank, dims_of);
}

static double *pairs(struct rule *r, int64_t count)
{
    return ARENA_ARRAY(r->module->arena, double, (size_t)count * 2);
}

/* ---- several dimensions ---------------------------------------------------------------------- */
static struct value *several(struct rule *r, struct value *value)
{
    const struct dims lengths = r->op->attrs.fft.fft_length;
    int rank = value->type->shape.rank;
    enum fft_type kind = r->kind == FFT_IFFT || r->kind == FFT_IRFFT ? FFT_IFFT : FFT_FFT;
    if (r->kind != FFT_IRFFT)
        value = transform(r, value, r->kind, lengths.at[lengths.count - 1]);
    for (int64_t i = 0; i < lengths.count - 1; i++) {
        int dim = (int)(rank - lengths.count + i);
        value = exchange(r, value, dim);
        value = exchange(r, transform(r, value, kind, lengths.at[i]), dim);
    }
    return r->kind == FFT_IRFFT ? transform(r, value, FFT_IRFFT, lengths.at[lengths.count - 1])
                                : value;
}

/* ---- real numbers ---------------------------------------------------------------------------- */
/* factor * exp(-+ 2 pi i k / n) for k in [0, count), along rows of `like`; the factor is (re,
 * im). */
static struct value *roots(struct rule *r, const struct value *like, int64_t count,
                           double factor_re, double factor_im)
{
    double *table = pairs(r, count);
    for (int64_t k = 0; k < count; k++) {
        double re, im;
        fft_tables_root(k, r->n, &re, &im);
        im = r->inverse ? -im : im;
        table[2 * k] = re * factor_re - im * factor_im;
        table[2 * k + 1] = re * factor_im + im * factor_re;
    }
    return spread_constant(r, like, table, 1, &count);
}

/* With Z of half the length: X[k] = (Z[k] + Z*[h - k]) / 2 - i exp(-2 pi i k / n) (Z[k] - Z*[h -
 * k]) / 2. */
static struct value *from_real(struct rule *r, struct value *value)
{
    int64_t n = r->n, half = n / 2;
    if (n % 2) {
        struct value *zero = build_splat(&r->b, value->type, 0);
        return part(r, transform(r, complex_of(r, value, zero), FFT_FFT, n), 0, half + 1, 1);
    }
    struct value *packed = complex_of(r, part(r, value, 0, n, 2), part(r, value, 1, n, 2));
    struct value *z = transform(r, packed, FFT_FFT, half);
    z = join(r, z, part(r, z, 0, 1, 1));
    struct value *mirror = conjugate(r, reverse_last(r, z));
    struct value *sum = build_binary(&r->b, OP_add, z, mirror);
    struct value *difference = build_binary(&r->b, OP_subtract, z, mirror);
    difference = multiply(r, difference, roots(r, difference, half + 1, 0, -0.5));
    return build_binary(&r->b, OP_add, multiply(r, sum, build_splat(&r->b, sum->type, 0.5)),
                        difference);
}

/* The first number, and the last one for even lengths, count as real. */
static struct value *real_ends(struct rule *r, struct value *value)
{
    int64_t count = last_of(value), last = value->type->shape.rank - 1;
    struct value *im = build_unary(&r->b, OP_imag, value);
    const struct type *type = type_tensor(r->module->arena, DTYPE_PRED, 1, &count);
    char *inner = arena_alloc(r->module->arena, (size_t)count);
    memset(inner, 1, (size_t)count);
    inner[0] = 0;
    if (r->n % 2 == 0)
        inner[count - 1] = 0;
    struct value *mask = build_constant(&r->b, literal_dense(r->module->arena, type, inner));
    const struct type *wide =
        type_tensor(r->module->arena, DTYPE_PRED, im->type->shape.rank, im->type->shape.dims);
    mask = build_broadcast(&r->b, mask, wide, 1, &last);
    im = build_select(&r->b, mask, im, build_splat(&r->b, im->type, 0));
    return complex_of(r, build_unary(&r->b, OP_real, value), im);
}

/* The inverse: Z[k] = (X[k] + X*[h - k]) / 2 + i exp(2 pi i k / n) (X[k] - X*[h - k]) / 2. */
static struct value *to_real(struct rule *r, struct value *value)
{
    int64_t n = r->n, half = n / 2;
    value = real_ends(r, value);
    if (n % 2 || value->type->shape.rank == SHAPE_MAX_RANK) {
        if (n > 2)
            value = join(r, value, conjugate(r, reverse_last(r, part(r, value, 1, n - half, 1))));
        return build_unary(&r->b, OP_real, transform(r, value, FFT_IFFT, n));
    }
    struct value *mirror = part(r, conjugate(r, reverse_last(r, value)), 0, half, 1);
    value = part(r, value, 0, half, 1);
    struct value *sum = build_binary(&r->b, OP_add, value, mirror);
    struct value *difference = build_binary(&r->b, OP_subtract, value, mirror);
    difference = multiply(r, difference, roots(r, difference, half, 0, 0.5));
    sum = multiply(r, sum, build_splat(&r->b, sum->type, 0.5));
    struct value *z = transform(r, build_binary(&r->b, OP_add, sum, difference), FFT_IFFT, half);
    struct value *evens = reshape_last(r, build_unary(&r->b, OP_real, z), half, 1);
    struct value *odds = reshape_last(r, build_unary(&r->b, OP_imag, z), half, 1);
    const struct type *type = r->op->results[0].type;
    return build_reshape(&r->b, join(r, evens, odds), type->shape.rank, type->shape.dims);
}

/* ---- long rows ------------------------------------------------------------------------------- */
/* The divisor of n nearest below its root. */
static int64_t middle_divisor(int64_t n)
{
    int64_t best = 1;
    for (int64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            best = d;
    return best;
}

/* exp(-+ 2 pi i j k / n) for j in [0, n2) and k in [0, n1), each a product of two roots of short
 * tables. */
static double *twiddles(struct rule *r, int64_t n1, int64_t n2)
{
    int64_t n = r->n;
    double *coarse = pairs(r, n / n1 + 1), *fine = pairs(r, n1), *table = pairs(r, n);
    for (int64_t i = 0; i <= n / n1; i++)
        fft_tables_root(i * n1, n, &coarse[2 * i], &coarse[2 * i + 1]);
    for (int64_t i = 0; i < n1; i++)
        fft_tables_root(i, n, &fine[2 * i], &fine[2 * i + 1]);
    for (int64_t j = 0; j < n2; j++)
        for (int64_t k = 0; k < n1; k++) {
            const double *a = coarse + 2 * (j * k / n1), *b = fine + 2 * (j * k % n1);
            double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
            table[2 * (j * n1 + k)] = re;
            table[2 * (j * n1 + k) + 1] = r->inverse ? -im : im;
        }
    return table;
}

static struct value *as_matrix(struct rule *r, struct value *value)
{
    int64_t n1 = middle_divisor(r->n), n2 = r->n / n1;
    int rank = value->type->shape.rank;
    value = exchange(r, reshape_last(r, value, n1, n2), rank - 1);
    value = transform(r, value, r->kind, n1);
    int64_t dims[] = {n2, n1};
    value = multiply(r, value, spread_constant(r, value, twiddles(r, n1, n2), 2, dims));
    value = transform(r, exchange(r, value, rank - 1), r->kind, n2);
    value = exchange(r, value, rank - 1);
    const struct type *type = r->op->results[0].type;
    return build_reshape(&r->b, value, type->shape.rank, type->shape.dims);
}

/* ---- large prime factors --------------------------------------------------------------------- */
static struct value *pad_last(struct rule *r, struct value *value, int64_t to)
{
    union attrs attrs = {0};
    int rank = value->type->shape.rank;
    int64_t none[SHAPE_MAX_RANK] = {0}, high[SHAPE_MAX_RANK] = {0};
    high[rank - 1] = to - last_of(value);
    attrs.pad.edge_padding_low = attrs.pad.interior_padding = rewrite_dims(r->module, none, rank);
    attrs.pad.edge_padding_high = rewrite_dims(r->module, high, rank);
    struct value *operands[] = {value, build_scalar(&r->b, value->type->shape.dtype, 0)};
    return &build_op(&r->b, OP_pad, 2, operands, 1, &attrs)->results[0];
}

/* With c[j] = exp(-i pi j^2 / n): X[k] = c[k] * sum of (x[j] c[j]) c*[k - j]. */
static struct value *bluestein(struct rule *r, struct value *value)
{
    int64_t n = r->n, m;
    int bits = 1;
    while ((INT64_C(1) << bits) < 2 * n - 1)
        bits++;
    m = INT64_C(1) << bits;
    double *chirp = pairs(r, n), *after = pairs(r, n), *filter = pairs(r, m),
           scale = r->inverse ? 1 / (double)n : 1;
    memset(filter, 0, (size_t)m * 2 * sizeof *filter);
    for (int64_t j = 0; j < n; j++) {
        double re, im;
        fft_tables_root(
            (int64_t)((unsigned __int128)j * (unsigned __int128)j % (unsigned __int128)(2 * n)),
            2 * n, &re, &im);
        im = r->inverse ? -im : im;
        chirp[2 * j] = re, chirp[2 * j + 1] = im;
        after[2 * j] = re * scale, after[2 * j + 1] = im * scale;
        filter[2 * j] = filter[2 * ((m - j) % m)] = re;
        filter[2 * j + 1] = filter[2 * ((m - j) % m) + 1] = -im;
    }
    fft_tables_transform(filter, bits);
    value = pad_last(r, multiply(r, value, spread_constant(r, value, chirp, 1, &n)), m);
    value = transform(r, value, FFT_FFT, m);
    value = transform(r, multiply(r, value, spread_constant(r, value, filter, 1, &m)), FFT_IFFT, m);
    value = part(r, value, 0, n, 1);
    return multiply(r, value, spread_constant(r, value, after, 1, &n));
}

/* ---- the rule -------------------------------------------------------------------------------- */
/* Real rows that one kernel transforms. */
static bool is_direct_real(int64_t n)
{
    return n % 2 == 0 && n >= 4 && n / 2 <= FFT_TABLES_DIRECT && fft_tables_is_smooth(n / 2);
}

struct error *canonicalize_fft(struct module *module, struct op *op)
{
    struct rule r = {.module = module,
                     .op = op,
                     .b = rewrite_before(module, op),
                     .kind = op->attrs.fft.fft_type};
    struct value *value = op->operands[0];
    const struct dims lengths = op->attrs.fft.fft_length;
    r.inverse = r.kind == FFT_IFFT || r.kind == FFT_IRFFT;
    if (lengths.count == 0)
        return rewrite_with(module, op, value);
    r.n = lengths.at[lengths.count - 1];
    if (lengths.count > 1)
        return rewrite_with(module, op, several(&r, value));
    if (r.kind == FFT_RFFT && is_direct_real(r.n))
        return NULL;
    if (r.kind == FFT_RFFT)
        return rewrite_with(module, op, from_real(&r, value));
    if (r.kind == FFT_IRFFT)
        return rewrite_with(module, op, to_real(&r, value));
    if (r.n == 1)
        return rewrite_with(module, op, value);
    if (!fft_tables_is_smooth(r.n))
        return rewrite_with(module, op, bluestein(&r, value));
    if (r.n > FFT_TABLES_DIRECT && value->type->shape.rank < SHAPE_MAX_RANK)
        return rewrite_with(module, op, as_matrix(&r, value));
    return NULL;
}
