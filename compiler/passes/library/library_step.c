/* library_step.c: see library_step.h. */
#include "compiler/passes/library/library_step.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/stencil.h"
#include "compiler/ir/build.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    TINY_PRODUCT = 2000,  /* multiply-adds of a product of a batch, for which a loop is faster than
                          * a library */
    TINY_MATRICES = 1000, /* the same of a product of two matrices */
    TINY_STRIDED = 64,    /* the same of a product for which a loop does not read vectors */
    LONG_SUM = 16,        /* terms of which a loop adds vectors */
    THIN_COLUMNS = 6,     /* too few for a loop to compute a vector of them at a time, */
    THIN_BYTES = 40,      /* which they fill, if they are wide, as f64 are */
    MANY_ROWS = 16,       /* that read a transposed operand of few columns */
    SMALL_S8 = 1 << 12,   /* multiply-adds of a product of a batch, for which calls for s8 take
                           * longer than for s32 */
    SMALL_BF16 = 1 << 13, /* the same of a product for which they do for bf16 than for f32 */
    FEW_ROWS = 8,         /* fewer do not pay for a conversion of the other operand */
    TINY_CONVOLUTION = 1000, /* multiply-adds of a convolution, which a loop computes before a
                              * library has been called */
    LARGE_PRODUCT = 3000000  /* multiply-adds from which bf16 is faster than f32 in blocks */
};

static bool is_pred(enum dtype dtype)
{
    return dtype == DTYPE_PRED;
}

static bool is_empty(const struct op *op)
{
    return type_elements(op->operands[0]->type) == 0 || type_elements(op->operands[1]->type) == 0 ||
           type_elements(op->results[0].type) == 0;
}

/* The specification of the product with dense row-major operands and result. */
static struct dot_spec dense_spec(const struct op *dot)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    const struct type *lhs = dot->operands[0]->type, *rhs = dot->operands[1]->type;
    int64_t batch = dims_elements(lhs, at->lhs_batching_dimensions);
    int64_t k = dims_elements(lhs, at->lhs_contracting_dimensions);
    int64_t m = type_elements(lhs) / batch / k, n = type_elements(rhs) / batch / k;
    return (struct dot_spec){.lhs = library_spec_dtype(lhs->shape.dtype),
                             .rhs = library_spec_dtype(rhs->shape.dtype),
                             .out = ir_dtype(&dot->results[0]),
                             .batch = batch,
                             .m = m,
                             .n = n,
                             .k = k,
                             .lhs_batch_stride = m * k,
                             .lhs_m_stride = k,
                             .lhs_k_stride = 1,
                             .rhs_batch_stride = k * n,
                             .rhs_k_stride = n,
                             .rhs_n_stride = 1,
                             .out_batch_stride = m * n,
                             .out_m_stride = n,
                             .out_n_stride = 1,
                             .outer = 1};
}

static bool is_product_of_matrices(const struct op *dot)
{
    return dot->operands[0]->type->shape.rank <= 2 && dot->operands[1]->type->shape.rank <= 2 &&
           !dtype_is_complex(ir_dtype(dot->operands[0]));
}

static bool is_transposed(const struct value *value)
{
    return value->def && value->def->code == OP_transpose;
}

/* The dimension along which elements are side by side; -1: there is only one element. */
static int64_t innermost(const struct type *type)
{
    int64_t last = type->shape.rank - 1;
    while (last >= 0 && type->shape.dims[last] == 1)
        last--;
    return last;
}

/* Whether a loop over the result reads vectors: along what is innermost in the result, the operand
 * that varies has its elements side by side; or both have the terms of a sum side by side. */
static bool loop_reads_vectors(const struct op *dot)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    const struct type *lhs = dot->operands[0]->type;
    int64_t l = innermost(lhs), r = innermost(dot->operands[1]->type);
    int64_t out = innermost(dot->results[0].type), batches = at->lhs_batching_dimensions.count;
    int64_t columns = lhs->shape.rank - at->lhs_contracting_dimensions.count;
    bool is_lhs_summed = dims_contain(at->lhs_contracting_dimensions, l);
    bool is_rhs_summed = dims_contain(at->rhs_contracting_dimensions, r);
    if (l >= 0 && is_lhs_summed && is_rhs_summed)
        return lhs->shape.dims[l] >= LONG_SUM;
    bool is_lhs_batch = dims_contain(at->lhs_batching_dimensions, l);
    bool is_rhs_batch = dims_contain(at->rhs_batching_dimensions, r);
    if (out < batches)
        return is_lhs_batch && is_rhs_batch;
    return out < columns ? !is_lhs_summed && !is_lhs_batch : !is_rhs_summed && !is_rhs_batch;
}

