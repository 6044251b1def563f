#include "compiler/passes/fold/fold.h"

#include <math.h>
#include <stdlib.h>

#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/fold/fold_eval.h"
#include "compiler/passes/fold/fold_positions.h"
#include "compiler/passes/fold/simplify_mask.h"

enum { SUNK_ELEMENTS = 16 /* larger constants, except splats, are captured instead of copied */ };

/* ---- patterns -------------------------------------------------------------------------------- */

enum pattern {
    ANY,
    CONSTANT,
    ZERO_INT,
    ONE,
    ALL_ONES,
    PLUS_ZERO,
    MINUS_ZERO,
    PLUS_INF,
    MINUS_INF,
    MINUS_ONE,
    SPLAT,
    TWO,
    POWER_OF_TWO,
    SAME,
    SAME_INT,
    BY_negate,
    BY_multiply,
    BY_not,
    BY_compare,
    BY_convert
};

static bool is_defined_by(const struct value *value, enum op_code code)
{
    return value->def && value->def->code == code;
}

/* A power of two that is, like its reciprocal, a normal number of the type. */
static bool is_power_of_two(const struct value *value)
{
    const struct literal *literal = constants_literal(value);
    enum dtype dtype = value->type->shape.dtype;
    if (!literal ||
        (dtype != DTYPE_F32 && dtype != DTYPE_F64 && dtype != DTYPE_BF16 && dtype != DTYPE_F16) ||
        type_elements(literal->type) < 1)
        return false;
    double number = dtype_to_double(dtype, literal->bytes);
    int exponent, most = dtype_info(dtype)->exponent_bias - 2;
    return fabs(frexp(number, &exponent)) == 0.5 && abs(exponent - 1) <= most &&
           literal_is_splat_of(literal, number);
}

static bool is_all_ones(const struct value *value)
{
    const struct dtype_info *info = dtype_info(value->type->shape.dtype);
    if (info->class == CLASS_PREDICATE)
        return constants_is_splat_of(value, 1);
    if (info->class == CLASS_SIGNED)
        return constants_is_splat_of(value, -1);
    return info->class == CLASS_UNSIGNED && info->bits < 62 &&
           constants_is_splat_of(value, ldexp(1, info->bits) - 1);
}

/* The type contains the negation of each of its numbers. */
static bool has_sign(enum dtype dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_BF16 || dtype == DTYPE_F16;
}

static bool is_splat(const struct value *value)
{
    const struct literal *literal = constants_literal(value);
    return literal && type_elements(literal->type) > 0 && literal_is_uniform(literal);
}

static bool matches(enum pattern pattern, const struct op *op, int i)
{
    if (pattern == ANY)
        return true;
    if (i >= op->operand_count)
        return false;
    const struct value *value = op->operands[i];
    enum dtype dtype = value->type->shape.dtype;
    bool is_float = dtype_is_float(dtype), is_int = dtype_is_integer(dtype) || dtype == DTYPE_PRED;
    switch (pattern) {
    case ANY: return true;
    case CONSTANT: return constants_literal(value) != NULL;
    case ZERO_INT: return is_int && constants_is_splat_of(value, 0);
    case ONE: return constants_is_splat_of(value, 1);
    case ALL_ONES: return is_int && is_all_ones(value);
    case PLUS_ZERO: return is_float && constants_is_splat_of(value, 0.0);
    case MINUS_ZERO: return is_float && constants_is_splat_of(value, -0.0);
    case PLUS_INF: return is_float && constants_is_splat_of(value, INFINITY);
    case MINUS_INF: return is_float && constants_is_splat_of(value, -INFINITY);
    case MINUS_ONE: return has_sign(dtype) && constants_is_splat_of(value, -1);
    case SPLAT: return has_sign(dtype) && is_splat(value);
    case TWO: return is_float && constants_is_splat_of(value, 2);
    case POWER_OF_TWO: return is_power_of_two(value);
    case SAME: return value == op->operands[0];
    case SAME_INT: return is_int && value == op->operands[0];
    case BY_negate: return is_defined_by(value, OP_negate);
    case BY_multiply: return is_defined_by(value, OP_multiply);
    case BY_not: return is_defined_by(value, OP_not);
    case BY_compare: return is_defined_by(value, OP_compare);
    case BY_convert: return is_defined_by(value, OP_convert);
    }
    return false;
}

/* ---- functions of the rules: each returns the value that replaces op's result, or NULL ------- */

static struct value *fold_lhs(struct builder *b, struct op *op)
{
    (void)b;
    return op->operands[0];
}

static struct value *fold_rhs(struct builder *b, struct op *op)
{
    (void)b;
    return op->operands[1];
}

static struct value *fold_zero(struct builder *b, struct op *op)
{
    return build_splat(b, op->results[0].type, 0);
}

static struct value *fold_square(struct builder *b, struct op *op)
{
    return build_binary(b, OP_multiply, op->operands[0], op->operands[0]);
}

