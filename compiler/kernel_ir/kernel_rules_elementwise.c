#include "compiler/kernel_ir/kernel_rules.h"

/* What an elementwise operation takes and gives. */
enum form {
    FORM_FLOAT,      /* floats, all of one type */
    FORM_INTEGER,    /* integers or i1, all of one type */
    FORM_COMPARE_F,  /* floats to i1 */
    FORM_COMPARE_I,  /* integers to i1 */
    FORM_SELECT,     /* i1 and two of the result's type */
    FORM_FLOAT_CAST, /* float to float */
    FORM_INT_CAST,   /* integer to integer */
    FORM_TO_FLOAT,   /* integer to float */
    FORM_TO_INT,     /* float to integer */
    FORM_SAME_WIDTH, /* number of as many bytes */
    FORM_POWER,      /* float and integer to float */
    FORM_IDENTITY,   /* the result is the operand */
    FORM_STOCHASTIC, /* f32 and random bits */
    FORM_PRODUCT,    /* integers, to two results of their type */
    FORM_PRECISION,  /* float of fewer bits in the same type */
    FORM_PACK,       /* words of narrower numbers */
    FORM_UNPACK
};

static enum form form_of(enum kernel_code code)
{
    switch (code) {
    case KERNEL_CMPF:
    case KERNEL_WEIRD: return FORM_COMPARE_F;
    case KERNEL_CMPI: return FORM_COMPARE_I;
    case KERNEL_SELECT: return FORM_SELECT;
    case KERNEL_EXTF:
    case KERNEL_TRUNCF:
    case KERNEL_TPU_EXTF:
    case KERNEL_TPU_TRUNCF: return FORM_FLOAT_CAST;
    case KERNEL_EXTSI:
    case KERNEL_EXTUI:
    case KERNEL_TRUNCI:
    case KERNEL_INDEX_CAST:
    case KERNEL_INDEX_CASTUI: return FORM_INT_CAST;
    case KERNEL_SITOFP:
    case KERNEL_UITOFP:
    case KERNEL_TPU_SITOFP:
    case KERNEL_TPU_UITOFP: return FORM_TO_FLOAT;
    case KERNEL_FPTOSI:
    case KERNEL_FPTOUI:
    case KERNEL_TPU_FPTOSI:
    case KERNEL_TPU_FPTOUI: return FORM_TO_INT;
    case KERNEL_BITCAST: return FORM_SAME_WIDTH;
    case KERNEL_FPOWI: return FORM_POWER;
    case KERNEL_ASSUME_MULTIPLE: return FORM_IDENTITY;
    case KERNEL_STOCHASTIC_CONVERT:
    case KERNEL_STOCHASTIC_CONVERT_ELEMENTWISE: return FORM_STOCHASTIC;
    case KERNEL_MULSI_EXTENDED:
    case KERNEL_MULUI_EXTENDED: return FORM_PRODUCT;
    case KERNEL_REDUCE_PRECISION: return FORM_PRECISION;
    case KERNEL_PACK_ELEMENTWISE: return FORM_PACK;
    case KERNEL_UNPACK_ELEMENTWISE: return FORM_UNPACK;
    case KERNEL_ADDI:
    case KERNEL_SUBI:
    case KERNEL_MULI:
    case KERNEL_DIVSI:
    case KERNEL_DIVUI:
    case KERNEL_CEILDIVSI:
    case KERNEL_FLOORDIVSI:
    case KERNEL_CEILDIVUI:
    case KERNEL_REMSI:
    case KERNEL_REMUI:
    case KERNEL_MAXSI:
    case KERNEL_MINSI:
    case KERNEL_MAXUI:
    case KERNEL_MINUI:
    case KERNEL_ANDI:
    case KERNEL_ORI:
    case KERNEL_XORI:
    case KERNEL_SHLI:
    case KERNEL_SHRSI:
    case KERNEL_SHRUI:
    case KERNEL_ABSI:
    case KERNEL_CTLZ:
    case KERNEL_CTTZ:
    case KERNEL_CTPOP: return FORM_INTEGER;
    default: return FORM_FLOAT;
    }
}

static bool is_int(enum dtype dtype)
{
    return dtype_is_integer(dtype) || dtype == DTYPE_PRED;
}

/* Whether the words of packing are integers of up to 32 bits, and the parts are narrower. */
static bool packs(const struct kernel_op *op, enum dtype word, enum dtype part)
{
    int bits = dtype_info(op->attrs->source_type)->bits, width = dtype_info(word)->bits;
    bool numbers = dtype_is_float(part) || is_int(part);
    if (!dtype_is_integer(word) || width > 32 || !numbers || bits == 0 || width % bits)
        return false;
    if (op->code == KERNEL_PACK_ELEMENTWISE)
        return op->operand_count >= 1 && op->operand_count * bits <= width;
    return op->attrs->axis >= 0 && op->attrs->axis < width / bits;
}

