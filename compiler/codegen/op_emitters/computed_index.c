/* computed_index.c: see computed_index.h. */
#include "compiler/codegen/op_emitters/computed_index.h"

#include "compiler/codegen/element/element.h"
#include "compiler/codegen/op_emitters/moved_index.h"

enum { STEPS = 64 };

struct search {
    struct emitter *e;
    int steps; /* operations that may still be followed */
};

static bool follow(struct search *s, const struct value *value, const struct index *index,
                   struct affine *out);

static bool is_constant(const struct affine *a)
{
    return a->count == 0;
}

/* Whether values of a type, and all products of two of them, can be computed as int64. */
static bool fits(struct search *s, enum dtype dtype, const struct affine *a)
{
    int64_t min, max, limit = INT32_MAX;
    int bits = dtype_info(dtype)->bits;
    bool is_signed = element_is_signed(dtype);
    if (!dtype_is_integer(dtype))
        return false;
    if (bits < 32)
        limit = ((int64_t)1 << (bits - is_signed)) - 1;
    affine_range(s->e, a, &min, &max);
    return max <= limit && min >= (is_signed ? -limit - 1 : 0);
}

static bool follow_constant(const struct op *op, struct affine *out)
{
    const struct literal *literal = op->attrs.constant.value;
    enum dtype dtype = op->results[0].type->shape.dtype;
    if (!dtype_is_integer(dtype) || (!literal->splat && type_elements(op->results[0].type) != 1))
        return false;
    double number = dtype_to_double(dtype, literal->bytes);
    if (!(number >= INT32_MIN && number <= INT32_MAX))
        return false;
    *out = affine_constant((int64_t)number);
    return true;
}

static bool follow_moved(struct search *s, const struct op *op, const struct index *index,
                         struct affine *out)
{
    struct index operand = moved_index(s->e, op, index);
    return follow(s, op->operands[0], &operand, out);
}

static bool follow_arithmetic(struct search *s, const struct op *op, const struct index *index,
                              struct affine *out)
{
    struct affine a, b;
    if (!follow(s, op->operands[0], index, &a) || !follow(s, op->operands[1], index, &b))
        return false;
    if (op->code == OP_multiply) {
        if (!is_constant(&a) && !is_constant(&b))
            return false;
        *out = is_constant(&a) ? affine_scale(&b, a.constant) : affine_scale(&a, b.constant);
        return true;
    }
    if (op->code == OP_subtract)
        b = affine_scale(&b, -1);
    *out = affine_add(s->e, &a, &b);
    return true;
}

/* An index that is never negative needs no wrapping: select(x < 0, x + size, x) is x. */
static bool follow_select(struct search *s, const struct op *op, const struct index *index,
                          struct affine *out)
{
    const struct op *test = op->operands[0]->def;
    struct affine a, b;
    int64_t min, max;
    if (!test || test->code != OP_compare ||
        test->attrs.compare.comparison_direction != COMPARE_LT ||
        !type_same_shape(test->results[0].type, op->results[0].type) ||
        !follow(s, test->operands[0], index, &a) || !follow(s, test->operands[1], index, &b))
        return false;
    affine_range(s->e, &a, &min, &max);
    return is_constant(&b) && min >= b.constant && follow(s, op->operands[2], index, out);
}

static bool follow(struct search *s, const struct value *value, const struct index *index,
                   struct affine *out)
{
    const struct op *op = value->def;
    bool found = false;
    if (!op || --s->steps < 0)
        return false;
    switch (op->code) {
    case OP_constant: found = follow_constant(op, out); break;
    case OP_iota:
        *out = index->at[op->attrs.iota.iota_dimension];
        found = true;
        break;
    case OP_convert: found = follow(s, op->operands[0], index, out); break;
    case OP_broadcast_in_dim:
    case OP_reshape: found = follow_moved(s, op, index, out); break;
    case OP_add:
    case OP_subtract:
    case OP_multiply: found = follow_arithmetic(s, op, index, out); break;
    case OP_select: found = follow_select(s, op, index, out); break;
    default: break;
    }
    return found && fits(s, value->type->shape.dtype, out);
}

bool computed_index(struct emitter *e, const struct value *value, const struct index *index,
                    int64_t max, struct affine *out)
{
    struct search search = {e, STEPS};
    int64_t low, high;
    if (!follow(&search, value, index, out))
        return false;
    affine_range(e, out, &low, &high);
    return low >= 0 && high <= max;
}
