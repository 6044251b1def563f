#include "compiler/passes/dynamic/sized.h"

struct value *sized_of(const struct sized *s, const struct value *value, int64_t dimension)
{
    struct value *const *sizes = map_get_pointer(s->sizes, value);
    bool exists = sizes && dimension >= 0 && dimension < value->type->shape.rank;
    return exists ? sizes[dimension] : NULL;
}

void sized_set(struct sized *s, const struct value *value, int64_t dimension, struct value *size)
{
    struct value **sizes = map_get_pointer(s->sizes, value);
    if (!size)
        return;
    if (!sizes) {
        sizes = ARENA_ARRAY(s->module->arena, struct value *, (size_t)value->type->shape.rank);
        map_put_pointer(s->sizes, value, sizes);
    }
    sizes[dimension] = size;
}

bool sized_any(const struct sized *s, const struct value *value)
{
    return map_get_pointer(s->sizes, value) != NULL;
}

bool sized_any_operand(const struct sized *s, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (sized_any(s, op->operands[i]))
            return true;
    return false;
}

void sized_copy(struct sized *s, const struct value *to, const struct value *from)
{
    for (int i = 0; i < from->type->shape.rank; i++)
        sized_set(s, to, i, sized_of(s, from, i));
}

struct value *sized_value(const struct sized *s, struct builder *b, const struct value *value,
                          int64_t dimension)
{
    struct value *size = sized_of(s, value, dimension);
    return size ? size : build_scalar(b, DTYPE_S32, (double)value->type->shape.dims[dimension]);
}

struct value *sized_with(struct builder *b, enum op_code code, struct value *size, int64_t number)
{
    return build_binary(b, code, size, build_scalar(b, DTYPE_S32, (double)number));
}

struct value *sized_index(struct builder *b, const struct type *type, int64_t dimension)
{
    const struct type *plain = type_plain(b->module->arena, type);
    return build_iota(b, type_with_dtype(b->module->arena, plain, DTYPE_S32), dimension);
}

struct value *sized_inside(struct builder *b, const struct type *type, int64_t dimension,
                           struct value *size)
{
    struct value *index = sized_index(b, type, dimension);
    return build_compare(b, COMPARE_LT, index, build_broadcast(b, size, index->type, 0, NULL));
}

struct value *sized_mask_by(struct builder *b, struct value *value, int64_t dimension,
                            struct value *size, struct value *fill)
{
    struct value *inside = sized_inside(b, value->type, dimension, size);
    struct value *filled =
        build_broadcast(b, fill, type_plain(b->module->arena, value->type), 0, NULL);
    return build_select(b, inside, value, filled);
}

struct value *sized_mask(const struct sized *s, struct builder *b, struct value *value,
                         int64_t dimension, struct value *fill)
{
    struct value *size = sized_of(s, value, dimension);
    return size ? sized_mask_by(b, value, dimension, size, fill) : value;
}

struct error *sized_refuse(const struct sized *s, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        for (int d = 0; d < op->operands[i]->type->shape.rank; d++)
            if (sized_of(s, op->operands[i], d))
                return ERROR(UNIMPLEMENTED,
                             "%s: dimension %d of operand %d has a size that is known only at run "
                             "time; that is unsupported here",
                             ir_where(s->module->arena, op), d, i);
    return ERROR(INTERNAL, "%s: has no dynamic sizes", ir_where(s->module->arena, op));
}
