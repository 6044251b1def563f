/* complex.c: complex arithmetic by parts. */
#include "compiler/codegen/complex.h"

#include "compiler/codegen/elementwise.h"

static LLVMValueRef mul(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
    return emitter_contract(LLVMBuildFMul(b, x, y, ""));
}

static LLVMValueRef add(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
    return emitter_contract(LLVMBuildFAdd(b, x, y, ""));
}

static LLVMValueRef sub(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y)
{
    return emitter_contract(LLVMBuildFSub(b, x, y, ""));
}

/* x / y by Smith's method: the larger part of y is divided out first, so that squares do not overflow. */
static struct element divide(LLVMBuilderRef b, struct emitter *e, const struct element *x,
                             const struct element *y)
{
    LLVMValueRef c = y->part[0], d = y->part[1];
    LLVMValueRef big = LLVMBuildFCmp(b, LLVMRealOGE, emitter_unary(e, "llvm.fabs", c),
                                     emitter_unary(e, "llvm.fabs", d), "");
    LLVMValueRef large = LLVMBuildSelect(b, big, c, d, ""),
                 small = LLVMBuildSelect(b, big, d, c, "");
    LLVMValueRef ratio = LLVMBuildFDiv(b, small, large, "");
    LLVMValueRef scale = add(b, large, mul(b, small, ratio));
    LLVMValueRef p = LLVMBuildSelect(b, big, x->part[0], x->part[1], "");
    LLVMValueRef q = LLVMBuildSelect(b, big, x->part[1], x->part[0], "");
    LLVMValueRef real = LLVMBuildFDiv(b, add(b, p, mul(b, q, ratio)), scale, "");
    LLVMValueRef minus = LLVMBuildFDiv(b, sub(b, q, mul(b, p, ratio)), scale, "");
    LLVMValueRef imaginary = LLVMBuildSelect(b, big, minus, LLVMBuildFNeg(b, minus, ""), "");
    return element_of_parts(real, imaginary);
}

struct error *complex_combine(struct emitter *e, enum op_code code, const struct element *a,
                              const struct element *b, struct element *out)
{
    int lanes = a->lanes > b->lanes ? a->lanes : b->lanes;
    LLVMBuilderRef k = e->builder;
    struct element x = element_widen(e, a, lanes), y = element_widen(e, b, lanes);
    switch (code) {
    case OP_add:
        *out = element_of_parts(add(k, x.part[0], y.part[0]), add(k, x.part[1], y.part[1]));
        return NULL;
    case OP_subtract:
        *out = element_of_parts(sub(k, x.part[0], y.part[0]), sub(k, x.part[1], y.part[1]));
        return NULL;
    case OP_multiply:
        *out = element_of_parts(sub(k, mul(k, x.part[0], y.part[0]), mul(k, x.part[1], y.part[1])),
                                add(k, mul(k, x.part[0], y.part[1]), mul(k, x.part[1], y.part[0])));
        return NULL;
    case OP_divide: *out = divide(k, e, &x, &y); return NULL;
    default:
        return ERROR(UNIMPLEMENTED, "%s: code generation does not have %s of complex numbers",
                     ir_where(e->arena, e->op), op_info(code)->name);
    }
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
    enum dtype from = op->operands[0]->type->dtype, to = op->results[0].type->dtype;
    enum dtype part = dtype_real_part(from), to_part = dtype_real_part(to);
    LLVMValueRef real = elementwise_convert(e, in->part[0], part, to_part);
    if (!dtype_is_complex(to)) {
        *out = element_of(real);
        return NULL;
    }
    LLVMValueRef imaginary =
        in->part[1] ? elementwise_convert(e, in->part[1], part, to_part) : zero_like(real);
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
    default:
        if (op->operand_count == 2)
            return complex_combine(e, op->code, &in[0], &in[1], out);
        return ERROR(UNIMPLEMENTED, "%s: code generation does not have it for complex numbers",
                     ir_where(e->arena, op));
    }
}