static bool is_narrow_integer(const struct value *value)
{
    return (dtype_is_integer(ir_dtype(value)) || is_pred(ir_dtype(value))) &&
           dtype_bytes(ir_dtype(value)) < 4;
}

bool library_step_is_thin_loop(const struct op *dot)
{
    return is_narrow_integer(&dot->results[0]) && library_step_has_thin_result(dot);
}

bool library_step_has_thin_result(const struct op *dot)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    const struct type *lhs = dot->operands[0]->type;
    int64_t l = innermost(lhs), r = innermost(dot->operands[1]->type);
    if (is_empty(dot))
        return false;
    struct dot_spec spec = dense_spec(dot);
    return l >= 0 && dims_contain(at->lhs_contracting_dimensions, l) &&
           lhs->shape.dims[l] >= LONG_SUM && !dims_contain(at->rhs_contracting_dimensions, r) &&
           spec.n <= THIN_COLUMNS && spec.m >= MANY_ROWS &&
           spec.n * dtype_bytes(ir_dtype(&dot->results[0])) <= THIN_BYTES;
}

/* Whether a loop is as fast as a library: it reads vectors, and there are no transposes that a
 * library would not need. */
static bool is_fast_loop(const struct op *dot)
{
    return loop_reads_vectors(dot) && !is_transposed(dot->operands[0]) &&
           !is_transposed(dot->operands[1]) && !rewrite_only_transpose(&dot->results[0]);
}

/* Whether elements of a matrix are used once each, and the product is no float's, which
 * vector_product.h would have replaced. */
static bool is_integer_vector(const struct dot_spec *spec)
{
    return (spec->m == 1 || spec->n == 1) && (dtype_is_integer(spec->out) || is_pred(spec->out));
}

static bool is_small(const struct op *dot, const struct dot_spec *spec)
{
    double limit = spec->batch > 1 ? TINY_PRODUCT : is_product_of_matrices(dot) ? TINY_MATRICES : 0;
    return (double)spec->m * spec->n * spec->k <= limit;
}

/* A product that a library does not compute faster than a loop, as of 8x8 matrices: a library calls
 * a function for each. */
static bool is_tiny(const struct op *dot, const struct dot_spec *spec)
{
    if (is_integer_vector(spec))
        return true;
    return is_small(dot, spec) &&
           ((double)spec->m * spec->n * spec->k <= TINY_STRIDED || is_fast_loop(dot));
}

bool library_step_may_be(const struct op *dot, const struct target *target)
{
    if (!target->supports_dot || is_empty(dot))
        return false;
    struct dot_spec dense = dense_spec(dot);
    return !is_tiny(dot, &dense) && target->supports_dot(&dense);
}

bool library_step_must_be(const struct op *dot, const struct target *target)
{
    if (!target->supports_dot || is_empty(dot))
        return false;
    struct dot_spec dense = dense_spec(dot);
    return !is_small(dot, &dense) && !is_integer_vector(&dense) && target->supports_dot(&dense);
}

static bool is_tiny_convolution(const struct op *op)
{
    const struct type *kernel = op->operands[1]->type;
    double outs = (double)kernel->shape.dims[op->attrs.convolution.kernel_output_feature_dimension];
    return (double)type_elements(op->results[0].type) * (double)type_elements(kernel) / outs <=
           TINY_CONVOLUTION;
}

/* With operands of type `wide` and a result of another; DTYPE_INVALID: with its own types. */
static bool convolution_is_supported(const struct op *op, const struct target *target,
                                     enum dtype wide, enum dtype result)
{
    struct convolution_spec spec;
    if (!target->supports_convolution || is_empty(op) || is_tiny_convolution(op) ||
        stencil_is(op) ||
        op->attrs.convolution.input_spatial_dimensions.count > CONVOLUTION_MAX_SPATIAL)
        return false;
    library_spec_convolution(op, &spec);
    if (wide) {
        spec.lhs = spec.rhs = wide;
        spec.out = result;
    }
    return target->supports_convolution(&spec);
}

