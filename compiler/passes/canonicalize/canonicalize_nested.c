/* canonicalize_nested.c: see canonicalize_nested.h. */
#include "compiler/passes/canonicalize/canonicalize_nested.h"

#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/reducer.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { FEW_TERMS = 64 }; /* of a result, whose order is of no consequence for accuracy */

/* The dimensions of what both reductions read, and which of them are reduced. */
struct joined {
    int rank, reduced;
    int64_t dims[SHAPE_MAX_RANK], at[SHAPE_MAX_RANK];
};

/* Whether the inner reduction may begin with what the outer one begins with. */
static bool is_initial_spared(const struct op *outer, const struct op *inner)
{
    const struct literal *a = constants_literal(outer->operands[1]),
                         *b = constants_literal(inner->operands[1]);
    if (!a || !b)
        return false;
    size_t bytes = (size_t)dtype_bytes(b->type->shape.dtype);
    if (reducer_of(outer) != OP_add)
        return !memcmp(a->bytes, b->bytes, bytes);
    return !dtype_is_complex(b->type->shape.dtype) &&
           dtype_to_double(b->type->shape.dtype, b->bytes) == 0;
}

static int64_t terms_of(const struct op *reduce)
{
    int64_t terms = type_elements(reduce->results[0].type);
    return terms ? type_elements(reduce->operands[0]->type) / terms : 0;
}

/* What the outer reduction reads, with the inner one's reduced dimensions put in between: that is
 * possible where a dimension begins in both shapes of the inner one's result. */
static bool join(const struct op *outer, const struct op *inner, struct joined *joined)
{
    const struct shape *from = &inner->operands[0]->type->shape,
                       *to = &outer->operands[0]->type->shape;
    struct dims reduced = inner->attrs.dimensions.dimensions;
    int64_t before = 1, passed = 1; /* elements of the dimensions so far, of `from` and of `to` */
    int next = 0;
    *joined = (struct joined){0};
    for (int i = 0; i <= from->rank; i++) {
        bool is_reduced = i < from->rank && dims_contain(reduced, i);
        while (next < to->rank && (passed < before || i == from->rank)) {
            if (joined->rank == SHAPE_MAX_RANK)
                return false;
            if (dims_contain(outer->attrs.dimensions.dimensions, next))
                joined->at[joined->reduced++] = joined->rank;
            passed *= to->dims[next];
            joined->dims[joined->rank++] = to->dims[next++];
        }
        if (is_reduced && (passed != before || joined->rank == SHAPE_MAX_RANK))
            return false;
        if (is_reduced) {
            joined->at[joined->reduced++] = joined->rank;
            joined->dims[joined->rank++] = from->dims[i];
        } else if (i < from->rank)
            before *= from->dims[i];
    }
    return true;
}

struct error *canonicalize_nested_reduce(struct module *module, struct op *op)
{
    const struct op *def = op->operands[0]->def;
    const struct op *inner = def && def->code == OP_reshape ? def->operands[0]->def : def;
    enum op_code code = reducer_of_sum_or_extremum(op);
    enum dtype dtype = op->results[0].type->shape.dtype;
    struct joined joined;
    if (module->awaits_model || code == OP_INVALID_CODE || !inner || inner->block != op->block ||
        inner->code != OP_reduce || reducer_of(inner) != code || !ir_has_one_use(op->operands[0]) ||
        !ir_has_one_use(&inner->results[0]) ||
        (code == OP_add && dtype_is_float(dtype) && dtype_info(dtype)->bits < 32))
        return NULL; /* sums of narrow floats are rounded to their type */
    int64_t terms = terms_of(op) * terms_of(inner);
    if (!terms || terms > FEW_TERMS || !is_initial_spared(op, inner) || !join(op, inner, &joined))
        return NULL;
    struct builder b = rewrite_before(module, op);
    struct value *all = build_reshape(&b, inner->operands[0], joined.rank, joined.dims);
    return rewrite_with(module, op,
                        build_reduce(&b, all, op->operands[1], code, joined.reduced, joined.at));
}
