/* complex.c: maps operations to functions of complex numbers. */
#include "compiler/codegen/element/complex.h"

#include "compiler/codegen/element/element_convert.h"
#include "compiler/codegen/element/math.h"
#include "compiler/codegen/vecmath/vecmath_complex.h"

static vecmath_complex_unary *const unaries[OP_CODE_COUNT] = {
    [OP_cbrt] = vecmath_complex_cbrt,         [OP_cosine] = vecmath_complex_cos,
    [OP_exponential] = vecmath_complex_exp,   [OP_exponential_minus_one] = vecmath_complex_expm1,
    [OP_log] = vecmath_complex_log,           [OP_log_plus_one] = vecmath_complex_log1p,
    [OP_logistic] = vecmath_complex_logistic, [OP_rsqrt] = vecmath_complex_rsqrt,
    [OP_sign] = vecmath_complex_sign,         [OP_sine] = vecmath_complex_sin,
    [OP_sqrt] = vecmath_complex_sqrt,         [OP_tan] = vecmath_complex_tan,
    [OP_tanh] = vecmath_complex_tanh,
};

static vecmath_complex_binary *const binaries[OP_CODE_COUNT] = {
    [OP_add] = vecmath_complex_add,       [OP_atan2] = vecmath_complex_atan2,
    [OP_divide] = vecmath_complex_divide, [OP_multiply] = vecmath_complex_multiply,
    [OP_power] = vecmath_complex_pow,     [OP_subtract] = vecmath_complex_subtract,
};

static struct vecmath_complex parts_of(const struct element *element)
{
    return (struct vecmath_complex){element->part[0], element->part[1]};
}

static struct error *unimplemented(struct emitter *e, enum op_code code)
{
    return ERROR(UNIMPLEMENTED, "%s: generated code does not support %s of complex numbers",
                 ir_where(e->arena, e->op), op_info(code)->name);
}

/* The lesser (or greater) number, compared by real part, then by imaginary part. NaN in either part
 * is propagated. */
static struct element extreme(struct emitter *e, bool maximum, const struct element *x,
                              const struct element *y)
{
    LLVMBuilderRef b = e->builder;
    LLVMRealPredicate before = maximum ? LLVMRealOGT : LLVMRealOLT;
    LLVMValueRef real = LLVMBuildFCmp(b, before, x->part[0], y->part[0], "");
    LLVMValueRef equal = LLVMBuildFCmp(b, LLVMRealOEQ, x->part[0], y->part[0], "");
    LLVMValueRef imaginary = LLVMBuildFCmp(b, before, x->part[1], y->part[1], "");
    LLVMValueRef first = LLVMBuildOr(b, real, LLVMBuildAnd(b, equal, imaginary, ""), "");
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, x->part[0], x->part[1], "");
    LLVMValueRef other = LLVMBuildFCmp(b, LLVMRealORD, y->part[0], y->part[1], "");
    first = LLVMBuildOr(b, nan, LLVMBuildAnd(b, first, other, ""), "");
    struct element condition = element_of(first);
    return element_select(e, &condition, x, y);
}

struct error *complex_combine(struct emitter *e, enum op_code code, const struct element *a,
                              const struct element *b, struct element *out)
{
    int lanes = a->lanes > b->lanes ? a->lanes : b->lanes;
    struct element x = element_widen(e, a, lanes), y = element_widen(e, b, lanes);
    if (code == OP_maximum || code == OP_minimum) {
        *out = extreme(e, code == OP_maximum, &x, &y);
        return NULL;
    }
    if (!binaries[code])
        return unimplemented(e, code);
    struct vecmath m = math_over(e, x.part[0]);
    struct vecmath_complex result = binaries[code](&m, parts_of(&x), parts_of(&y));
    *out = element_of_parts(result.re, result.im);
    return NULL;
}

static struct error *emit_unary(struct emitter *e, enum op_code code, const struct element *in,
                                struct element *out)
{
    struct vecmath m = math_over(e, in->part[0]);
    if (code == OP_abs) {
        *out = element_of(vecmath_complex_abs(&m, parts_of(in)));
        return NULL;
    }
    if (!unaries[code])
        return unimplemented(e, code);
    struct vecmath_complex result = unaries[code](&m, parts_of(in));
    *out = element_of_parts(result.re, result.im);
    return NULL;
}

static LLVMValueRef zero_like(LLVMValueRef value)
{
    return LLVMConstNull(LLVMTypeOf(value));
}

static struct element compare(struct emitter *e, const struct op *op, const struct element *in)
{
    int lanes = in[0].lanes > in[1].lanes ? in[0].lanes : in[1].lanes;
    struct element x = element_widen(e, &in[0], lanes), y = element_widen(e, &in[1], lanes);
    LLVMValueRef real = LLVMBuildFCmp(e->builder, LLVMRealOEQ, x.part[0], y.part[0], "");
    LLVMValueRef imaginary = LLVMBuildFCmp(e->builder, LLVMRealOEQ, x.part[1], y.part[1], "");
    LLVMValueRef equal = LLVMBuildAnd(e->builder, real, imaginary, "");
    if (op->attrs.compare.comparison_direction == COMPARE_NE)
        equal = LLVMBuildNot(e->builder, equal, "");
    return element_of(equal);
}

static struct error *convert(struct emitter *e, const struct op *op, const struct element *in,
                             struct element *out)
{
    enum dtype from = op->operands[0]->type->shape.dtype, to = op->results[0].type->shape.dtype;
    enum dtype part = dtype_real_part(from), to_part = dtype_real_part(to);
    LLVMValueRef real = element_convert(e, in->part[0], part, to_part);
    if (!dtype_is_complex(to)) {
        *out = element_of(real);
        return NULL;
    }
    LLVMValueRef imaginary =
        in->part[1] ? element_convert(e, in->part[1], part, to_part) : zero_like(real);
    *out = element_of_parts(real, imaginary);
    return NULL;
}

struct error *complex_emit(struct emitter *e, const struct op *op, const struct element *in,
                           struct element *out)
{
    LLVMBuilderRef b = e->builder;
    switch (op->code) {
    case OP_real: *out = element_of(in[0].part[0]); return NULL;
    case OP_imag:
        *out = element_of(in[0].part[1] ? in[0].part[1] : zero_like(in[0].part[0]));
        return NULL;
    case OP_complex: {
        int lanes = in[0].lanes > in[1].lanes ? in[0].lanes : in[1].lanes;
        *out = element_of_parts(element_widen(e, &in[0], lanes).part[0],
                                element_widen(e, &in[1], lanes).part[0]);
        return NULL;
    }
    case OP_negate:
        *out = element_of_parts(LLVMBuildFNeg(b, in[0].part[0], ""),
                                LLVMBuildFNeg(b, in[0].part[1], ""));
        return NULL;
    case OP_compare: *out = compare(e, op, in); return NULL;
    case OP_convert: return convert(e, op, in, out);
    case OP_clamp:
        TRY(complex_combine(e, OP_maximum, &in[0], &in[1], out));
        return complex_combine(e, OP_minimum, out, &in[2], out);
    default:
        if (op->operand_count == 2)
            return complex_combine(e, op->code, &in[0], &in[1], out);
        return op->operand_count == 1 ? emit_unary(e, op->code, in, out)
                                      : unimplemented(e, op->code);
    }
}
