/* simplify.c: see simplify.h. */
#include "compiler/passes/fold/simplify.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/passes/fold/simplify_dot.h"
#include "compiler/passes/fold/simplify_mask.h"
#include "compiler/passes/fold/simplify_sigmoid.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    MAX_DEPTH = 8, /* of the expression that is proved nonnegative */
    MAX_ROUNDS = 8 /* rules applied in succession to the result of one operation */
};

/* ---- patterns -------------------------------------------------------------------------------- */

/* The types to which most rules apply: XLA widens the other floats before it simplifies. */
static bool is_simplified(enum dtype dtype)
{
    return dtype == DTYPE_F16 || dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

static enum dtype dtype_of(const struct value *value)
{
    return value->type->shape.dtype;
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
    if (!literal || !is_simplified(dtype_of(value)) || type_elements(literal->type) < 1 ||
        !literal_is_uniform(literal))
        return false;
    *number = dtype_to_double(dtype_of(value), literal->bytes);
    return true;
}

/* The operand x of a value code(x), e.g. exp(x); NULL if another operation defines the value. */
static struct value *argument_of(const struct value *value, enum op_code code)
{
    const struct op *op = defined_by(value, code);
    return op && is_simplified(dtype_of(value)) ? op->operands[0] : NULL;
}

/* a + b, rounded once to the type. */
static double sum_in(enum dtype dtype, double a, double b)
{
    return dtype == DTYPE_F32 ? (double)((float)a + (float)b) : a + b;
}

static double inverse_in(enum dtype dtype, double a)
{
    return dtype == DTYPE_F32 ? (double)(1 / (float)a) : 1 / a;
}

/* ---- products -------------------------------------------------------------------------------- */

static struct value *mask(struct builder *b, struct op *op)
{
    enum dtype dtype = dtype_of(&op->results[0]);
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

static struct value *constant_factors(struct builder *b, struct op *op)
{
    const struct op *inner = defined_by(op->operands[0], OP_multiply);
    double c, d;
    if (!inner || !is_splat(op->operands[1], &d) || !is_splat(inner->operands[1], &c))
        return NULL;
    if (c * d == 1)
        return inner->operands[0];
    struct value *factor = build_splat(b, op->results[0].type, c * d);
    return build_binary(b, OP_multiply, inner->operands[0], factor);
}

/* exp(x) op exp(y) = exp(x `code` y) */
static struct value *exp_of(struct builder *b, const struct op *op, enum op_code code)
{
    struct value *x = argument_of(op->operands[0], OP_exponential);
    struct value *y = argument_of(op->operands[1], OP_exponential);
    return x && y ? build_unary(b, OP_exponential, build_binary(b, code, x, y)) : NULL;
}

static struct value *exponentials(struct builder *b, struct op *op)
{
    return exp_of(b, op, OP_add);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static struct value *zero(struct builder *b, struct op *op)
{
    (void)b;
    const struct value *right = op->operands[1];
    bool has_sign = dtype_is_float(dtype_of(right)) || dtype_is_complex(dtype_of(right));
    bool is_zero = constants_is_splat_of(right, 0.0) || constants_is_splat_of(right, -0.0);
    return has_sign && is_zero ? op->operands[0] : NULL;
}

/* value = x + c, or c - x when `negated`. */
struct linear {
    struct value *x;
    double c;
    bool negated;
};

static bool is_linear(const struct value *value, struct linear *out)
{
    const struct op *add = defined_by(value, OP_add), *subtract = defined_by(value, OP_subtract);
    if (add && is_splat(add->operands[1], &out->c)) {
        *out = (struct linear){add->operands[0], out->c, false};
        return true;
    }
    if (subtract && is_splat(subtract->operands[1], &out->c)) {
        *out = (struct linear){subtract->operands[0], -out->c, false};
        return true;
    }
    if (subtract && is_splat(subtract->operands[0], &out->c)) {
        *out = (struct linear){subtract->operands[1], out->c, true};
        return true;
    }
    return false;
}

static struct value *constant_terms(struct builder *b, struct op *op)
{
    struct linear inner;
    double d;
    if (!is_splat(op->operands[1], &d) || !is_linear(op->operands[0], &inner))
        return NULL;
    const struct type *type = op->results[0].type;
    double sum = sum_in(type->shape.dtype, inner.c, op->code == OP_add ? d : -d);
    struct value *constant = build_splat(b, type, sum);
    if (inner.negated)
        return build_binary(b, OP_subtract, constant, inner.x);
    return sum == 0 ? inner.x : build_binary(b, OP_add, inner.x, constant);
}

static struct value *common_factor(struct builder *b, struct op *op)
{
    const struct op *left = defined_by(op->operands[0], OP_multiply);
    const struct op *right = defined_by(op->operands[1], OP_multiply);
    double c, d;
    int exponent;
    if (!left || !right || !is_splat(left->operands[1], &c) || !is_splat(right->operands[1], &d) ||
        c != d || fabs(frexp(c, &exponent)) != 0.5)
        return NULL;
    struct value *sum = build_binary(b, OP_add, left->operands[0], right->operands[0]);
    return build_binary(b, OP_multiply, sum, left->operands[1]);
}

/* ---- quotients ------------------------------------------------------------------------------- */

static struct value *exponential_ratio(struct builder *b, struct op *op)
{
    return exp_of(b, op, OP_subtract);
}

/* 1 / c as complex numbers of the type are divided; NULL when the value is no complex constant. */
static struct value *complex_inverse(struct builder *b, const struct value *c)
{
    const struct literal *literal = constants_literal(c);
    enum dtype dtype = dtype_of(c), part = dtype_real_part(dtype);
    if (!literal || !dtype_is_complex(dtype) || type_elements(literal->type) < 1 ||
        !literal_is_uniform(literal))
        return NULL;
    char *bytes = arena_copy(b->module->arena, literal->bytes, dtype_bytes(dtype));
    double parts[2] = {dtype_to_double(part, bytes),
                       dtype_to_double(part, bytes + dtype_bytes(part))};
    double _Complex inverse;
    memcpy(&inverse, parts, sizeof inverse); /* CMPLX, which clang has only with some C libraries */
    inverse = 1 / inverse;
    dtype_from_double(part, creal(inverse), bytes);
    dtype_from_double(part, cimag(inverse), bytes + dtype_bytes(part));
    return build_constant(b, literal_splat(b->module->arena, c->type, bytes));
}

static struct value *reciprocal(struct builder *b, struct op *op)
{
    const struct type *type = op->results[0].type;
    double c;
    struct value *inverse = complex_inverse(b, op->operands[1]);
    if (inverse)
        return build_binary(b, OP_multiply, op->operands[0], inverse);
    if (!is_splat(op->operands[1], &c))
        return NULL;
    struct value *factor = build_splat(b, type, inverse_in(type->shape.dtype, c));
    return build_binary(b, OP_multiply, op->operands[0], factor);
}

static struct value *quotients(struct builder *b, struct op *op)
{
    const struct op *left = defined_by(op->operands[0], OP_divide);
    const struct op *right = defined_by(op->operands[1], OP_divide);
    struct value *numerator = op->operands[0], *denominator = op->operands[1];
    if ((!left && !right) || !is_simplified(dtype_of(numerator)))
        return NULL;
    if (left)
        numerator = left->operands[0];
    if (right) {
        numerator = build_binary(b, OP_multiply, numerator, right->operands[1]);
        denominator = right->operands[0];
    }
    if (left)
        denominator = build_binary(b, OP_multiply, left->operands[1], denominator);
    return build_binary(b, OP_divide, numerator, denominator);
}

/* ---- powers, roots, logarithms --------------------------------------------------------------- */

static struct value *power_of_exp(struct builder *b, struct op *op)
{
    struct value *x = argument_of(op->operands[0], OP_exponential);
    return x ? build_unary(b, OP_exponential, build_binary(b, OP_multiply, x, op->operands[1]))
             : NULL;
}

static struct value *root_of_square(struct builder *b, struct op *op)
{
    const struct op *square = defined_by(op->operands[0], OP_multiply);
    bool fits = square && square->operands[0] == square->operands[1] &&
                is_simplified(dtype_of(op->operands[0]));
    return fits ? build_unary(b, OP_abs, square->operands[0]) : NULL;
}

static struct value *log_of_exp(struct builder *b, struct op *op)
{
    (void)b;
    return argument_of(op->operands[0], OP_exponential);
}

static struct value *log_of_power(struct builder *b, struct op *op)
{
    struct value *x = argument_of(op->operands[0], OP_power);
    if (!x)
        return NULL;
    struct value *y = op->operands[0]->def->operands[1];
    struct value *zeros = build_splat(b, y->type, 0);
    struct value *log = build_unary(b, OP_log, build_unary(b, OP_abs, x));
    return build_select(b, build_compare(b, COMPARE_EQ, y, zeros), zeros,
                        build_binary(b, OP_multiply, log, y));
}

static struct value *log_of_rsqrt(struct builder *b, struct op *op)
{
    struct value *x = argument_of(op->operands[0], OP_rsqrt);
    return x ? build_binary(b, OP_multiply, build_unary(b, OP_log, x),
                            build_splat(b, op->results[0].type, -0.5))
             : NULL;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* NaN counts as nonnegative. */
static bool is_nonnegative(const struct value *value, int depth)
{
    const struct op *op = value->def;
    double number;
    if (!op || depth > MAX_DEPTH || !is_simplified(dtype_of(value)))
        return false;
    switch (op->code) {
    case OP_constant: return is_splat(value, &number) && !signbit(number) && !isnan(number);
    case OP_abs:
    case OP_exponential:
    case OP_iota: return true;
    case OP_multiply: return op->operands[0] == op->operands[1];
    case OP_broadcast_in_dim:
    case OP_power: return is_nonnegative(op->operands[0], depth + 1);
    case OP_maximum:
        return is_nonnegative(op->operands[0], depth + 1) ||
               is_nonnegative(op->operands[1], depth + 1);
    case OP_minimum:
        return is_nonnegative(op->operands[0], depth + 1) &&
               is_nonnegative(op->operands[1], depth + 1);
    case OP_select:
        return is_nonnegative(op->operands[1], depth + 1) &&
               is_nonnegative(op->operands[2], depth + 1);
    default: return false;
    }
}

static struct value *sign_test(struct builder *b, struct op *op)
{
    enum comparison direction = op->attrs.compare.comparison_direction;
    bool total = op->attrs.compare.compare_type == COMPARE_TOTALORDER;
    bool right = constants_is_splat_of(op->operands[1], 0.0) && is_nonnegative(op->operands[0], 0);
    bool left = constants_is_splat_of(op->operands[0], 0.0) && is_nonnegative(op->operands[1], 0);
    if (total || (!left && !right) || constants_literal(op->operands[right ? 0 : 1]))
        return NULL;
    if (direction == (right ? COMPARE_GE : COMPARE_LE))
        return build_splat(b, op->results[0].type, 1);
    return direction == (right ? COMPARE_LT : COMPARE_GT) ? build_splat(b, op->results[0].type, 0)
                                                          : NULL;
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

/* Simplifies op, then its replacement, and so on: (x + c) - c becomes x + 0, then x. */
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
