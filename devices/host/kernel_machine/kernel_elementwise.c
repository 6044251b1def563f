#include "devices/host/kernel_machine/kernel_elementwise.h"

#include <math.h>
#include <string.h>

#include "devices/host/kernel_machine/kernel_lanes.h"

enum { CHUNK = 512 }; /* numbers that are widened at once: in the first cache */

/* ---- steps ----------------------------------------------------------------------------------- */
static enum kernel_flow run_plain(struct kernel_core *core, const struct kernel_instr *in)
{
    in->loop(kernel_at(core, in->out), kernel_at(core, in->in[0]), kernel_at(core, in->in[1]),
             kernel_at(core, in->in[2]), in->count);
    return KERNEL_FLOW_NEXT;
}

/* Operands as f32, the loop, and the result rounded, chunk by chunk. Without a loop the result is
 * the first operand. */
static enum kernel_flow run_wide(struct kernel_core *core, const struct kernel_instr *in)
{
    float wide[4][CHUNK];
    for (int64_t at = 0; at < in->count; at += CHUNK) {
        int64_t count = in->count - at < CHUNK ? in->count - at : CHUNK;
        const void *operands[3];
        char *out = (char *)kernel_at(core, in->out) + at * in->bytes[3];
        for (int i = 0; i < 3; i++) {
            operands[i] = (char *)kernel_at(core, in->in[i]) + at * in->bytes[i];
            if (in->widen[i]) {
                in->widen[i](wide[i], operands[i], NULL, NULL, count);
                operands[i] = wide[i];
            }
        }
        const void *result = in->loop ? wide[3] : operands[0];
        if (in->loop)
            in->loop(in->narrow ? (void *)wide[3] : out, operands[0], operands[1], operands[2],
                     count);
        if (in->narrow)
            in->narrow(out, result, NULL, NULL, count);
        else if (!in->loop)
            memcpy(out, result, (size_t)(count * in->bytes[3]));
    }
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_choice(struct kernel_core *core, const struct kernel_instr *in)
{
    bool first = *(const uint8_t *)kernel_at(core, in->in[0]) != 0;
    memcpy(kernel_at(core, in->out), kernel_at(core, in->in[first ? 1 : 2]),
           (size_t)(in->count * in->bytes[3]));
    return KERNEL_FLOW_NEXT;
}

/* ---- numbers of less than a byte ------------------------------------------------------------- */
#define FROM_PREDICATE(name, T)                                                                    \
    static void name(void *out, const void *a, const void *b, const void *c, int64_t count)        \
    {                                                                                              \
        T *o = out;                                                                                \
        const uint8_t *from = a;                                                                   \
        (void)b, (void)c;                                                                          \
        for (int64_t i = 0; i < count; i++)                                                        \
            o[i] = (T)(0 - from[i]);                                                               \
    }
FROM_PREDICATE(pred_to_8, int8_t)
FROM_PREDICATE(pred_to_16, int16_t)
FROM_PREDICATE(pred_to_32, int32_t)
FROM_PREDICATE(pred_to_64, int64_t)
FROM_PREDICATE(pred_to_f32, float)

/* The sign-extension of an i1. */
static kernel_loop from_predicate(enum dtype to)
{
    if (dtype_is_float(to))
        return pred_to_f32;
    switch (dtype_bytes(to)) {
    case 1: return pred_to_8;
    case 2: return pred_to_16;
    case 4: return pred_to_32;
    default: return pred_to_64;
    }
}

/* The low bits of the result's bytes, sign-extended where the type is signed. */
static enum kernel_flow run_cut(struct kernel_core *core, const struct kernel_instr *in)
{
    enum kernel_flow flow = run_wide(core, in);
    const struct dtype_info *info = dtype_info(in->op->results[0].type->dtype);
    uint8_t *out = kernel_at(core, in->out), mask = (uint8_t)((1u << info->bits) - 1);
    uint8_t sign = info->class == CLASS_SIGNED ? (uint8_t)(1u << (info->bits - 1)) : 0;
    for (int64_t i = 0; i < in->count; i++)
        out[i] = (uint8_t)(((out[i] & mask) ^ sign) - sign);
    return flow;
}

/* A float as a number of less than a byte: the nearest that the type has. plan_count: unsigned. */
static enum kernel_flow run_limit(struct kernel_core *core, const struct kernel_instr *in)
{
    enum kernel_flow flow = run_wide(core, in);
    int bits = dtype_info(in->op->results[0].type->dtype)->bits;
    int high = in->plan_count ? (1 << bits) - 1 : (1 << (bits - 1)) - 1;
    int low = in->plan_count ? 0 : -high - 1;
    int8_t *out = kernel_at(core, in->out);
    for (int64_t i = 0; i < in->count; i++) {
        int number = in->plan_count ? (uint8_t)out[i] : out[i];
        out[i] = (int8_t)(number < low ? low : number > high ? high : number);
    }
    return flow;
}

/* Conversions of operands of less than a byte, whose other bits may be anything. */
static enum kernel_flow run_small(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct dtype_info *info = dtype_info(in->op->operands[0]->type->dtype);
    const uint8_t *from = kernel_at(core, in->in[0]);
    uint8_t mask = (uint8_t)((1u << info->bits) - 1);
    uint8_t sign =
        in->plan_count ? 0 : (uint8_t)(1u << (info->bits - 1)); /* plan_count: unsigned */
    uint8_t chunk[CHUNK];
    float wide[CHUNK];
    for (int64_t at = 0; at < in->count; at += CHUNK) {
        int64_t count = in->count - at < CHUNK ? in->count - at : CHUNK;
        char *out = (char *)kernel_at(core, in->out) + at * in->bytes[3];
        for (int64_t i = 0; i < count; i++)
            chunk[i] = (uint8_t)(((from[at + i] & mask) ^ sign) - sign);
        in->loop(in->narrow ? (void *)wide : out, chunk, NULL, NULL, count);
        if (in->narrow)
            in->narrow(out, wide, NULL, NULL, count);
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- rounding -------------------------------------------------------------------------------- */
/* Floats in formats of sign and magnitude: one step towards zero where rounding went beyond. */
static enum kernel_flow run_truncate(struct kernel_core *core, const struct kernel_instr *in)
{
    enum dtype from = in->op->operands[0]->type->dtype, to = in->op->results[0].type->dtype;
    const char *a = kernel_at(core, in->in[0]);
    char *out = kernel_at(core, in->out);
    for (int64_t i = 0; i < in->count; i++) {
        double exact = dtype_is_float(from)
                           ? dtype_to_double(from, a + i * in->bytes[0])
                           : (double)kernel_integer(a + i * in->bytes[0], in->bytes[0]);
        uint64_t bits = 0;
        dtype_from_double(to, exact, &bits);
        if (fabs(dtype_to_double(to, &bits)) > fabs(exact))
            bits--;
        memcpy(out + i * in->bytes[3], &bits, (size_t)in->bytes[3]);
    }
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_nearest(struct kernel_core *core, const struct kernel_instr *in)
{
    enum dtype from = in->op->operands[0]->type->dtype;
    const char *a = kernel_at(core, in->in[0]);
    char *out = kernel_at(core, in->out);
    for (int64_t i = 0; i < in->count; i++) {
        float rounded = (float)rint(dtype_to_double(from, a + i * in->bytes[0]));
        in->loop(out + i * in->bytes[3], &rounded, NULL, NULL, 1);
    }
    return KERNEL_FLOW_NEXT;
}

/* A float of fewer bits: rounded to nearest, ties to even; infinity beyond its range, and zero
 * below its smallest normal number. */
static float reduce_precision(float number, int exponent_bits, int mantissa_bits)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint32_t sign = bits & UINT32_C(0x80000000), rest = bits & UINT32_C(0x7fffffff);
    if (rest > UINT32_C(0x7f800000))
        return number; /* NaN */
    if (mantissa_bits < 23) {
        int cut = 23 - mantissa_bits;
        rest += (UINT32_C(1) << (cut - 1)) - 1 + (rest >> cut & 1);
        rest &= ~((UINT32_C(1) << cut) - 1);
    }
    if (exponent_bits < 8) {
        int most = (1 << (exponent_bits - 1)) - 1, exponent = (int)(rest >> 23) - 127;
        rest = exponent > most ? UINT32_C(0x7f800000) : exponent < 1 - most ? 0 : rest;
    }
    bits = sign | rest;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static enum kernel_flow run_precision(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_attrs *attrs = in->op->attrs;
    enum dtype dtype = in->op->results[0].type->dtype;
    const char *a = kernel_at(core, in->in[0]);
    char *out = kernel_at(core, in->out);
    int exponent = attrs->axis < 8 ? (int)attrs->axis : 8;
    int mantissa = attrs->count < 23 ? (int)attrs->count : 23;
    for (int64_t i = 0; i < in->count * in->bytes[3]; i += in->bytes[3])
        dtype_from_double(
            dtype, reduce_precision((float)dtype_to_double(dtype, a + i), exponent, mantissa),
            out + i);
    return KERNEL_FLOW_NEXT;
}

/* f32 plus random bits below the last one that the type has, cut off. */
static enum kernel_flow run_stochastic(struct kernel_core *core, const struct kernel_instr *in)
{
    enum dtype to = in->op->results[0].type->dtype;
    if (dtype_bytes(to) >= 4 && in->op->attrs->source_type != DTYPE_INVALID)
        to = in->op->attrs->source_type;
    int cut = 23 - dtype_info(to)->significand_bits + 1;
    const uint32_t *numbers = kernel_at(core, in->in[0]), *random = kernel_at(core, in->in[1]);
    char *out = kernel_at(core, in->out);
    uint32_t mask = cut > 0 && cut < 24 ? (UINT32_C(1) << cut) - 1 : 0;
    for (int64_t i = 0; i < in->count; i++) {
        bool is_finite = (numbers[i] & 0x7f800000) != 0x7f800000;
        uint32_t bits = is_finite ? (numbers[i] + (random[i] & mask)) & ~mask : numbers[i];
        float number;
        uint64_t result = 0;
        memcpy(&number, &bits, sizeof number);
        dtype_from_double(to, number, &result);
        memcpy(out + i * in->bytes[3], &result, (size_t)in->bytes[3]);
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- products of twice the width ------------------------------------------------------------- */
static uint64_t unsigned_of(const void *at, int bytes)
{
    return (uint64_t)kernel_integer(at, bytes) & (UINT64_MAX >> (64 - 8 * bytes));
}

static enum kernel_flow run_extended(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_listing *listing = &core->run->machine->main;
    const char *a = kernel_at(core, in->in[0]), *b = kernel_at(core, in->in[1]);
    char *low = kernel_at(core, in->out);
    char *high = kernel_at(core, listing->offsets[in->op->results[1].id]);
    bool is_signed = in->op->code == KERNEL_MULSI_EXTENDED;
    int bytes = in->bytes[3];
    for (int64_t i = 0; i < in->count * bytes; i += bytes) {
        uint64_t product =
            is_signed ? (uint64_t)(kernel_integer(a + i, bytes) * kernel_integer(b + i, bytes))
                      : unsigned_of(a + i, bytes) * unsigned_of(b + i, bytes);
        uint64_t above = product >> (8 * bytes);
        memcpy(low + i, &product, (size_t)bytes); /* little-endian: the low bytes */
        memcpy(high + i, &above, (size_t)bytes);
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- words of narrower numbers --------------------------------------------------------------- */
static uint64_t bits_of(enum dtype from, const char *number, enum dtype to)
{
    uint64_t bits = 0;
    int width = dtype_info(to)->bits;
    if (!dtype_is_float(to))
        bits = (uint64_t)(dtype_is_float(from) ? dtype_to_int64(from, number)
                                               : kernel_integer(number, dtype_bytes(from)));
    else
        dtype_from_double(to,
                          dtype_is_float(from) ? dtype_to_double(from, number)
                                               : (double)kernel_integer(number, dtype_bytes(from)),
                          &bits);
    return width >= 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

static enum kernel_flow run_pack(struct kernel_core *core, const struct kernel_instr *in)
{
    enum dtype from = in->op->operands[0]->type->dtype, to = in->op->attrs->source_type;
    int width = dtype_info(to)->bits, bytes = in->bytes[0];
    char *out = kernel_at(core, in->out);
    for (int64_t i = 0; i < in->count; i++) {
        uint64_t word = 0;
        for (int k = 0; k < in->op->operand_count; k++) {
            const char *number = (char *)kernel_at(core, in->all[k]) + i * bytes;
            word |= bits_of(from, number, to) << (k * width);
        }
        memcpy(out + i * in->bytes[3], &word, (size_t)in->bytes[3]);
    }
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow run_unpack(struct kernel_core *core, const struct kernel_instr *in)
{
    enum dtype from = in->op->attrs->source_type, to = in->op->results[0].type->dtype;
    int width = dtype_info(from)->bits;
    const char *words = kernel_at(core, in->in[0]);
    char *out = kernel_at(core, in->out);
    bool is_signed = dtype_info(from)->class == CLASS_SIGNED;
    for (int64_t i = 0; i < in->count; i++) {
        uint64_t part = (uint64_t)kernel_integer(words + i * in->bytes[0], in->bytes[0]) >>
                        (in->op->attrs->axis * width);
        uint64_t mask = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1, number;
        uint64_t sign = is_signed ? UINT64_C(1) << (width - 1) : 0;
        part = ((part & mask) ^ sign) - sign;
        number = bits_of(dtype_is_float(from) ? from : DTYPE_S64, (const char *)&part, to);
        memcpy(out + i * in->bytes[3], &number, (size_t)in->bytes[3]);
    }
    return KERNEL_FLOW_NEXT;
}

/* ---- selection ------------------------------------------------------------------------------- */
static void set_conversions(const struct kernel_op *op, struct kernel_instr *in)
{
    for (int i = 0; i < 3 && i < op->operand_count; i++)
        in->widen[i] = kernel_lanes_widen(op->operands[i]->type->dtype);
    in->narrow = kernel_lanes_narrow(op->results[0].type->dtype);
}

static struct error *select_arithmetic(const struct kernel_op *op, struct kernel_instr *in)
{
    enum dtype dtype = op->operands[op->operand_count - 1]->type->dtype;
    enum dtype first = op->operands[0]->type->dtype;
    const struct dtype_info *out = dtype_info(op->results[0].type->dtype);
    if (dtype_is_float(first) && op->code != KERNEL_SELECT) {
        set_conversions(op, in);
        dtype = first;
    }
    in->loop = kernel_lanes_find(op->code, dtype, op->attrs->predicate);
    in->run = in->widen[0] || in->narrow ? run_wide : run_plain;
    if (out->bits < 8 && out->class != CLASS_FLOAT && op->code != KERNEL_SELECT &&
        op->code != KERNEL_CMPF && op->code != KERNEL_CMPI && op->code != KERNEL_WEIRD)
        in->run = run_cut;
    if (op->code == KERNEL_SELECT && op->operands[0]->type->kind == KERNEL_SCALAR)
        in->run = run_choice;
    if (op->results[0].type->kind == KERNEL_REF)
        in->count = sizeof(struct kernel_view), in->bytes[3] = 1;
    return NULL;
}

static bool reads_unsigned(enum kernel_code code)
{
    return code == KERNEL_EXTUI || code == KERNEL_UITOFP || code == KERNEL_TPU_UITOFP ||
           code == KERNEL_INDEX_CASTUI;
}

static struct error *select_conversion(const struct kernel_op *op, struct kernel_instr *in)
{
    enum dtype from = op->operands[0]->type->dtype, to = op->results[0].type->dtype;
    bool to_unsigned = op->code == KERNEL_FPTOUI || op->code == KERNEL_TPU_FPTOUI;
    bool is_unsigned = reads_unsigned(op->code) || to_unsigned;
    bool is_small = dtype_info(from)->bits < 8 && from != DTYPE_PRED && !dtype_is_float(from);
    set_conversions(op, in);
    in->loop = kernel_lanes_convert(from, to, is_unsigned);
    if (from == DTYPE_PRED && !is_unsigned)
        in->loop = from_predicate(to);
    in->run = in->widen[0] || in->narrow || !in->loop ? run_wide : run_plain;
    if (is_small) {
        in->run = run_small;
        in->plan_count = is_unsigned || dtype_info(from)->class == CLASS_UNSIGNED;
    } else if (dtype_info(to)->bits < 8 && !dtype_is_float(to)) {
        in->run = dtype_is_float(from) ? run_limit : run_cut;
        in->plan_count = to_unsigned;
    }
    if (op->attrs->towards_zero && dtype_is_float(to))
        in->run = run_truncate;
    else if ((op->code == KERNEL_TPU_FPTOSI || op->code == KERNEL_TPU_FPTOUI) &&
             !op->attrs->towards_zero)
        in->run = run_nearest;
    return NULL;
}

struct error *kernel_elementwise_select(const struct kernel_op *op, struct kernel_instr *in)
{
    in->count = op->results[0].type->elements;
    switch (op->code) {
    case KERNEL_EXTF:
    case KERNEL_TRUNCF:
    case KERNEL_EXTSI:
    case KERNEL_EXTUI:
    case KERNEL_TRUNCI:
    case KERNEL_SITOFP:
    case KERNEL_UITOFP:
    case KERNEL_FPTOSI:
    case KERNEL_FPTOUI:
    case KERNEL_INDEX_CAST:
    case KERNEL_INDEX_CASTUI:
    case KERNEL_TPU_EXTF:
    case KERNEL_TPU_TRUNCF:
    case KERNEL_TPU_FPTOSI:
    case KERNEL_TPU_FPTOUI:
    case KERNEL_TPU_SITOFP:
    case KERNEL_TPU_UITOFP: return select_conversion(op, in);
    case KERNEL_STOCHASTIC_CONVERT:
    case KERNEL_STOCHASTIC_CONVERT_ELEMENTWISE: in->run = run_stochastic; return NULL;
    case KERNEL_MULSI_EXTENDED:
    case KERNEL_MULUI_EXTENDED: in->run = run_extended; return NULL;
    case KERNEL_REDUCE_PRECISION: in->run = run_precision; return NULL;
    case KERNEL_PACK_ELEMENTWISE: in->run = run_pack; return NULL;
    case KERNEL_UNPACK_ELEMENTWISE: in->run = run_unpack; return NULL;
    default: return select_arithmetic(op, in);
    }
}