static struct value *fold_multiply_reciprocal(struct builder *b, struct op *op)
{
    const struct literal *divisor = constants_literal(op->operands[1]);
    double value = dtype_to_double(divisor->type->shape.dtype, divisor->bytes);
    return build_binary(b, OP_multiply, op->operands[0],
                        build_splat(b, op->results[0].type, 1 / value));
}

static struct value *fold_negate(struct builder *b, struct op *op)
{
    return build_unary(b, OP_negate, op->operands[0]);
}

/* x * -c, which is exact. NULL if x is a mask: -(m * c) is -0 where m is false, but m * -c selects
 * +0 there (simplify_mask.h). */
static struct value *scale_by_negated(struct builder *b, struct value *x, struct value *scale)
{
    if (simplify_mask_is(x, scale))
        return NULL;
    double c = dtype_to_double(scale->type->shape.dtype, constants_literal(scale)->bytes);
    return build_binary(b, OP_multiply, x, build_splat(b, scale->type, -c));
}

static struct value *fold_scale_negated(struct builder *b, struct op *op)
{
    return scale_by_negated(b, op->operands[0]->def->operands[0], op->operands[1]);
}

/* -(x * c) = x * -c, only if the product has no other use: it would be computed twice. */
static struct value *fold_negate_scaled(struct builder *b, struct op *op)
{
    const struct op *product = op->operands[0]->def;
    bool only_use = ir_use_count(op->operands[0]) == 1;
    return only_use && matches(SPLAT, product, 1)
               ? scale_by_negated(b, product->operands[0], product->operands[1])
               : NULL;
}

/* f(f(x)) = x. */
static struct value *fold_involution(struct builder *b, struct op *op)
{
    (void)b;
    return op->operands[0]->def->operands[0];
}

static struct value *fold_opposite_compare(struct builder *b, struct op *op)
{
    static const enum comparison opposite[] = {COMPARE_NE, COMPARE_EQ, COMPARE_LT,
                                               COMPARE_LE, COMPARE_GT, COMPARE_GE};
    const struct op *compare = op->operands[0]->def;
    union attrs attrs = compare->attrs;
    enum comparison direction = attrs.compare.comparison_direction;
    enum dtype dtype = compare->operands[0]->type->shape.dtype;
    bool total = attrs.compare.compare_type == COMPARE_TOTALORDER;
    if (dtype_is_float(dtype) && !total && direction != COMPARE_EQ && direction != COMPARE_NE)
        return NULL; /* with NaN both comparisons are false */
    attrs.compare.comparison_direction = opposite[direction];
    return build_declared(b, OP_compare, 2, compare->operands, NULL, &attrs);
}

/* Whether each value of `from` is a value of `to`. */
static bool is_lossless(enum dtype from, enum dtype to)
{
    const struct dtype_info *a = dtype_info(from), *b = dtype_info(to);
    bool from_int = dtype_is_integer(from), is_signed = a->class == CLASS_SIGNED;
    if (from == to)
        return true;
    if (from == DTYPE_PRED)
        return dtype_is_integer(to) || (dtype_is_float(to) && b->bits >= 16);
    if (from_int && dtype_is_integer(to))
        return is_signed ? b->class == CLASS_SIGNED && a->bits <= b->bits
                         : a->bits < b->bits || (a->bits == b->bits && b->class == CLASS_UNSIGNED);
    if (from_int && (to == DTYPE_F32 || to == DTYPE_F64))
        return a->bits - is_signed <= b->significand_bits;
    bool ieee = from == DTYPE_F16 || from == DTYPE_BF16 || from == DTYPE_F32;
    return ieee && (to == DTYPE_F32 || to == DTYPE_F64) &&
           a->significand_bits <= b->significand_bits && a->exponent_bits <= b->exponent_bits;
}

static struct value *fold_convert_convert(struct builder *b, struct op *op)
{
    struct value *source = op->operands[0]->def->operands[0];
    enum dtype to = op->results[0].type->shape.dtype;
    if (!is_lossless(source->type->shape.dtype, op->operands[0]->type->shape.dtype))
        return NULL;
    if (source->type->shape.dtype == DTYPE_PRED && (dtype_is_float(to) || dtype_is_complex(to)))
        return NULL; /* the result would be a mask; see simplify_mask.h */
    return build_convert(b, source, to);
}

static struct value *fold_compare_same(struct builder *b, struct op *op)
{
    enum comparison direction = op->attrs.compare.comparison_direction;
    bool equal = direction == COMPARE_EQ || direction == COMPARE_GE || direction == COMPARE_LE;
    return build_splat(b, op->results[0].type, equal);
}

/* select with a splat predicate. */
static struct value *fold_select_constant(struct builder *b, struct op *op)
{
    (void)b;
    if (constants_is_splat_of(op->operands[0], 1))
        return op->operands[1];
    return constants_is_splat_of(op->operands[0], 0) ? op->operands[2] : NULL;
}

/* select(p, true, false) */
static struct value *fold_select_truth(struct builder *b, struct op *op)
{
    (void)b;
    bool truth = op->results[0].type->shape.dtype == DTYPE_PRED &&
                 type_same(op->operands[0]->type, op->results[0].type);
    return truth && constants_is_splat_of(op->operands[1], 1) &&
                   constants_is_splat_of(op->operands[2], 0)
               ? op->operands[0]
               : NULL;
}

