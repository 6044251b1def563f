#include "compiler/passes/canonicalize/canonicalize_fft.h"

#include <string.h>

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/program/fft_split.h"
#include "compiler/program/fft_tables.h"
#include "compiler/program/fft_transform.h"

enum {
    TABLE_BYTES = 256 << 10, /* larger tables are not constants of the program */
    MIN_BLOCKS = 4,
    MAX_BLOCKS = 8,
    MIN_BLOCKS_BYTES = 1 << 20, /* of matrices that are transformed in blocks */
    MIN_DIVISOR = 16            /* from which two short padded transforms beat a long one */
};

struct rule {
    struct module *module;
    struct op *op;
    struct builder b;
    enum fft_type kind;
    bool inverse;
    int64_t n;           /* the length */
    struct error *error; /* from computing a table; owned */
};

/* ---- helpers --------------------------------------------------------------------------------- */
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

/* ---- tables ---------------------------------------------------------------------------------- */
/* A builder at the beginning of the function, whose values are visible in all regions. */
static struct builder at_begin(const struct rule *r)
{
    struct block *block = r->op->block;
    while (block->owner)
        block = block->owner->block;
    return (struct builder){r->module, block, block->first, r->op->location};
}

static struct value *deferred_table(struct rule *r, const struct fft_table *table,
                                    const struct type *type)
{
    union attrs attrs = {.fft_table = {.kind = table->kind,
                                       .length = table->n,
                                       .columns = table->columns,
                                       .inverse = table->inverse,
                                       .factor_re = table->factor_re,
                                       .factor_im = table->factor_im}};
    struct builder b = at_begin(r);
    return build_declared(&b, OP_fft_table, 0, NULL, type, &attrs);
}

static struct value *constant_table(struct rule *r, const struct fft_table *table,
                                    const struct type *type)
{
    void *bytes = arena_alloc(r->module->arena, (size_t)type_bytes(type));
    r->error = error_join(r->error, fft_tables_fill(table, bytes));
    return build_constant(&r->b, literal_dense(r->module->arena, type, bytes));
}

/* A table, broadcast along the leading dimensions of `value`. It is a constant; a large table is
 * computed when the program first runs. */
static struct value *table_for(struct rule *r, struct value *value, struct fft_table table,
                               int rank, const int64_t *dims)
{
    int64_t last[SHAPE_MAX_RANK];
    enum dtype part = dtype_real_part(r->op->operands[0]->type->shape.dtype);
    table.dtype = part == DTYPE_F64 ? DTYPE_C128 : DTYPE_C64;
    table.inverse = r->inverse;
    table.n = r->n;
    const struct type *type = type_tensor(r->module->arena, table.dtype, rank, dims);
    table.count = type_elements(type);
    bool large = type_bytes(type) > TABLE_BYTES;
    struct value *values =
        large ? deferred_table(r, &table, type) : constant_table(r, &table, type);
    for (int i = 0; i < rank; i++)
        last[i] = value->type->shape.rank - rank + i;
    return build_broadcast(&r->b, values, value->type, rank, last);
}

static struct value *multiply_table(struct rule *r, struct value *value, struct fft_table table,
                                    int rank, const int64_t *dims)
{
    return multiply(r, value, table_for(r, value, table, rank, dims));
}

/* ---- several dimensions ---------------------------------------------------------------------- */
static struct value *transform_dims(struct rule *r, struct value *value)
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
/* value[k] * factor_im * i * exp(-+ 2 pi i k / n) for k in [0, count), along rows. */
static struct value *multiply_roots(struct rule *r, struct value *value, int64_t count,
                                    double factor_im)
{
    struct fft_table table = {.kind = FFT_TABLE_ROOTS, .columns = 1, .factor_im = factor_im};
    return multiply_table(r, value, table, 1, &count);
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
    difference = multiply_roots(r, difference, half + 1, -0.5);
    return build_binary(&r->b, OP_add, multiply(r, sum, build_splat(&r->b, sum->type, 0.5)),
                        difference);
}

/* A mask of the elements that are neither the first nor, for even lengths, the last of their
 * row. */
static struct value *inner_mask(struct rule *r, const struct type *wide)
{
    int64_t last = wide->shape.rank - 1;
    enum dtype dtype = wide->shape.dims[last] <= INT32_MAX ? DTYPE_S32 : DTYPE_S64;
    const struct type *type = type_with_dtype(r->module->arena, wide, dtype);
    union attrs attrs = {.iota = {.iota_dimension = last}};
    struct value *index = build_declared(&r->b, OP_iota, 0, NULL, type, &attrs);
    struct value *mask = build_compare(&r->b, COMPARE_GT, index, build_splat(&r->b, type, 0));
    if (r->n % 2)
        return mask;
    struct value *end = build_splat(&r->b, type, (double)(wide->shape.dims[last] - 1));
    return build_binary(&r->b, OP_and, mask, build_compare(&r->b, COMPARE_LT, index, end));
}

/* Sets the imaginary part of the first element and, for even lengths, of the last one to 0. */
static struct value *real_ends(struct rule *r, struct value *value)
{
    struct value *im = build_unary(&r->b, OP_imag, value);
    im = build_select(&r->b, inner_mask(r, im->type), im, build_splat(&r->b, im->type, 0));
    return complex_of(r, build_unary(&r->b, OP_real, value), im);
}

