/* narrow_positions.c: see narrow_positions.h. */
#include "compiler/passes/arithmetic/narrow_positions.h"

#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/schedule/access.h"

enum { NESTING = 8 };

/* The values that an expression and all that it is computed from may have. */
struct range {
    int64_t min, max;          /* of the expression */
    int64_t smallest, largest; /* of any part of it */
};

static bool set_range(struct range *range, int64_t min, int64_t max)
{
    range->min = min;
    range->max = max;
    range->smallest = min < range->smallest ? min : range->smallest;
    range->largest = max > range->largest ? max : range->largest;
    return min > INT32_MIN && max < INT32_MAX; /* clamped() needs one more on either side */
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Of an operation on two ranges, each of 32 bits. */
static bool binary_range(enum op_code code, const struct range *a, const struct range *b,
                         struct range *out)
{
    int64_t products[] = {a->min * b->min, a->min * b->max, a->max * b->min, a->max * b->max};
    out->smallest = least(a->smallest, b->smallest);
    out->largest = most(a->largest, b->largest);
    switch (code) {
    case OP_add: return set_range(out, a->min + b->min, a->max + b->max);
    case OP_subtract: return set_range(out, a->min - b->max, a->max - b->min);
    case OP_multiply:
        return set_range(out,
                         least(least(products[0], products[1]), least(products[2], products[3])),
                         most(most(products[0], products[1]), most(products[2], products[3])));
    default: return false;
    }
}

static bool constant_range(const struct literal *literal, struct range *out)
{
    enum dtype dtype = literal->type->shape.dtype;
    if (!literal->splat || !dtype_is_integer(dtype))
        return false;
    double value = dtype_to_double(dtype, literal->bytes);
    return value > INT32_MIN && value < INT32_MAX && set_range(out, (int64_t)value, (int64_t)value);
}

/* False if the value does not depend on positions alone, or may need more than 32 bits. */
static bool range_of(const struct value *value, int nesting, struct range *out)
{
    const struct op *op = value->def;
    struct range a, b;
    *out = (struct range){0};
    if (!op || nesting == NESTING || !dtype_is_integer(value->type->shape.dtype))
        return false;
    switch (op->code) {
    case OP_constant: return constant_range(op->attrs.constant.value, out);
    case OP_iota:
        return set_range(out, 0, value->type->shape.dims[op->attrs.iota.iota_dimension] - 1);
    case OP_broadcast_in_dim:
    case OP_reshape: return range_of(op->operands[0], nesting + 1, out);
    case OP_abs:
        if (!range_of(op->operands[0], nesting + 1, &a))
            return false;
        *out = a;
        return set_range(out, a.min > 0 ? a.min : 0, most(-a.min, a.max));
    case OP_add:
    case OP_subtract:
    case OP_multiply:
        return range_of(op->operands[0], nesting + 1, &a) &&
               range_of(op->operands[1], nesting + 1, &b) && binary_range(op->code, &a, &b, out);
    default: return false;
    }
}

/* The same value, which has a range, in another type. */
static struct value *rebuild(struct builder *b, const struct value *value, enum dtype dtype)
{
    const struct op *op = value->def;
    const struct type *type = type_with_dtype(b->module->arena, value->type, dtype);
    struct value *operands[2];
    if (op->code == OP_constant)
        return build_splat(
            b, type, dtype_to_double(value->type->shape.dtype, op->attrs.constant.value->bytes));
    for (int i = 0; i < op->operand_count; i++)
        operands[i] = rebuild(b, op->operands[i], dtype);
    return build_declared(b, op->code, op->operand_count, operands, type, &op->attrs);
}

/* Whether a value is the same for all elements of a row: a broadcast of signed integers. */
static bool is_of_row(const struct value *value)
{
    const struct op *op = value->def;
    int last = value->type->shape.rank - 1;
    if (!op || op->code != OP_broadcast_in_dim || value->type->shape.dtype != DTYPE_S64)
        return false;
    return access_dim_of(op, 0, last) < 0 &&
           type_elements(op->operands[0]->type) < type_elements(value->type);
}

/* A value that is_of_row(), clamped to what is compared with the range in the same way. */
static struct value *clamped(struct builder *b, const struct value *value,
                             const struct range *range, enum dtype dtype)
{
    const struct op *op = value->def;
    struct value *from = op->operands[0];
    struct value *operands[] = {build_splat(b, from->type, (double)range->min - 1), from,
                                build_splat(b, from->type, (double)range->max + 1)};
    struct value *narrow =
        build_convert(b, build_declared(b, OP_clamp, 3, operands, from->type, NULL), dtype);
    const struct dims to = op->attrs.broadcast_in_dim.broadcast_dimensions;
    return build_broadcast(b, narrow, type_with_dtype(b->module->arena, value->type, dtype),
                           (int)to.count, to.at);
}

/* Whether all that a predicate is for has at most 16 bits. */
static bool is_for_narrow(const struct value *predicate, int nesting)
{
    for (const struct use *use = predicate->uses; use; use = use->next) {
        const struct op *user = use->user;
        const struct type *type = user->result_count ? user->results[0].type : NULL;
        bool logic = user->code == OP_and || user->code == OP_or || user->code == OP_not,
             data = user->code == OP_select || user->code == OP_convert;
        if (logic ? nesting == NESTING || !is_for_narrow(&user->results[0], nesting + 1)
                  : data && dtype_bytes(type->shape.dtype) > 2)
            return false;
    }
    return true;
}

/* Sets the ranges of both sides, of which one may be clamped; false: the comparison stays. */
static bool has_ranges(const struct op *compare, struct range ranges[2], bool known[2])
{
    for (int i = 0; i < 2; i++)
        known[i] = range_of(compare->operands[i], 0, &ranges[i]);
    for (int i = 0; i < 2; i++)
        if (!known[i]) {
            if (!known[1 - i] || !is_of_row(compare->operands[i]))
                return false;
            ranges[i] = (struct range){0};
            set_range(&ranges[i], ranges[1 - i].min - 1, ranges[1 - i].max + 1);
        }
    return true;
}

static struct error *narrow(struct module *module, struct op *compare, const struct target *target)
{
    (void)target;
    if (compare->code != OP_compare)
        return NULL;
    const struct type *type = compare->operands[0]->type;
    struct range ranges[2];
    struct value *sides[2];
    bool known[2];
    if (!type->shape.rank || (type->shape.dtype != DTYPE_S64 && type->shape.dtype != DTYPE_U64) ||
        !type_elements(type) || !has_ranges(compare, ranges, known))
        return NULL;
    int64_t smallest = least(ranges[0].smallest, ranges[1].smallest),
            largest = most(ranges[0].largest, ranges[1].largest);
    bool is_short =
        smallest > INT16_MIN && largest < INT16_MAX && is_for_narrow(&compare->results[0], 0);
    if (type->shape.dtype == DTYPE_U64 && smallest < 0)
        return NULL;
    struct builder b = rewrite_before(module, compare);
    enum dtype dtype = is_short ? DTYPE_S16 : DTYPE_S32;
    for (int i = 0; i < 2; i++)
        sides[i] = known[i] ? rebuild(&b, compare->operands[i], dtype)
                            : clamped(&b, compare->operands[i], &ranges[1 - i], dtype);
    return rewrite_with(
        module, compare,
        build_compare(&b, compare->attrs.compare.comparison_direction, sides[0], sides[1]));
}

struct error *narrow_positions_run(struct module *module, const struct target *target)
{
    return each_op(module, target, narrow);
}
