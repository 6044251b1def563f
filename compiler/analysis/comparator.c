/* comparator.c: see comparator.h. */
#include "compiler/analysis/comparator.h"

#include <string.h>

enum { MAX_DEPTH = 16, MAX_KEYS = 8 };

/* Whether `b` is the same expression of the odd arguments as `a` is of the even ones. */
static bool mirrors(const struct block *body, const struct value *a, const struct value *b,
                    int depth)
{
    const struct op *x = a->def, *y = b->def;
    if (!x && !y && a->block == body && b->block == body)
        return a->index % 2 == 0 && b->index == a->index + 1;
    if (!x || !y || x->code != y->code || x->block != body || y->block != body)
        return a == b && (x ? x->block : a->block) != body; /* captured from outside the region */
    if (x->code == OP_constant)
        return literal_equal(x->attrs.constant.value, y->attrs.constant.value);
    bool same = depth < MAX_DEPTH && x->operand_count == y->operand_count && a->index == b->index &&
                !x->region_count && op_info(x->code)->traits & OP_ELEMENTWISE &&
                !memcmp(&x->attrs, &y->attrs, sizeof x->attrs);
    for (int i = 0; same && i < x->operand_count; i++)
        same = mirrors(body, x->operands[i], y->operands[i], depth + 1);
    return same;
}

static const struct op *op_of(const struct block *body, const struct value *value,
                              enum op_code code)
{
    return value->def && value->def->block == body && value->def->code == code ? value->def : NULL;
}

const struct op *comparator_by_key(const struct block *body, const struct value *value)
{
    const struct op *compare = op_of(body, value, OP_compare);
    if (!compare)
        return NULL;
    enum comparison direction = compare->attrs.compare.comparison_direction;
    return (direction == COMPARE_LT || direction == COMPARE_GT) &&
                   !dtype_is_complex(compare->operands[0]->type->shape.dtype) &&
                   mirrors(body, compare->operands[0], compare->operands[1], 0)
               ? compare
               : NULL;
}

/* Whether two keys are always less, equal or greater. */
static bool is_total(const struct op *compare)
{
    return !dtype_is_float(compare->operands[0]->type->shape.dtype) ||
           compare->attrs.compare.compare_type == COMPARE_TOTALORDER;
}

static bool is_equality_of(const struct op *equal, const struct op *less)
{
    return equal->attrs.compare.comparison_direction == COMPARE_EQ && is_total(equal) &&
           equal->operands[0] == less->operands[0] && equal->operands[1] == less->operands[1];
}

/* The other operand of an operation with two. */
static const struct value *other(const struct op *op, int operand)
{
    return op->operands[1 - operand];
}

/* Whether `value` is first's a == b & rest. */
static bool find_rest(const struct block *body, const struct value *value,
                      struct comparator_keys *keys)
{
    const struct op *both = op_of(body, value, OP_and);
    for (int i = 0; both && i < 2; i++) {
        const struct op *equal = op_of(body, both->operands[i], OP_compare);
        keys->rest = other(both, i);
        if (equal && is_equality_of(equal, keys->first))
            return true;
    }
    return false;
}

static bool find_keys(const struct block *body, const struct value *value, int most,
                      struct comparator_keys *keys)
{
    const struct op *either = op_of(body, value, OP_or);
    struct comparator_keys more;
    for (int i = 0; either && i < 2; i++) {
        keys->first = comparator_by_key(body, either->operands[i]);
        if (keys->first && is_total(keys->first) && find_rest(body, other(either, i), keys))
            return comparator_by_key(body, keys->rest) ||
                   (most > 2 && find_keys(body, keys->rest, most - 1, &more));
    }
    return false;
}

bool comparator_by_keys(const struct block *body, const struct value *value,
                        struct comparator_keys *keys)
{
    return find_keys(body, value, MAX_KEYS, keys);
}