/* The inverse of from_real(): Z[k] = (X[k] + X*[h - k]) / 2 + i exp(2 pi i k / n) (X[k] - X*[h -
 * k]) / 2. */
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
    difference = multiply_roots(r, difference, half, 0.5);
    sum = multiply(r, sum, build_splat(&r->b, sum->type, 0.5));
    struct value *z = transform(r, build_binary(&r->b, OP_add, sum, difference), FFT_IFFT, half);
    struct value *evens = reshape_last(r, build_unary(&r->b, OP_real, z), half, 1);
    struct value *odds = reshape_last(r, build_unary(&r->b, OP_imag, z), half, 1);
    const struct type *type = r->op->results[0].type;
    return build_reshape(&r->b, join(r, evens, odds), type->shape.rank, type->shape.dims);
}

/* ---- long rows ------------------------------------------------------------------------------- */
/* Into how many blocks of columns a matrix is divided, so that a copy of one is much smaller. */
static int64_t blocks_of(const struct value *matrix)
{
    int64_t columns = last_of(matrix);
    for (int64_t count = MIN_BLOCKS; count <= MAX_BLOCKS; count++)
        if (columns % count == 0 && type_bytes(matrix->type) >= MIN_BLOCKS_BYTES)
            return count;
    return 1;
}

static struct value *update_columns(struct rule *r, struct value *matrix, struct value *columns,
                                    int64_t first)
{
    struct value *operands[SHAPE_MAX_RANK + 2] = {matrix, columns};
    int rank = matrix->type->shape.rank;
    for (int i = 0; i < rank; i++)
        operands[2 + i] = build_scalar(&r->b, DTYPE_S64, i == rank - 1 ? (double)first : 0);
    return &build_op(&r->b, OP_dynamic_update_slice, rank + 2, operands, 1, NULL)->results[0];
}

/* Multiplies by the twiddles and transforms the columns of the matrices, a block after another, so
 * that only a block is needed in addition to the result. */
static struct value *transform_columns(struct rule *r, struct value *matrix, struct value *twiddles)
{
    int64_t width = last_of(matrix) / blocks_of(matrix), columns = last_of(matrix);
    int dim = matrix->type->shape.rank - 2;
    for (int64_t first = 0; first < columns; first += width) {
        bool whole = width == columns;
        struct value *block = whole ? matrix : part(r, matrix, first, first + width, 1);
        block = multiply(r, block, whole ? twiddles : part(r, twiddles, first, first + width, 1));
        block = exchange(r, block, dim);
        block = exchange(r, transform(r, block, r->kind, last_of(block)), dim);
        matrix = whole ? block : update_columns(r, matrix, block, first);
    }
    return matrix;
}

static struct value *as_matrix(struct rule *r, struct value *value)
{
    int64_t n1 = fft_split_middle(r->n), n2 = r->n / n1, dims[] = {n2, n1};
    struct fft_table table = {.kind = FFT_TABLE_TWIDDLES, .columns = n1};
    int rank = value->type->shape.rank;
    value = exchange(r, reshape_last(r, value, n1, n2), rank - 1);
    value = transform(r, value, r->kind, n1);
    value = transform_columns(r, value, table_for(r, value, table, 2, dims));
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

/* With c[j] = exp(-i pi j^2 / n): X[k] = c[k] * sum of (x[j] c[j]) c*[k - j]. The convolution is a
 * product of transforms; the inverse one is the conjugate of the transform of the conjugate, so
 * that both have the same tables. */
static struct value *bluestein(struct rule *r, struct value *value)
{
    int64_t n = r->n, m = fft_transform_length(2 * n - 1);
    struct fft_table chirp = {.kind = FFT_TABLE_CHIRP, .columns = 1, .factor_re = 1};
    struct fft_table filter = {.kind = FFT_TABLE_FILTER, .columns = 1};
    value = pad_last(r, multiply_table(r, value, chirp, 1, &n), m);
    value = multiply_table(r, transform(r, value, FFT_FFT, m), filter, 1, &m);
    value = conjugate(r, transform(r, conjugate(r, value), FFT_FFT, m));
    chirp.factor_re = 1 / (double)m / (r->inverse ? (double)n : 1);
    return multiply_table(r, part(r, value, 0, n, 1), chirp, 1, &n);
}

/* Long rows of composite lengths are transformed as a matrix, whose parts are padded instead. */
static bool is_matrix(const struct rule *r, const struct value *value)
{
    if (r->n <= FFT_TABLES_DIRECT || value->type->shape.rank >= SHAPE_MAX_RANK)
        return false;
    return fft_tables_is_smooth(r->n) || fft_split_middle(r->n) >= MIN_DIVISOR;
}

/* ---- the rule -------------------------------------------------------------------------------- */
/* True for lengths of real rows that one kernel transforms. */
static bool is_direct_real(int64_t n)
{
    return n % 2 == 0 && n >= 4 && n / 2 <= FFT_TABLES_DIRECT && fft_tables_is_smooth(n / 2);
}

static struct error *replace(struct rule *r, struct value *with)
{
    return r->error ? r->error : rewrite_with(r->module, r->op, with);
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
        return replace(&r, value);
    r.n = lengths.at[lengths.count - 1];
    if (lengths.count > 1)
        return replace(&r, transform_dims(&r, value));
    if (r.kind == FFT_RFFT && is_direct_real(r.n))
        return NULL;
    if (r.kind == FFT_RFFT)
        return replace(&r, from_real(&r, value));
    if (r.kind == FFT_IRFFT)
        return replace(&r, to_real(&r, value));
    if (r.n == 1)
        return replace(&r, value);
    if (is_matrix(&r, value))
        return replace(&r, as_matrix(&r, value));
    return fft_tables_is_smooth(r.n) ? NULL : replace(&r, bluestein(&r, value));
}
