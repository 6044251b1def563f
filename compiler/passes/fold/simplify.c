/* simplify.c: see simplify.h. */
#include "compiler/passes/fold/simplify.h"

#include <math.h>
#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    MAX_DEPTH = 8, /* of the search for a mask, or for what makes a value nonnegative */
    MAX_ROUNDS = 8 /* rules applied to one operation's results */
};

/* ---- patterns -------------------------------------------------------------------------------- */

/* XLA simplifies operations of these types before it widens others. */
static bool is_simplified(enum dtype dtype)
{
    return dtype == DTYPE_F16 || dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

static enum dtype dtype_of(const struct value *value)
{
    return value->type->shape.dtype;
}

/* The operation that makes the value, when its code is `code`. */
static const struct op *made_by(const struct value *value, enum op_code code)
{
    return value->def && value->def->code == code ? value->def : NULL;
}

/* The number of a constant whose elements are equal. */
static bool is_splat(const struct value *value, double *number)
{
    const struct literal *literal = constants_literal(value);
    if (!literal || !is_simplified(dtype_of(value)) || type_elements(literal->type) < 1 ||
        !literal_is_uniform(literal))
        return false;
    *number = dtype_to_double(dtype_of(value), literal->bytes);
    return true;
}

/* x of exp(x), sqrt(x) ...; NULL when the value is another. */
static struct value *argument_of(const struct value *value, enum op_code code)
{
    const struct op *op = made_by(value, code);
    return op && is_simplified(dtype_of(value)) ? op->operands[0] : NULL;
}

/* a + b rounded once, in the type. */
static double sum_in(enum dtype dtype, double a, double b)
{
    return dtype == DTYPE_F32 ? (double)((float)a + (float)b) : a + b;
}

static double inverse_in(enum dtype dtype, double a)
{
    return dtype == DTYPE_F32 ? (double)(1 / (float)a) : 1 / a;
}

/* ---- products -------------------------------------------------------------------------------- */

/* The predicate of which the value is the number 0 or 1; NULL when it is something else. */
static struct value *predicate_of(const struct value *value)
{
    const struct op *convert = made_by(value, OP_convert);
    return convert && dtype_of(convert->operands[0]) == DTYPE_PRED ? convert->operands[0] : NULL;
}

/* Both values are the same broadcast, or reshapes of tensors of the same dimensions: XLA multiplies
 * first, and broadcasts or reshapes the product. */
static bool is_rearranged_alike(const struct value *left, const struct value *right)
{
    const struct op *a = left->def, *b = right->def;
    if (!a || !b || a->code != b->code ||
        (a->code != OP_reshape && a->code != OP_broadcast_in_dim) ||
        !shape_same_dims(&a->operands[0]->type->shape, &b->operands[0]->type->shape))
        return false;
    struct dims x = a->attrs.broadcast_in_dim.broadcast_dimensions;
    struct dims y = b->attrs.broadcast_in_dim.broadcast_dimensions;
    return a->code == OP_reshape ||
           (x.count == y.count && !memcmp(x.at, y.at, (size_t)x.count * sizeof *x.at));
}

/* The predicate, reshaped or broadcast as the value is. */
static struct value *rearranged(struct builder *b, struct value *predicate,
                                const struct value *value)
{
    const struct shape *shape = &value->type->shape;
    if (value->def->code == OP_reshape)
        return build_reshape(b, predicate, shape->rank, shape->dims);
    struct dims dims = value->def->attrs.broadcast_in_dim.broadcast_dimensions;
    const struct type *type = type_with_dtype(b->module->arena, value->type, DTYPE_PRED);
    return build_broadcast(b, predicate, type, (int)dims.count, dims.at);
}

/* The predicate of which the value, a factor beside `other`, is the number 0 or 1. */
static struct value *mask_of(struct builder *b, const struct value *value,
                             const struct value *other, int depth)
{
    struct value *predicate = predicate_of(value);
    if (predicate || depth == 0 || !is_rearranged_alike(value, other))
        return predicate;
    predicate = mask_of(b, value->def->operands[0], other->def->operands[0], depth - 1);
    return predicate ? rearranged(b, predicate, value) : NULL;
}

static struct value *mask(struct builder *b, struct op *op)
{
    enum dtype dtype = dtype_of(&op->results[0]);
    if (!is_simplified(dtype) && !dtype_is_integer(dtype) && !dtype_is_complex(dtype))
        return NULL;
    for (int i = 0; i < 2; i++) {
        struct value *predicate = mask_of(b, op->operands[i], op->operands[1 - i], MAX_DEPTH);
        if (predicate)
            return build_select(b, predicate, op->operands[1 - i],
                                build_splat(b, op->results[0].type, 0));
    }
    return NULL;
}

static struct value *constant_factors(struct builder *b, struct op *op)
{
    const struct op *inner = made_by(op->operands[0], OP_multiply);
    double c, d;
    if (!inner || !is_splat(op->operands[1], &d) || !is_splat(inner->operands[1], &c))
        return NULL;
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

/* A dot of two vectors. */
static struct value *masked_dot(struct builder *b, struct op *op)
{
    const int64_t dim = 0;
    enum dtype dtype = dtype_of(&op->results[0]);
    for (int i = 0; i < 2; i++) {
        struct value *predicate = predicate_of(op->operands[i]), *other = op->operands[1 - i];
        if (!predicate || other->type->shape.rank != 1 || op->results[0].type->shape.rank != 0 ||
            predicate->type->shape.rank != 1 || dtype_of(other) != dtype ||
            (dtype != DTYPE_F32 && dtype != DTYPE_F64))
            continue;
        struct value *terms = build_select(b, predicate, other, build_splat(b, other->type, 0));
        return build_reduce(b, terms, build_scalar(b, dtype, 0), OP_add, 1, &dim);
    }
    return NULL;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static struct value *zero(struct builder *b, struct op *op)
{
    (void)b;
    bool is_zero =
        dtype_is_float(dtype_of(op->operands[1])) && (constants_is_splat_of(op->operands[1], 0.0) ||
                                                      constants_is_splat_of(op->operands[1], -0.0));
    return is_zero ? op->operands[0] : NULL;
}

/* value = x + c, or c - x when `negated`. */
struct linear {
    struct value *x;
    double c;
    bool negated;
};

static bool is_linear(const struct value *value, struct linear *out)
{
    const struct op *add = made_by(value, OP_add), *subtract = made_by(value, OP_subtract);
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
    const struct op *left = made_by(op->operands[0], OP_multiply);
    const struct op *right = made_by(op->operands[1], OP_multiply);
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

static struct value *reciprocal(struct builder *b, struct op *op)
{
    const struct type *type = op->results[0].type;
    double c;
    if (!is_splat(op->operands[1], &c))
        return NULL;
    struct value *factor = build_splat(b, type, inverse_in(type->shape.dtype, c));
    return build_binary(b, OP_multiply, op->operands[0], factor);
}

static struct value *quotients(struct builder *b, struct op *op)
{
    const struct op *left = made_by(op->operands[0], OP_divide);
    const struct op *right = made_by(op->operands[1], OP_divide);
    struct value *above = op->operands[0], *below = op->operands[1];
    if ((!left && !right) || !is_simplified(dtype_of(above)))
        return NULL;
    if (left)
        above = left->operands[0];
    if (right)
        above = build_binary(b, OP_multiply, above, right->operands[1]), below = right->operands[0];
    if (left)
        below = build_binary(b, OP_multiply, left->operands[1], below);
    return build_binary(b, OP_divide, above, below);
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
    const struct op *square = made_by(op->operands[0], OP_multiply);
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
    struct value *none = build_splat(b, y->type, 0);
    struct value *log = build_unary(b, OP_log, build_unary(b, OP_abs, x));
    return build_select(b, build_compare(b, COMPARE_EQ, y, none), none,
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

/* The replacement of op may be simplified again: (x + c) - c is x + 0 is x. */
static struct error *simplify_op(struct module *module, struct op *op)
{
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

static struct error *run_on_block(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        for (int r = 0; r < op->region_count; r++)
            TRY(run_on_block(module, op->regions[r]));
        next = op->next;
        TRY(simplify_op(module, op));
    }
    return NULL;
}

struct error *simplify_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        TRY(run_on_block(module, func->body));
    return NULL;
}
