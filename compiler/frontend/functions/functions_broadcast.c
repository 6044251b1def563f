#include "compiler/frontend/functions/functions_broadcast.h"

/* The dimension of the common shape to which dimension i of an operand corresponds. */
static int64_t common_dimension(const struct type *type, int rank, const struct dims *dims, int i)
{
    return type->shape.rank < rank && dims ? dims->at[i] : rank - type->shape.rank + i;
}

static struct error *check_dims(const struct dims *dims, const struct type *type, int rank)
{
    if (dims->count != type->shape.rank)
        return ERROR(INVALID_ARGUMENT,
                     "broadcast_dimensions has %lld entries; it must have %d, the operand's rank",
                     (long long)dims->count, type->shape.rank);
    for (int i = 0; i < type->shape.rank; i++)
        if (dims->at[i] < 0 || dims->at[i] >= rank || (i > 0 && dims->at[i] <= dims->at[i - 1]))
            return ERROR(INVALID_ARGUMENT,
                         "broadcast_dimensions has %lld at %d; it must be increasing numbers in "
                         "[0, %d)",
                         (long long)dims->at[i], i, rank);
    return NULL;
}

/* Merges the shape of an operand into the common shape. */
static struct error *add_shape(struct arena *arena, const struct type *type, int rank,
                               const struct dims *dims, int64_t *sizes)
{
    if (type->shape.rank < rank && dims)
        TRY(check_dims(dims, type, rank));
    for (int i = 0; i < type->shape.rank; i++) {
        int64_t *size = &sizes[common_dimension(type, rank, dims, i)];
        if (*size == 1)
            *size = type->shape.dims[i];
        else if (type->shape.dims[i] != 1 && type->shape.dims[i] != *size)
            return ERROR(
                INVALID_ARGUMENT,
                "%s cannot be broadcast with the other operands: size %lld of dimension %d "
                "does not match size %lld",
                type_text(arena, type), (long long)type->shape.dims[i], i, (long long)*size);
    }
    return NULL;
}

struct error *functions_broadcast(struct builder *b, int count, struct value *const *operands,
                                  const struct dims *dims, struct value **out)
{
    struct arena *arena = b->module->arena;
    int64_t sizes[SHAPE_MAX_RANK], mapped[SHAPE_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < count; i++)
        rank = operands[i]->type->shape.rank > rank ? operands[i]->type->shape.rank : rank;
    for (int i = 0; i < rank; i++)
        sizes[i] = 1;
    for (int i = 0; i < count; i++)
        TRY(add_shape(arena, operands[i]->type, rank, dims, sizes));
    for (int i = 0; i < count; i++) {
        const struct type *from = operands[i]->type;
        const struct type *to = type_tensor(arena, from->shape.dtype, rank, sizes);
        for (int k = 0; k < from->shape.rank; k++)
            mapped[k] = common_dimension(from, rank, dims, k);
        out[i] = type_same(from, to)
                     ? operands[i]
                     : build_broadcast(b, operands[i], to, from->shape.rank, mapped);
    }
    return NULL;
}