bool library_step_supported(const struct op *op, const struct target *target)
{
    struct dot_spec spec;
    if (op->code == OP_convolution)
        return convolution_is_supported(op, target, DTYPE_INVALID, DTYPE_INVALID);
    return library_step_may_be(op, target) && library_spec_dot(op, &spec) &&
           target->supports_dot(&spec);
}

/* ---- narrow operands as bf16 or f32 ---------------------------------------------------------- */
/* Whether bf16 has every value of the type as a normal number: matrix units flush others. */
static bool fits_bf16(enum dtype dtype)
{
    return dtype == DTYPE_BF16 || ((dtype_is_integer(dtype) || dtype_is_float(dtype)) &&
                                   dtype_info(dtype)->bits <= 8 && dtype != DTYPE_F8E8M0FNU);
}

static bool fits_f32(enum dtype dtype)
{
    return dtype == DTYPE_PRED ||
           (dtype_is_integer(dtype) ? dtype_bytes(dtype) <= 2
                                    : dtype_is_float(dtype) && dtype != DTYPE_F64);
}

static bool operands_fit(const struct op *op, bool fits(enum dtype))
{
    return fits(ir_dtype(op->operands[0])) && fits(ir_dtype(op->operands[1]));
}

/* Whether the libraries support the operation with operands of type `wide` and results of another
 * type. */
static bool is_supported_as(const struct op *op, const struct target *target, enum dtype wide,
                            enum dtype result)
{
    if (op->code == OP_convolution)
        return convolution_is_supported(op, target, wide, result);
    if (!target->supports_dot)
        return false;
    struct dot_spec spec = dense_spec(op);
    spec.lhs = spec.rhs = wide;
    spec.out = result;
    return !is_tiny(op, &spec) && target->supports_dot(&spec);
}

static bool is_supported_as_it_is(const struct op *op, const struct target *target)
{
    return op->code == OP_convolution
               ? convolution_is_supported(op, target, DTYPE_INVALID, DTYPE_INVALID)
               : library_step_may_be(op, target);
}

/* The types of an operation that replaces another. */
struct wider {
    enum dtype operands; /* DTYPE_INVALID: none replaces it */
    enum dtype result;
};

static const struct wider unchanged = {DTYPE_INVALID, DTYPE_INVALID};

static bool is_s8(enum dtype dtype)
{
    return dtype == DTYPE_S8;
}

/* The lower 8 bits of a product are the same whether operands have a sign or not. */
static bool is_byte(enum dtype dtype)
{
    return dtype == DTYPE_S8 || dtype == DTYPE_U8;
}

static bool is_bf16(enum dtype dtype)
{
    return dtype == DTYPE_BF16;
}

/* Whether each product of a batch is small. */
static bool has_small_products(const struct op *op)
{
    if (op->code != OP_dot_general)
        return false;
    struct dot_spec spec = dense_spec(op);
    return spec.batch > 1 && (double)spec.m * spec.n * spec.k <= SMALL_S8;
}

/* Whether no call of a library has all of many small products of bf16, as their batch is no single
 * dimension: each call takes longer than its products do as f32. */
static bool has_small_calls_of_bf16(const struct op *op, const struct target *target)
{
    struct dot_spec spec;
    return op->code == OP_dot_general && operands_fit(op, is_bf16) && library_spec_dot(op, &spec) &&
           spec.outer > 1 && (double)spec.m * spec.n * spec.k <= SMALL_BF16 &&
           is_supported_as(op, target, DTYPE_F32, DTYPE_F32);
}

static struct wider wider_floats(const struct op *op, const struct target *target)
{
    if (has_small_calls_of_bf16(op, target))
        return (struct wider){DTYPE_F32, DTYPE_F32};
    if (target->isa.bf16 && operands_fit(op, fits_bf16) &&
        op_work_multiply_adds(op) >= LARGE_PRODUCT &&
        is_supported_as(op, target, DTYPE_BF16, DTYPE_F32))
        return (struct wider){DTYPE_BF16, DTYPE_F32};
    if (operands_fit(op, fits_f32) && is_supported_as(op, target, DTYPE_F32, DTYPE_F32))
        return (struct wider){DTYPE_F32, DTYPE_F32};
    return unchanged;
}

