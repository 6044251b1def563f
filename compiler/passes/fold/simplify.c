/* simplify.c: see simplify.h. */
#include "compiler/passes/fold/simplify.h"

#include <math.h>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/minus_zero.h"
#include "compiler/analysis/nonnegative.h"
#include "compiler/passes/fold/simplify_dot.h"
#include "compiler/passes/fold/simplify_mask.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { MAX_ROUNDS = 8 }; /* rules applied in succession to the result of one operation */

/* ---- patterns -------------------------------------------------------------------------------- */

/* The types to which most rules apply: XLA widens the other floats before it simplifies. */
static bool is_simplified(enum dtype dtype)
{
    return dtype == DTYPE_F16 || dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

/* The operation that defines the value if its code is `code`, otherwise NULL. */
static const struct op *defined_by(const struct value *value, enum op_code code)
{
    return value->def && value->def->code == code ? value->def : NULL;
}

/* Stores the value of a constant whose elements are all equal. */
static bool is_splat(const struct value *value, double *number)
{
    const struct literal *literal = constants_literal(value);
    if (!literal || !is_simplified(ir_dtype(value)) || type_elements(literal->type) < 1 ||
        !literal_is_uniform(literal))
        return false;
    *number = dtype_to_double(ir_dtype(value), literal->bytes);
    return true;
}

static double inverse_in(enum dtype dtype, double a)
{
    return dtype == DTYPE_F32 ? (double)(1 / (float)a) : 1 / a;
}

/* ---- products -------------------------------------------------------------------------------- */

static struct value *mask(struct builder *b, struct op *op)
{
    enum dtype dtype = ir_dtype(&op->results[0]);
    if (!is_simplified(dtype) && !dtype_is_integer(dtype) && !dtype_is_complex(dtype))
        return NULL;
    for (int i = 0; i < 2; i++) {
        struct value *predicate = simplify_mask_find(b, op->operands[i], op->operands[1 - i]);
        if (predicate)
            return build_select(b, predicate, op->operands[1 - i],
                                build_splat(b, op->results[0].type, 0));
    }
    return NULL;
}

/* Whether (x * c) * d is x * (c d) for every x: c d is a normal number that is not rounded, as one
 * of them is a power of two, and both make numbers larger, or both smaller, so that x * c is
 * neither infinite nor 0 where the result is not. Denormal numbers of f16 are rounded, so it has
 * only factors that make larger. */
static bool are_one_factor(enum dtype dtype, double c, double d)
{
    int exponent, most = dtype_info(dtype)->exponent_bias;
    double product = fabs(c * d);
    bool scales = fabs(frexp(c, &exponent)) == 0.5 || fabs(frexp(d, &exponent)) == 0.5;
    bool grows = fabs(c) >= 1 && fabs(d) >= 1 && product < ldexp(1, most),
         shrinks = fabs(c) <= 1 && fabs(d) <= 1 && product >= ldexp(1, 1 - most);
    return scales && (grows || (shrinks && dtype != DTYPE_F16));
}

static struct value *constant_factors(struct builder *b, struct op *op)
{
    const struct op *inner = defined_by(op->operands[0], OP_multiply);
    double c, d;
    if (!inner || !is_splat(op->operands[1], &d) || !is_splat(inner->operands[1], &c) ||
        !are_one_factor(ir_dtype(&op->results[0]), c, d))
        return NULL;
    struct value *factor = build_splat(b, op->results[0].type, c * d);
    return build_binary(b, OP_multiply, inner->operands[0], factor);
}

/* ---- quotients ------------------------------------------------------------------------------- */

/* Not where 1 / c is infinite, zero or denormal, which counts as zero: its products would be NaN or
 * 0 where quotients are not. Not of f16: its 1 / c has few bits. */
static struct value *reciprocal(struct builder *b, struct op *op)
{
    const struct type *type = op->results[0].type;
    double c;
    if (!is_splat(op->operands[1], &c) || type->shape.dtype == DTYPE_F16)
        return NULL;
    double inverse = inverse_in(type->shape.dtype, c), size = fabs(inverse);
    int most = dtype_info(type->shape.dtype)->exponent_bias;
    return size >= ldexp(1, 1 - most) && size < ldexp(1, most)
               ? build_binary(b, OP_multiply, op->operands[0], build_splat(b, type, inverse))
               : NULL;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* (x + -0 and x - 0 are x for every x: fold_rules.def.) */
static struct value *zero_term(struct builder *b, struct op *op)
{
    (void)b;
    double zero = op->code == OP_add ? 0.0 : -0.0;
    return constants_is_splat_of(op->operands[1], zero) && minus_zero_never(op->operands[0])
               ? op->operands[0]
               : NULL;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* x < 0 is false, also where x is NaN; x >= 0 is false there. */
static struct value *sign_test(struct builder *b, struct op *op)
{
    enum comparison direction = op->attrs.compare.comparison_direction;
    int zero = direction == COMPARE_LT ? 1 : 0;
    bool applies = (direction == COMPARE_LT || direction == COMPARE_GT) &&
                   op->attrs.compare.compare_type != COMPARE_TOTALORDER &&
                   constants_is_splat_of(op->operands[zero], 0.0) &&
                   nonnegative_is(op->operands[1 - zero]) &&
                   !constants_literal(op->operands[1 - zero]);
    return applies ? build_splat(b, op->results[0].type, 0) : NULL;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static const struct rule {
    enum op_code code;
    struct value *(*apply)(struct builder *b, struct op *op);
} rules[] = {
#define RULE(code, function) {OP_##code, function},
#include "compiler/passes/fold/simplify_rules.def"
#undef RULE
};

static struct value *apply_rules(struct builder *b, struct op *op)
{
    struct value *value = NULL;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !value; i++)
        if (rules[i].code == op->code)
            value = rules[i].apply(b, op);
    return value;
}

/* Simplifies op, then its replacement, and so on: ((x * 2) * 3) * 4 becomes (x * 6) * 4, then
 * x * 24. */
static struct error *simplify_op(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    for (int round = 0; op && round < MAX_ROUNDS; round++) {
        struct builder b = rewrite_before(module, op);
        struct op *before = op->previous;
        struct value *value = apply_rules(&b, op);
        if (!value)
            return NULL;
        struct op *after = op->previous;
        TRY(rewrite_with(module, op, value));
        op = after != before && value->def == after ? after : NULL;
    }
    return NULL;
}

struct error *simplify_run(struct module *module, const struct target *target)
{
    return each_op(module, target, simplify_op);
}
