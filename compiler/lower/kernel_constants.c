/* kernel_constants.c: see kernel_constants.h. */
#include "compiler/lower/kernel_constants.h"

#include <string.h>

#include "compiler/schedule/access.h"

enum {
    MIN_EXTENT = 16, /* elements of an inner dimension of a slice whose position may vary */
    MAX_COUNT = 256
};

/* ---- numbers --------------------------------------------------------------------------------- */
/* Whether code for operand `i` of an operation is equally fast when it is read from memory. */
static bool may_be_read(const struct op *user, int i)
{
    switch (user->code) {
    case OP_add:
    case OP_subtract:
    case OP_maximum:
    case OP_minimum:
    case OP_compare:
    case OP_clamp:
    case OP_complex: return true;
    case OP_multiply: return !dtype_is_integer(user->results[0].type->shape.dtype);
    case OP_divide: return i == 0;
    case OP_select: return i > 0;
    case OP_dynamic_slice: return i > 0;
    case OP_dynamic_update_slice: return i > 1;
    default: return false;
    }
}

/* Whether a load gives the number without much conversion. */
static bool is_plain(enum dtype dtype)
{
    bool narrow = dtype_is_float(dtype) && dtype_bytes(dtype) < 2;
    return dtype != DTYPE_PRED && !narrow;
}

static bool is_number(const struct op *op)
{
    const struct literal *literal = op->attrs.constant.value;
    int64_t count = type_elements(op->results[0].type);
    if (!count || !(literal->splat || count == 1) || !is_plain(literal->type->shape.dtype))
        return false;
    for (const struct use *use = op->results[0].uses; use; use = use->next)
        if (use->user->block != op->block || !may_be_read(use->user, use->operand))
            return false;
    return true;
}

static void add(struct arena *arena, struct kernel_constants *to, struct op *op, int index,
                enum dtype dtype, const void *bytes)
{
    struct kernel_constant constant = {op, index, dtype, bytes};
    VEC_PUSH(arena, &to->list, constant);
}

/* Bit `bit` of what the signature leaves out of an operation. */
static void leave_out(struct kernel_constants *to, const struct op *op, int bit)
{
    uintptr_t fields = (uintptr_t)map_get_pointer(to->fields, op);
    map_put_pointer(to->fields, op, (void *)(fields | (uintptr_t)1 << bit));
}

static void add_operands(struct arena *arena, struct kernel_constants *to, struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        const struct op *from = op->operands[i]->def;
        if (from && from->code == OP_constant && map_get_pointer(to->fields, from))
            add(arena, to, op, i, from->results[0].type->shape.dtype,
                from->attrs.constant.value->bytes);
    }
}

/* ---- slices ---------------------------------------------------------------------------------- */
bool kernel_constants_is_outermost(const struct type *type, int dim)
{
    for (int i = 0; i < dim; i++)
        if (type->shape.dims[i] != 1)
            return false;
    return true;
}

static bool may_move(const struct op *slice, int dim)
{
    const struct type *from = slice->operands[0]->type, *to = slice->results[0].type;
    if (from->shape.dims[dim] == 1 || !type_elements(to))
        return false;
    return kernel_constants_is_outermost(from, dim) ||
           (access_is_dense(slice) && to->shape.dims[dim] >= MIN_EXTENT);
}

static void add_slice(struct arena *arena, struct kernel_constants *to, struct op *slice)
{
    const struct value *from = slice->operands[0];
    const struct shape *shape = &from->type->shape;
    if (from->def || from->block != slice->block || shape->minor_to_major)
        return;
    for (int dim = 0; dim < shape->rank; dim++)
        if (may_move(slice, dim)) {
            add(arena, to, slice, dim, DTYPE_S64, &slice->attrs.slice.start_indices.at[dim]);
            leave_out(to, slice, dim);
        }
}

/* ---- all ------------------------------------------------------------------------------------- */
void kernel_constants_find(struct arena *arena, const struct op *fusion,
                           struct kernel_constants *out)
{
    enum fusion_kind kind = fusion->attrs.fusion.fusion_kind;
    *out = (struct kernel_constants){.fields = map_create(arena)};
    if (kind != FUSION_LOOP && kind != FUSION_UPDATE)
        return;
    for (struct op *op = fusion->regions[0]->first; op; op = op->next)
        if (op->code == OP_constant && is_number(op))
            leave_out(out, op, 0);
        else if (op->code == OP_slice)
            add_slice(arena, out, op);
        else
            add_operands(arena, out, op);
    if (out->list.count > MAX_COUNT)
        *out = (struct kernel_constants){.fields = map_create(arena)};
}

bool kernel_constants_equal(const struct kernel_constant *a, const struct kernel_constant *b)
{
    return a->dtype == b->dtype && !memcmp(a->bytes, b->bytes, (size_t)dtype_bytes(a->dtype));
}
