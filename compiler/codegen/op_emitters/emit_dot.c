/* emit_dot.c: dot_general as an expression: a loop over the contracted dimensions for every
 * element. Lanes run along the result's columns, or along the contracted dimension if it is
 * innermost in both operands. Small floats accumulate in f32, integers in the result's type. */
#include "compiler/analysis/product_side.h"
#include "compiler/codegen/element/element_convert.h"
#include "compiler/codegen/element/elementwise.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/codegen/loops/reduction.h"
#include "compiler/codegen/op_emitters/op_emitters.h"

struct product {
    const struct op *op;
    const struct attrs_dot *dot;
    enum dtype dtype; /* of the accumulator */
    const struct affine *lhs,
        *rhs; /* indices of the operands; the loop fills in contracted dimensions */
};

/* An operand's index but for contracted dimensions. */
static struct affine *operand_index(struct emitter *e, const struct op *dot, int which,
                                    const struct affine *result)
{
    const int rank = dot->operands[which]->type->shape.rank;
    struct affine *at = affine_array(e, rank);
    for (int i = 0; i < rank; i++) {
        const int dim = product_side_result_dim(dot, which, i);
        if (dim >= 0)
            at[i] = result[dim];
    }
    return at;
}

static struct error *operand_at(struct emitter *e, const struct product *p, int which,
                                const struct affine *base, const struct dims *contracted,
                                const struct affine *at, struct element *out)
{
    const struct value *value = p->op->operands[which];
    struct affine *full =
        arena_copy(e->arena, base, (size_t)value->type->shape.rank * sizeof *base);
    for (int64_t i = 0; i < contracted->count; i++)
        full[contracted->at[i]] = at[i];
    struct index index = affine_index(value->type->shape.rank, full);
    TRY(expression_emit(e, value, &index, out));
    enum dtype from = dtype_real_part(value->type->shape.dtype), to = dtype_real_part(p->dtype);
    for (int part = 0; part < 2 && out->part[part]; part++)
        out->part[part] = element_convert(e, out->part[part], from, to);
    return NULL;
}

static struct error *product_combine(struct emitter *e, void *context, struct element *a,
                                     const struct element *b)
{
    const struct product *p = context;
    return elementwise_combine(e, p->dtype == DTYPE_PRED ? OP_or : OP_add, p->dtype, a, b, a);
}

static struct error *product_step(struct emitter *e, void *context, const struct affine *at,
                                  struct element *accumulators)
{
    const struct product *p = context;
    struct element lhs, rhs;
    TRY(operand_at(e, p, 0, p->lhs, &p->dot->lhs_contracting_dimensions, at, &lhs));
    TRY(operand_at(e, p, 1, p->rhs, &p->dot->rhs_contracting_dimensions, at, &rhs));
    return elementwise_accumulate(e, p->dtype, &lhs, &rhs, accumulators);
}

static bool contracts_last(const struct op *dot, int which)
{
    const struct product_side side = product_side_of(dot, which);
    const int64_t count = side.contracted.count;
    return count && side.contracted.at[count - 1] == side.value->type->shape.rank - 1;
}

/* Whether the last dimension of both operands is contracted, by the same loop. */
static bool contracts_rows(const struct op *dot)
{
    return contracts_last(dot, 0) && contracts_last(dot, 1);
}

struct error *emit_dot_general(struct emitter *e, const struct op *op, const struct index *index,
                               struct element *out)
{
    const struct attrs_dot *dot = &op->attrs.dot;
    const struct type *lhs = op->operands[0]->type;
    enum dtype result = op->results[0].type->shape.dtype;
    struct product *p = ARENA_NEW(e->arena, struct product);
    int64_t *sizes = ARENA_ARRAY(e->arena, int64_t, SHAPE_MAX_RANK);
    int loops = (int)dot->lhs_contracting_dimensions.count;
    p->op = op;
    p->dot = dot;
    p->dtype = element_is_small_float(result) ? DTYPE_F32 : result;
    p->lhs = operand_index(e, op, 0, index->at);
    p->rhs = operand_index(e, op, 1, index->at);
    for (int i = 0; i < loops; i++)
        sizes[i] = lhs->shape.dims[dot->lhs_contracting_dimensions.at[i]];
    struct element initial = element_from_double(e, p->dtype, 0);
    struct reduction r = {.rank = loops,
                          .sizes = sizes,
                          .count = 1,
                          .dtypes = &p->dtype,
                          .initial = &initial,
                          .identity = dtype_is_float(p->dtype) ? &initial : NULL,
                          .lanes = expression_lanes(e, index),
                          .step = product_step,
                          .combine = product_combine,
                          .context = p};
    if (r.lanes == 1 && loops && sizes[loops - 1] >= 4 && contracts_rows(op)) {
        int weight = arithmetic_weight(op->operands[0]) + arithmetic_weight(op->operands[1]);
        reduction_vectorize(e, &r, p->dtype, sizes[loops - 1], weight);
    }
    TRY(reduction_emit(e, &r, out));
    if (p->dtype != result)
        out->part[0] = element_convert(e, out->part[0], p->dtype, result);
    return NULL;
}
