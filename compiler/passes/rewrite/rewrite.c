/* rewrite.c: see rewrite.h. */
#include "compiler/passes/rewrite/rewrite.h"

struct builder rewrite_before(struct module *module, const struct op *op)
{
    return (struct builder){module, op->block, (struct op *)(uintptr_t)op, op->location};
}

struct error *rewrite_replace(struct module *module, struct op *op, struct value *const *values)
{
    for (int i = 0; i < op->result_count; i++) {
        TRY(build_check(module, values[i]));
        if (!type_same(values[i]->type, op->results[i].type))
            return ERROR(INTERNAL, "%s: a pass replaced result %d by a value of another type",
                         ir_where(module->arena, op), i);
    }
    for (int i = 0; i < op->result_count; i++)
        ir_replace_uses(module, &op->results[i], values[i]);
    ir_remove(op);
    return NULL;
}

struct error *rewrite_with(struct module *module, struct op *op, struct value *value)
{
    return rewrite_replace(module, op, &value);
}

struct dims rewrite_range(struct module *module, int64_t begin, int64_t count)
{
    int64_t *at = ARENA_ARRAY(module->arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        at[i] = begin + i;
    return (struct dims){count, at};
}

struct dims rewrite_dims(struct module *module, const int64_t *at, int64_t count)
{
    return (struct dims){count, arena_copy(module->arena, at, (size_t)count * sizeof *at)};
}

struct dims rewrite_permuted(struct module *module, struct dims list, const int64_t *permutation)
{
    int64_t *at = ARENA_ARRAY(module->arena, int64_t, (size_t)list.count + 1);
    for (int64_t i = 0; i < list.count; i++)
        at[i] = permutation[list.at[i]];
    return (struct dims){list.count, at};
}

bool rewrite_is_range(struct dims list)
{
    for (int64_t i = 0; i < list.count; i++)
        if (list.at[i] != i)
            return false;
    return true;
}

bool rewrite_is_all(struct dims list, int64_t number)
{
    for (int64_t i = 0; i < list.count; i++)
        if (list.at[i] != number)
            return false;
    return true;
}

struct value *rewrite_broadcast_scalar(struct builder *b, struct value *scalar,
                                       const struct type *type)
{
    return type->shape.rank == 0 ? scalar : build_broadcast(b, scalar, type, 0, (int64_t[]){0});
}

struct value *rewrite_broadcast_vector(struct builder *b, struct value *vector,
                                       const struct type *type, int64_t dim)
{
    return build_broadcast(b, vector, type, 1, &dim);
}

struct op *rewrite_only_transpose(const struct value *value)
{
    struct op *user = ir_has_one_use(value) ? value->uses->user : NULL;
    return user && user->code == OP_transpose && user->block == value->def->block ? user : NULL;
}

struct value *rewrite_piece(const struct op *concatenate, int64_t first, int64_t last,
                            int64_t *before)
{
    int64_t dim = concatenate->attrs.dimension.dimension;
    *before = 0;
    for (int i = 0; i < concatenate->operand_count; i++) {
        int64_t size = concatenate->operands[i]->type->shape.dims[dim];
        if (first < *before + size)
            return last < *before + size ? concatenate->operands[i] : NULL;
        *before += size;
    }
    return NULL;
}
