/* elementwise.c: broadcasts operands to the same lanes and dispatches by their type. */
#include "compiler/codegen/element/elementwise.h"

#include <math.h>
#include <stdio.h>

#include "compiler/codegen/element/complex.h"
#include "compiler/codegen/element/element_convert.h"

static int common_lanes(const struct element *in, int count)
{
    int lanes = 1;
    for (int i = 0; i < count; i++)
        lanes = in[i].lanes > lanes ? in[i].lanes : lanes;
    return lanes;
}

/* Operations whose result is one of the operands, or is exact for other reasons, need no
 * rounding. */
static bool is_exact(enum op_code code)
{
    switch (code) {
    case OP_abs:
    case OP_negate:
    case OP_maximum:
    case OP_minimum:
    case OP_clamp:
    case OP_sign:
    case OP_copy:
    case OP_floor:
    case OP_ceil:
    case OP_round_nearest_afz:
    case OP_round_nearest_even:
    case OP_compare:
    case OP_is_finite:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_not: return true;
    default: return false;
    }
}

/* Types narrower than a byte are kept sign- or zero-extended to a byte. These operations do not
 * preserve that: -(-8) must be -8 in a 4-bit type. */
static bool leaves_width(const struct elementwise *w)
{
    return dtype_is_integer(w->dtype) && dtype_info(w->dtype)->bits < 8 &&
           (w->code == OP_abs || w->code == OP_negate || w->code == OP_not);
}

static bool has_minus_zero(enum dtype dtype)
{
    uint64_t bits = 0;
    dtype_from_double(dtype, -0.0, &bits);
    double zero = dtype_to_double(dtype, &bits);
    return zero == 0 && signbit(zero);
}

/* Whether the greatest floats of the type are integers: those of f8e3m4 are not. */
static bool ends_in_integers(enum dtype dtype)
{
    const struct dtype_info *info = dtype_info(dtype);
    return (1 << info->exponent_bits) - 2 - info->exponent_bias >= info->significand_bits - 1;
}

/* Some small floats have no -0, or no integer beyond their greatest number. */
static bool leaves_small_float(const struct elementwise *w)
{
    if (!dtype_is_float(w->dtype) || dtype_info(w->dtype)->bits > 8)
        return false;
    switch (w->code) {
    case OP_negate: return !has_minus_zero(w->dtype);
    case OP_floor:
    case OP_ceil:
    case OP_round_nearest_afz:
    case OP_round_nearest_even: return !has_minus_zero(w->dtype) || !ends_in_integers(w->dtype);
    default: return false;
    }
}

static LLVMValueRef emit_real(const struct elementwise *w)
{
    LLVMValueRef value =
        dtype_is_float(w->dtype) ? elementwise_float_emit(w) : elementwise_integer_emit(w);
    bool excess =
        w->dtype == DTYPE_BF16 || w->dtype == DTYPE_F16; /* excess precision, within a fusion */
    bool exact = is_exact(w->code) && !leaves_width(w) && !leaves_small_float(w);
    if (value && !excess && !exact)
        value = element_round(w->e, w->dtype, value);
    return value;
}

/* Whether a bf16 or f16 value may have more precision than its type. False for values that were
 * loaded, converted or reduced. */
static bool has_excess(const struct value *value)
{
    enum dtype dtype = value->type->shape.dtype;
    const struct op *def = value->def;
    if (dtype != DTYPE_BF16 && dtype != DTYPE_F16)
        return false;
    while (def && def->operand_count == 1 && def->operands[0]->type->shape.dtype == dtype &&
           (is_exact(def->code) || !(op_info(def->code)->traits & OP_ELEMENTWISE)))
        def = def->operands[0]->def;
    return def && def->code != OP_convert && def->code != OP_reduce;
}

static struct error *unimplemented(const struct elementwise *w)
{
    char text[96];
    snprintf(text, sizeof text, "%s of %s", op_info(w->code)->name, dtype_name(w->dtype));
    const struct op *op = w->op ? w->op : w->e->op;
    return emitter_unimplemented(w->e, op, text);
}

static bool is_quantized(const struct op *op)
{
    return op->code == OP_uniform_quantize || op->code == OP_uniform_dequantize ||
           op->results[0].type->quantization;
}

struct error *elementwise_emit(struct emitter *e, const struct op *op, const struct element *in,
                               struct element *out)
{
    enum dtype result = op->results[0].type->shape.dtype;
    enum dtype dtype = op->operands[op->code == OP_select]->type->shape.dtype;
    struct elementwise w = {.e = e, .op = op, .code = op->code, .dtype = dtype};
    if (is_quantized(op) || op->operand_count > 3)
        return unimplemented(&w);
    if (op->code == OP_select) {
        *out = element_select(e, &in[0], &in[1], &in[2]);
        return NULL;
    }
    if (op->code == OP_copy) {
        *out = in[0];
        return NULL;
    }
    if (dtype_is_complex(dtype) || dtype_is_complex(result) || op->code == OP_real ||
        op->code == OP_imag)
        return complex_emit(e, op, in, out);
    w.lanes = common_lanes(in, op->operand_count);
    w.type = element_type(e, dtype, w.lanes);
    for (int i = 0; i < op->operand_count; i++)
        w.in[i] = element_widen(e, &in[i], w.lanes).part[0];
    bool rounds = op->code == OP_convert || op->code == OP_reduce_precision;
    if (rounds && has_excess(op->operands[0]))
        w.in[0] = element_round(e, dtype, w.in[0]);
    LLVMValueRef value =
        op->code == OP_convert ? element_convert(e, w.in[0], dtype, result) : emit_real(&w);
    if (!value)
        return unimplemented(&w);
    *out = element_of(value);
    return NULL;
}

struct error *elementwise_combine(struct emitter *e, enum op_code code, enum dtype dtype,
                                  const struct element *a, const struct element *b,
                                  struct element *out)
{
    if (dtype_is_complex(dtype))
        return complex_combine(e, code, a, b, out);
    int lanes = a->lanes > b->lanes ? a->lanes : b->lanes;
    struct elementwise w = {.e = e, .code = code, .dtype = dtype, .lanes = lanes};
    w.type = element_type(e, dtype, lanes);
    w.in[0] = element_widen(e, a, lanes).part[0];
    w.in[1] = element_widen(e, b, lanes).part[0];
    LLVMValueRef value = emit_real(&w);
    if (!value)
        return unimplemented(&w);
    *out = element_of(value);
    return NULL;
}

struct error *elementwise_accumulate(struct emitter *e, enum dtype dtype, const struct element *a,
                                     const struct element *b, struct element *sum)
{
    struct element product;
    TRY(elementwise_combine(e, OP_multiply, dtype, a, b, &product));
    if (dtype_is_float(dtype))
        emitter_contract(product.part[0]);
    return elementwise_combine(e, dtype == DTYPE_PRED ? OP_or : OP_add, dtype, sum, &product, sum);
}
