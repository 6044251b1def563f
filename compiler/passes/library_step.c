/* library_step.c: see library_step.h. */
#include "compiler/passes/library_step.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/analysis/op_work.h"
#include "compiler/ir/build.h"

enum {
    TINY_PRODUCT = 2000,  /* multiply-adds of a product of a batch, for which a loop is faster than
                          * a library */
    TINY_MATRICES = 1000, /* the same of a product of two matrices */
    TINY_CONVOLUTION = 1000, /* multiply-adds of a convolution, which a loop computes before a
                              * library has been called */
    LARGE_PRODUCT = 3000000  /* multiply-adds from which bf16 is faster than f32 in blocks */
};

static enum dtype dtype_of(const struct value *value)
{
    return value->type->shape.dtype;
}

static bool is_empty(const struct op *op)
{
    return type_elements(op->operands[0]->type) == 0 || type_elements(op->operands[1]->type) == 0 ||
           type_elements(op->results[0].type) == 0;
}

static int64_t sizes_at(const struct type *type, struct dims dims)
{
    int64_t product = 1;
    for (int64_t i = 0; i < dims.count; i++)
        product *= type->shape.dims[dims.at[i]];
    return product;
}

/* The specification of the product with dense row-major operands and result. */
static struct dot_spec dense_spec(const struct op *dot)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    const struct type *lhs = dot->operands[0]->type, *rhs = dot->operands[1]->type;
    int64_t batch = sizes_at(lhs, at->lhs_batching_dimensions);
    int64_t k = sizes_at(lhs, at->lhs_contracting_dimensions);
    int64_t m = type_elements(lhs) / batch / k, n = type_elements(rhs) / batch / k;
    return (struct dot_spec){.lhs = lhs->shape.dtype,
                             .rhs = rhs->shape.dtype,
                             .out = dtype_of(&dot->results[0]),
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
           !dtype_is_complex(dtype_of(dot->operands[0]));
}

/* A product that a library does not compute faster than a loop, as of 8x8 matrices: it spends half
 * a microsecond on each, and a loop is part of the kernel around it. */
static bool is_tiny(const struct op *dot, const struct dot_spec *spec)
{
    double limit = spec->batch > 1 ? TINY_PRODUCT : is_product_of_matrices(dot) ? TINY_MATRICES : 0;
    return (double)spec->m * spec->n * spec->k <= limit;
}

bool library_step_may_be(const struct op *dot, const struct target *target)
{
    if (!target->supports_dot || is_empty(dot))
        return false;
    struct dot_spec dense = dense_spec(dot);
    return !is_tiny(dot, &dense) && target->supports_dot(&dense);
}

static bool is_tiny_convolution(const struct op *op)
{
    const struct type *kernel = op->operands[1]->type;
    double outs = (double)kernel->shape.dims[op->attrs.convolution.kernel_output_feature_dimension];
    return (double)type_elements(op->results[0].type) * (double)type_elements(kernel) / outs <=
           TINY_CONVOLUTION;
}

/* With operands of type `wide` and a result of f32; DTYPE_INVALID: with its own types. */
static bool convolution_is_supported(const struct op *op, const struct target *target,
                                     enum dtype wide)
{
    struct convolution_spec spec;
    if (!target->supports_convolution || is_empty(op) || is_tiny_convolution(op) ||
        op->attrs.convolution.input_spatial_dimensions.count > CONVOLUTION_MAX_SPATIAL)
        return false;
    library_spec_convolution(op, &spec);
    if (wide) {
        spec.lhs = spec.rhs = wide;
        spec.out = DTYPE_F32;
    }
    return target->supports_convolution(&spec);
}

bool library_step_supported(const struct op *op, const struct target *target)
{
    struct dot_spec spec;
    if (op->code == OP_convolution)
        return convolution_is_supported(op, target, DTYPE_INVALID);
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
    return dtype_is_integer(dtype) ? dtype_bytes(dtype) <= 2
                                   : dtype_is_float(dtype) && dtype != DTYPE_F64;
}

static bool operands_fit(const struct op *op, bool fits(enum dtype))
{
    return fits(dtype_of(op->operands[0])) && fits(dtype_of(op->operands[1]));
}

/* Whether the libraries support the operation with operands of type `wide` and a result of f32. */
static bool is_supported_as(const struct op *op, const struct target *target, enum dtype wide)
{
    if (op->code == OP_convolution)
        return convolution_is_supported(op, target, wide);
    if (!target->supports_dot)
        return false;
    struct dot_spec spec = dense_spec(op);
    spec.lhs = spec.rhs = wide;
    spec.out = DTYPE_F32;
    return !is_tiny(op, &spec) && target->supports_dot(&spec);
}

static bool is_supported_as_it_is(const struct op *op, const struct target *target)
{
    return op->code == OP_convolution ? convolution_is_supported(op, target, DTYPE_INVALID)
                                      : library_step_may_be(op, target);
}

/* The type to which the operands are converted; DTYPE_INVALID: they are not. */
static enum dtype widened_type(const struct op *op, const struct target *target)
{
    const struct cpu_features *features = target->features;
    if ((op->code != OP_dot_general && op->code != OP_convolution) || is_empty(op) ||
        !operands_fit(op, fits_f32) || !dtype_is_float(dtype_of(&op->results[0])) ||
        dtype_of(&op->results[0]) == DTYPE_F64 || is_supported_as_it_is(op, target))
        return DTYPE_INVALID;
    if (features && features->avx512_bf16 && operands_fit(op, fits_bf16) &&
        op_work_multiply_adds(op) >= LARGE_PRODUCT && is_supported_as(op, target, DTYPE_BF16))
        return DTYPE_BF16;
    return is_supported_as(op, target, DTYPE_F32) ? DTYPE_F32 : DTYPE_INVALID;
}

/* The transpose that is the only user of a value, or NULL. */
static struct op *only_transpose(const struct value *value)
{
    struct op *user = ir_has_one_use(value) ? value->uses->user : NULL;
    return user && user->code == OP_transpose && user->block == value->def->block ? user : NULL;
}

static struct value *convert(struct builder *b, struct value *value, enum dtype dtype)
{
    return dtype_of(value) == dtype ? value : build_convert(b, value, dtype);
}

struct op *library_step_widen(struct module *module, const struct target *target, struct op *op)
{
    enum dtype wider = widened_type(op, target);
    if (!wider)
        return op;
    struct op *transpose = only_transpose(&op->results[0]);
    struct value *replaced = transpose ? &transpose->results[0] : &op->results[0];
    struct builder b = {module, op->block, op, op->location};
    struct value *lhs = convert(&b, op->operands[0], wider);
    struct value *rhs =
        op->operands[1] == op->operands[0] ? lhs : convert(&b, op->operands[1], wider);
    const struct type *type = type_with_dtype(module->arena, op->results[0].type, DTYPE_F32);
    struct value *wide =
        build_declared(&b, op->code, 2, (struct value *[]){lhs, rhs}, type, &op->attrs);
    struct value *result = wide;
    if (transpose) {
        b.before = transpose;
        result = build_transpose(&b, result, transpose->attrs.transpose.permutation.at);
    }
    result = convert(&b, result, dtype_of(replaced));
    ir_replace_uses(module, replaced, result);
    if (transpose)
        ir_remove(transpose);
    ir_remove(op);
    return wide->def;
}