static bool fits(const struct kernel_op *op, enum form form)
{
    enum dtype out = op->results[0].type->dtype, in = op->operands[0]->type->dtype;
    enum dtype last = op->operands[op->operand_count - 1]->type->dtype;
    switch (form) {
    case FORM_FLOAT: return dtype_is_float(out) && in == out && last == out;
    case FORM_INTEGER: return is_int(out) && in == out && last == out;
    case FORM_COMPARE_F: return out == DTYPE_PRED && dtype_is_float(in) && last == in;
    case FORM_COMPARE_I: return out == DTYPE_PRED && is_int(in) && last == in;
    case FORM_SELECT: return in == DTYPE_PRED && last == out && op->operands[1]->type->dtype == out;
    case FORM_FLOAT_CAST: return dtype_is_float(in) && dtype_is_float(out);
    case FORM_INT_CAST: return is_int(in) && is_int(out);
    case FORM_TO_FLOAT: return is_int(in) && dtype_is_float(out);
    case FORM_TO_INT: return dtype_is_float(in) && is_int(out);
    case FORM_SAME_WIDTH: return dtype_bytes(in) == dtype_bytes(out);
    case FORM_POWER:
        return in == out && dtype_is_float(in) && dtype_is_integer(last) && dtype_bytes(last) == 4;
    case FORM_IDENTITY: return in == out;
    case FORM_STOCHASTIC: return in == DTYPE_F32 && dtype_bytes(last) == 4 && is_int(last);
    case FORM_PRODUCT:
        return dtype_is_integer(out) && in == out && last == out && dtype_bytes(out) <= 4 &&
               kernel_rules_same_type(op->results[0].type, op->results[1].type);
    case FORM_PRECISION:
        return in == out && dtype_is_float(out) && op->attrs->axis >= 1 && op->attrs->count >= 0;
    case FORM_PACK: return packs(op, out, in);
    case FORM_UNPACK: return packs(op, in, out);
    }
    return false;
}

static bool has_shapes(const struct kernel_op *op)
{
    const struct kernel_type *out = op->results[0].type;
    bool is_select = op->code == KERNEL_SELECT;
    for (int i = 0; i < op->operand_count; i++) {
        const struct kernel_type *in = op->operands[i]->type;
        bool is_choice = is_select && i == 0 && in->kind == KERNEL_SCALAR;
        if (!is_choice && !kernel_rules_same_shape(in, out))
            return false;
        if (i > 0 && op->code == KERNEL_PACK_ELEMENTWISE &&
            in->dtype != op->operands[0]->type->dtype)
            return false;
    }
    return out->kind != KERNEL_REF || (is_select && op->operands[0]->type->kind == KERNEL_SCALAR);
}

/* The scalar unit computes with i32 and i1 (and addresses): libtpu refuses other widths so. */
static bool is_wide_scalar(const struct kernel_op *op)
{
    const struct kernel_type *type = op->results[0].type;
    return type->kind != KERNEL_SCALAR || form_of(op->code) != FORM_INTEGER || type->is_index ||
           type->dtype == DTYPE_PRED || dtype_info(type->dtype)->bits == 32;
}

/* The vector unit adds numbers of 16 and 32 bits. */
static bool is_narrow_sum(const struct kernel_op *op)
{
    const struct kernel_type *type = op->results[0].type;
    return (op->code == KERNEL_ADDI || op->code == KERNEL_SUBI) && type->kind == KERNEL_VECTOR &&
           type->dtype != DTYPE_PRED && dtype_info(type->dtype)->bits < 16;
}

struct error *kernel_rules_elementwise(const struct kernel_scope *scope, const struct kernel_op *op)
{
    char in[128] = "", out[128];
    int64_t predicates = op->code == KERNEL_CMPI ? 9 : op->code == KERNEL_CMPF ? 15 : 0;
    if (op->operand_count > 0 && has_shapes(op) &&
        (op->results[0].type->kind == KERNEL_REF || fits(op, form_of(op->code))) &&
        op->attrs->predicate >= 0 && op->attrs->predicate <= predicates) {
        if (is_narrow_sum(op))
            return kernel_rules_fail(scope, op,
                                     "Not implemented: Only vector<i16> and vector<i32> are "
                                     "supported, but got '%s'. Please cast your input",
                                     dtype_name(op->results[0].type->dtype));
        if (is_wide_scalar(op))
            return NULL;
        kernel_type_print(op->results[0].type, out, sizeof out);
        return kernel_rules_fail(scope, op, "Not implemented: Only i32 %s is supported; got %s",
                                 kernel_op_info(op->code)->name, out);
    }
    if (op->operand_count > 0)
        kernel_type_print(op->operands[op->code == KERNEL_SELECT]->type, in, sizeof in);
    kernel_type_print(op->results[0].type, out, sizeof out);
    return kernel_rules_fail(scope, op,
                             "does not compute %s from %s, predicate %lld: types, shapes or the "
                             "predicate do not fit the operation",
                             out, in, (long long)op->attrs->predicate);
}
