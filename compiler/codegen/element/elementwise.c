/* elementwise.c: broadcasts operands to the same lanes and dispatches by their type. */
#include "compiler/codegen/element/elementwise.h"

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

static LLVMValueRef emit_real(const struct elementwise *w)
{
    LLVMValueRef value =
        dtype_is_float(w->dtype) ? elementwise_float_emit(w) : elementwise_integer_emit(w);
    return value ? elementwise_round(w, value) : NULL;
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
    if (rounds && elementwise_has_excess(e, op->operands[0]))
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
