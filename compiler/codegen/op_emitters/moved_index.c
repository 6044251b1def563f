/* moved_index.c: see moved_index.h. */
#include "compiler/codegen/op_emitters/moved_index.h"

#include "compiler/schedule/access.h"

static struct affine at_of(const struct access *access, const struct index *index)
{
    if (access->kind != ACCESS_INDEX)
        return affine_constant(0);
    struct affine at = affine_scale(&index->at[access->dim], access->scale);
    return affine_offset(&at, access->offset);
}

struct index moved_index(struct emitter *e, const struct op *op, const struct index *index)
{
    const struct shape *from = &op->operands[0]->type->shape;
    if (op->code == OP_reshape && !access_keeps_dims(op)) {
        struct affine number = affine_linear(e, index, op->results[0].type->shape.dims);
        return affine_delinear(e, &number, from->rank, from->dims);
    }
    struct affine *at = affine_array(e, from->rank);
    for (int i = 0; i < from->rank; i++) {
        struct access access = access_of(op, 0, i);
        at[i] = at_of(&access, index);
    }
    return affine_index(from->rank, at);
}