static struct value *fold_select_same(struct builder *b, struct op *op)
{
    (void)b;
    return op->operands[1] == op->operands[2] ? op->operands[1] : NULL;
}

static const struct rule {
    enum op_code code;
    enum pattern left, right;
    struct value *(*apply)(struct builder *b, struct op *op);
} rules[] = {
#define RULE(code, left, right, function) {OP_##code, left, right, function},
#include "compiler/passes/fold/fold_rules.def"
#undef RULE
};

/* ---- the walk -------------------------------------------------------------------------------- */

static struct value *apply_rules(struct builder *b, struct op *op)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        if (rule->code != op->code || !matches(rule->left, op, 0) || !matches(rule->right, op, 1))
            continue;
        struct value *value = rule->apply(b, op);
        if (value)
            return value;
    }
    return NULL;
}

/* Evaluates op if all of its operands are constants; otherwise returns NULL. */
static struct value *evaluate(struct builder *b, struct op *op)
{
    const struct literal *few[4], **operands = few;
    if (op->operand_count < 1 || op->region_count)
        return NULL;
    for (int i = 0; i < op->operand_count; i++)
        if (!constants_literal(op->operands[i]))
            return NULL;
    if (op->operand_count > 4)
        operands = ARENA_ARRAY(b->module->arena, const struct literal *, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        operands[i] = constants_literal(op->operands[i]);
    const struct literal *literal = fold_eval_op(b->module->arena, op, operands);
    return literal ? build_constant(b, literal) : NULL;
}

static void move_constant_right(struct module *module, struct op *op)
{
    struct value *left = op->operand_count == 2 ? op->operands[0] : NULL;
    if (!left || !(op_info(op->code)->traits & OP_COMMUTATIVE) || !constants_literal(left) ||
        constants_literal(op->operands[1]))
        return;
    ir_set_operand(module, op, 0, op->operands[1]);
    ir_set_operand(module, op, 1, left);
}

/* Stores a constant whose elements are all equal as a splat. */
static void compress_constant(struct module *module, struct op *op)
{
    const struct literal *literal = op->attrs.constant.value;
    if (!literal->splat && literal_is_uniform(literal))
        op->attrs.constant.value = literal_splat(module->arena, literal->type, literal->bytes);
}

/* Makes the start indices of a gather a constant if they depend on positions alone. */
static void fold_start_indices(struct builder *b, struct op *op)
{
    const struct literal *indices =
        op->code == OP_gather ? fold_positions(b->module->arena, op->operands[1]) : NULL;
    if (indices)
        ir_set_operand(b->module, op, 1, build_constant(b, indices));
}

struct error *fold_constant(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    struct value *value = op->code == OP_constant ? NULL : evaluate(&b, op);
    return value ? rewrite_with(module, op, value) : NULL;
}

static struct error *fold_op(struct module *module, struct op *op)
{
    if (op->code == OP_constant) {
        compress_constant(module, op);
        return NULL;
    }
    struct builder b = rewrite_before(module, op);
    struct value *value = evaluate(&b, op);
    fold_start_indices(&b, op);
    if (!value) {
        move_constant_right(module, op);
        value = apply_rules(&b, op);
    }
    return value ? rewrite_with(module, op, value) : NULL;
}

/* ---- constants that regions capture ---------------------------------------------------------- */

static bool is_sunk(const struct value *value, const struct block *region)
{
    const struct literal *literal = constants_literal(value);
    return literal && !ir_is_inside(value, region) &&
           (literal->splat || type_elements(literal->type) <= SUNK_ELEMENTS);
}

/* Copies the small constants that operations in `region` (including nested regions) capture to its
 * start. */
static void sink_constants(struct module *module, struct block *region, struct block *block,
                           struct map *copies)
{
    struct builder b = {module, region, region->first, NULL};
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->operand_count; i++) {
            struct value *value = op->operands[i];
            if (!is_sunk(value, region))
                continue;
            struct value *copy = map_get_pointer(copies, value);
            if (!copy) {
                b.location = value->def->location;
                copy = build_constant(&b, constants_literal(value));
                map_put_pointer(copies, value, copy);
            }
            ir_set_operand(module, op, i, copy);
        }
        for (int r = 0; r < op->region_count; r++)
            sink_constants(module, region, op->regions[r], copies);
    }
}

static struct error *run_on_block(struct module *module, struct block *block)
{
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        for (int r = 0; r < op->region_count; r++) {
            if (op->code != OP_fusion)
                sink_constants(module, op->regions[r], op->regions[r],
                               map_create(arena_scratch(module->arena)));
            TRY(run_on_block(module, op->regions[r]));
        }
        next = op->next; /* operations inserted before op need no folding */
        TRY(fold_op(module, op));
    }
    return NULL;
}

struct error *fold_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        TRY(run_on_block(module, func->body));
    return NULL;
}
