/* period.c: see period.h. */
#include "compiler/codegen/loops/period.h"

#include "compiler/codegen/element/pattern.h"
#include "compiler/codegen/loops/analysis.h"

enum {
    STEPS = 200,   /* of the walk */
    ROW_WEIGHT = 2 /* of what is computed again for each element of a row */
};

/* ---- analysis -------------------------------------------------------------------------------- */
static bool fits(const struct value *value, int row, int inner, int *steps);

/* Whether the elements that lanes read of an argument are within a few vectors. -1: the argument
 * does not depend on that dimension. */
static bool is_dense(const struct type *type, int row, int inner)
{
    int last = type->shape.rank - 1;
    return inner < 0 ? row < 0 || row == last : inner == last && (row < 0 || row == last - 1);
}

static bool broadcast_fits(const struct op *op, int row, int inner, int *steps)
{
    const struct type *from = op->operands[0]->type;
    const int64_t *to = op->attrs.broadcast_in_dim.broadcast_dimensions.at;
    int from_row = -1, from_inner = -1;
    for (int i = 0; i < from->shape.rank; i++) {
        from_row = to[i] == row && from->shape.dims[i] != 1 ? i : from_row;
        from_inner = to[i] == inner && from->shape.dims[i] != 1 ? i : from_inner;
    }
    if (from_inner < 0 && analysis_weight(op->operands[0]) > ROW_WEIGHT)
        return false;
    return fits(op->operands[0], from_row, from_inner, steps);
}

static bool pads(const struct op *pad, int dim)
{
    const struct attrs_pad *at = &pad->attrs.pad;
    return at->edge_padding_low.at[dim] || at->edge_padding_high.at[dim];
}

/* Whether a concatenation has operands that are almost as they are in memory, and not an element of
 * each in turn, which is better interleaved. */
static bool joins_parts(const struct op *concatenate, int inner)
{
    const struct shape *shape = &concatenate->results[0].type->shape;
    if (concatenate->attrs.dimension.dimension != inner ||
        concatenate->operand_count == shape->dims[inner])
        return false;
    for (int i = 0; i < concatenate->operand_count; i++)
        if (analysis_weight(concatenate->operands[i]) > ROW_WEIGHT)
            return false;
    return true;
}

/* Whether lanes that are near each other are so in the operands of an operation, too. Masks must be
 * patterns unless the lanes read adjacent elements. */
static bool keeps_near(const struct op *op, int row, int inner)
{
    const struct shape *to = &op->results[0].type->shape;
    if (op_info(op->code)->traits & OP_ELEMENTWISE || op->code == OP_reverse)
        return true;
    if (row < 0 || inner < 0)
        return false;
    switch (op->code) {
    case OP_slice:
        return op->attrs.slice.strides.at[row] == 1 && op->attrs.slice.strides.at[inner] == 1 &&
               op->operands[0]->type->shape.dims[inner] <= 2 * to->dims[inner];
    case OP_pad:
        return !op->attrs.pad.interior_padding.at[row] &&
               !op->attrs.pad.interior_padding.at[inner] && !(pads(op, row) && pads(op, inner));
    case OP_concatenate: return joins_parts(op, inner);
    default: return false;
    }
}

static bool fits(const struct value *value, int row, int inner, int *steps)
{
    const struct op *op = value->def;
    if (row < 0 && inner < 0)
        return true;
    if (!op || op->code == OP_fusion)
        return is_dense(value->type, row, inner);
    if (op->code == OP_constant || op->code == OP_iota)
        return op->code == OP_iota || op->attrs.constant.value->splat ||
               is_dense(value->type, row, inner);
    if (--*steps < 0)
        return false;
    if (op->code == OP_broadcast_in_dim)
        return broadcast_fits(op, row, inner, steps);
    if (!keeps_near(op, row, inner))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank && !fits(op->operands[i], row, inner, steps))
            return false;
    return true;
}

bool period_fits(const struct value *value, int row, int inner)
{
    int steps = STEPS;
    return fits(value, row, inner, &steps);
}

/* ---- code ------------------------------------------------------------------------------------ */
/* The index of vector number `vector` of the rows at `at`. */
static struct index index_of(struct emitter *e, const struct nest *nest, const struct affine *at,
                             int vector)
{
    int64_t rows[PATTERN_LANES], elements[PATTERN_LANES];
    int rank = nest->shape->shape.rank, row = nest->axis_dim[nest->axes - 1];
    for (int i = 0; i < e->lanes; i++) {
        rows[i] = (vector * e->lanes + i) / nest->interleave;
        elements[i] = (vector * e->lanes + i) % nest->interleave;
    }
    struct affine *index = arena_copy(e->arena, at, (size_t)rank * sizeof *at);
    struct affine lane = affine_var(e->lane_var), by_row = affine_var(pattern_var(e, rows));
    lane = affine_scale(&lane, -1);
    index[row] = affine_add(e, &index[row], &lane);
    index[row] = affine_add(e, &index[row], &by_row);
    index[nest->interleave_dim] = affine_var(pattern_var(e, elements));
    return affine_index(rank, index);
}

struct error *period_store(struct emitter *e, const struct nest *nest, const struct affine *at)
{
    for (int vector = 0; vector < nest->interleave; vector++) {
        struct index index = index_of(e, nest, at, vector);
        struct affine offset = affine_linear(e, &index, nest->shape->shape.dims);
        for (int i = 0; i < nest->count; i++) {
            struct element element;
            TRY(expression_emit(e, nest->roots[i], &index, &element));
            element_store(e, nest->pointers[i], nest->roots[i]->type->shape.dtype, &offset,
                          &element, false);
        }
    }
    return NULL;
}
