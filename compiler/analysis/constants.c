/* constants.c: see constants.h. */
#include "compiler/analysis/constants.h"

const struct literal *constants_literal(const struct value *value)
{
    return value->def && value->def->code == OP_constant ? value->def->attrs.constant.value : NULL;
}

bool constants_integer(const struct value *value, int64_t *out)
{
    const struct literal *literal = constants_literal(value);
    if (!literal)
        return false;
    enum dtype dtype = literal->type->shape.dtype;
    if (!dtype_is_integer(dtype) || type_elements(literal->type) != 1)
        return false;
    *out = dtype_to_int64(dtype, literal_at(literal, 0));
    return true;
}

int64_t constants_start(const struct literal *index, int64_t last)
{
    enum dtype dtype = index->type->shape.dtype;
    int64_t start = dtype_to_int64(dtype, literal_at(index, 0));
    if (start < 0)
        return dtype == DTYPE_U64 ? last : 0;
    return start > last ? last : start;
}

/* A reshape, or a conversion between integers that keeps every value. */
static bool keeps_integers(const struct op *op)
{
    if (op->code == OP_reshape)
        return true;
    if (op->code != OP_convert)
        return false;
    enum dtype from = op->operands[0]->type->shape.dtype, to = op->results[0].type->shape.dtype;
    return dtype_is_integer(to) && dtype_info(to)->bits >= dtype_info(from)->bits;
}

const int64_t *constants_integers(struct module *module, const struct value *value, int64_t *count)
{
    while (value->def && keeps_integers(value->def))
        value = value->def->operands[0];
    const struct literal *literal = constants_literal(value);
    if (!literal)
        return NULL;
    if (count)
        *count = type_elements(literal->type);
    return literal_int64s(module->arena, literal);
}

bool constants_are_consecutive(const int64_t *integers, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if ((uint64_t)integers[i] - (uint64_t)integers[0] != (uint64_t)i)
            return false;
    return count > 0;
}

bool constants_is_splat(const struct value *value)
{
    const struct literal *literal = constants_literal(value);
    return literal && literal->splat;
}

bool constants_is_splat_of(const struct value *value, double number)
{
    const struct literal *literal = constants_literal(value);
    return literal && literal_is_splat_of(literal, number);
}