/* Whether an operation can be one of s8, as its result has only the bits that this gives. Operands
 * of few rows take longer to convert than to multiply. */
static bool may_be_s8(const struct op *op, const struct target *target)
{
    bool is_byte_result = dtype_bytes(ir_dtype(&op->results[0])) == 1;
    if (dtype_bytes(ir_dtype(&op->results[0])) > 4 || has_small_products(op))
        return false;
    if (op->code == OP_dot_general && is_byte_result && dense_spec(op).m >= FEW_ROWS)
        return operands_fit(op, is_byte) && is_supported_as(op, target, DTYPE_S8, DTYPE_S32);
    return operands_fit(op, is_s8) && is_supported_as(op, target, DTYPE_S8, DTYPE_S32);
}

/* Integers, of which results have the lowest bits, whatever the others are. */
static struct wider wider_integers(const struct op *op, const struct target *target)
{
    enum dtype wide = dtype_bytes(ir_dtype(&op->results[0])) > 4 ? DTYPE_S64 : DTYPE_S32;
    if (may_be_s8(op, target))
        return (struct wider){DTYPE_S8, DTYPE_S32};
    if (is_supported_as(op, target, wide, wide))
        return (struct wider){wide, wide};
    return unchanged;
}

/* Predicates: as no term is negative, a sum is 0 only if all of them are. */
static struct wider wider_predicates(const struct op *op, const struct target *target)
{
    if (!has_small_products(op) && is_supported_as(op, target, DTYPE_S8, DTYPE_S32))
        return (struct wider){DTYPE_S8, DTYPE_S32};
    return wider_floats(op, target);
}

/* Whether the library's vectors, which add four products of s8 at once, take less than a loop's. */
static bool is_long_product_of_s8(const struct op *op, const struct target *target)
{
    struct dot_spec spec = dense_spec(op);
    return spec.k >= LONG_SUM && (double)spec.m * spec.n * spec.k > SMALL_S8 &&
           dtype_is_integer(spec.out) && may_be_s8(op, target);
}

/* Whether a loop has more elements in a vector than the library, and reads vectors. */
static bool is_narrow_loop(const struct op *op, const struct target *target)
{
    return op->code == OP_dot_general && is_narrow_integer(&op->results[0]) &&
           loop_reads_vectors(op) && !is_long_product_of_s8(op, target);
}

static struct wider wider_types(const struct op *op, const struct target *target)
{
    if ((op->code != OP_dot_general && op->code != OP_convolution) || is_empty(op) ||
        is_narrow_loop(op, target))
        return unchanged;
    enum dtype result = ir_dtype(&op->results[0]);
    bool are_calls_slow =
        (operands_fit(op, is_s8) && has_small_products(op)) || has_small_calls_of_bf16(op, target);
    if (is_supported_as_it_is(op, target) && !are_calls_slow)
        return unchanged;
    if (dtype_is_integer(result) && operands_fit(op, dtype_is_integer))
        return wider_integers(op, target);
    if (is_pred(result) && operands_fit(op, is_pred))
        return wider_predicates(op, target);
    if (dtype_is_float(result) && result != DTYPE_F64)
        return wider_floats(op, target);
    return unchanged;
}

struct op *library_step_widen(struct module *module, const struct target *target, struct op *op)
{
    struct wider wider = wider_types(op, target);
    if (!wider.operands)
        return op;
    struct op *transpose = rewrite_only_transpose(&op->results[0]);
    struct value *replaced = transpose ? &transpose->results[0] : &op->results[0];
    struct builder b = {module, op->block, op, op->location};
    struct value *lhs = build_convert(&b, op->operands[0], wider.operands);
    struct value *rhs = op->operands[1] == op->operands[0]
                            ? lhs
                            : build_convert(&b, op->operands[1], wider.operands);
    const struct type *type = type_with_dtype(module->arena, op->results[0].type, wider.result);
    struct value *wide =
        build_declared(&b, op->code, 2, (struct value *[]){lhs, rhs}, type, &op->attrs);
    struct value *result = wide;
    if (transpose) {
        b.before = transpose;
        result = build_transpose(&b, result, transpose->attrs.transpose.permutation.at);
    }
    result = build_convert(&b, result, ir_dtype(replaced));
    ir_replace_uses(module, replaced, result);
    if (transpose)
        ir_remove(transpose);
    ir_remove(op);
    return wide->def;
}
