/* analysis.c: walks over expressions. Each walk is limited to a number of steps, after which it
 * returns the conservative answer. Values with several users are recorded, so that the steps grow
 * with the operations of an expression, not with the paths through it. */
#include "compiler/codegen/loops/analysis.h"

enum { STEPS = 2000, SHORT_ROW = 8, VISITS = 256 };

/* ---- walks ----------------------------------------------------------------------------------- */
/* An operation that a walk has been to, for some dimensions. */
struct visit {
    const struct op *op;
    uint64_t dims, rows;
    int depth; /* in loop_depth() */
};

/* any_loop: every loop counts, not only those that use scalars; any_row: rows of any length do.
 * visits: a cache, by hash; what it no longer contains is visited again. */
struct walk {
    int steps;
    bool any_loop, any_row;
    struct visit visits[VISITS];
};

static struct visit *visit_of(struct walk *walk, const struct op *op, uint64_t dims, uint64_t rows)
{
    uint64_t hash = ((uint64_t)(uintptr_t)op ^ dims * 31 ^ rows * 1021) * 0x9e3779b97f4a7c15;
    return &walk->visits[hash >> 56];
}

/* Whether the walk has been to an operation; records it if there may be another way to it. */
static bool is_repeated(struct walk *walk, const struct op *op, uint64_t dims, uint64_t rows)
{
    const struct use *uses = op->results->uses;
    if (!op->operand_count || (op->result_count == 1 && (!uses || !uses->next)))
        return false;
    struct visit *visit = visit_of(walk, op, dims, rows);
    if (visit->op == op && visit->dims == dims && visit->rows == rows)
        return true;
    *visit = (struct visit){op, dims, rows, 0};
    return false;
}

static struct walk start(void)
{
    return (struct walk){.steps = STEPS};
}

bool analysis_is_reduced(const struct op *reduce, int64_t dim)
{
    return dims_contain(reduce->attrs.dimensions.dimensions, dim);
}

bool analysis_reduces_innermost(const struct op *reduce)
{
    const struct type *type = reduce->operands[0]->type;
    for (int i = type->shape.rank - 1; i >= 0; i--)
        if (type->shape.dims[i] != 1)
            return analysis_is_reduced(reduce, i);
    return true;
}

/* ---- collapsing ------------------------------------------------------------------------------ */
static bool collapses(const struct value *value, int dim, struct walk *walk);

static bool broadcast_collapses(const struct op *op, int dim, struct walk *walk)
{
    const struct type *from = op->operands[0]->type;
    const struct dims *to = &op->attrs.broadcast_in_dim.broadcast_dimensions;
    int outer = -1, inner = -1;
    for (int i = 0; i < from->shape.rank; i++) {
        outer = to->at[i] == dim && from->shape.dims[i] != 1 ? i : outer;
        inner = to->at[i] == dim + 1 && from->shape.dims[i] != 1 ? i : inner;
    }
    if (outer < 0 && inner < 0)
        return true;
    return outer >= 0 && inner == outer + 1 && collapses(op->operands[0], outer, walk);
}

/* Whether a dimension is padded or cut. */
static bool is_padded(const struct op *op, int dim)
{
    const struct attrs_pad *pad = &op->attrs.pad;
    return pad->edge_padding_low.at[dim] || pad->edge_padding_high.at[dim] ||
           pad->interior_padding.at[dim];
}

/* Whether an operation that moves elements moves those of dim and dim + 1 together: where elements
 * are adjacent in the result, they are adjacent in the operands, too. */
static bool moves_together(const struct op *op, int dim)
{
    const int64_t *dims = op->results[0].type->shape.dims;
    const int64_t *from = op->operand_count ? op->operands[0]->type->shape.dims : dims;
    switch (op->code) {
    case OP_concatenate:
        return op->attrs.dimension.dimension != dim && op->attrs.dimension.dimension != dim + 1;
    case OP_iota:
        return op->attrs.iota.iota_dimension != dim && op->attrs.iota.iota_dimension != dim + 1;
    case OP_reverse:
        return !dims_contain(op->attrs.dimensions.dimensions, dim) &&
               !dims_contain(op->attrs.dimensions.dimensions, dim + 1);
    case OP_slice: return op->attrs.slice.strides.at[dim] == 1 && dims[dim + 1] == from[dim + 1];
    case OP_dynamic_slice: return dims[dim + 1] == from[dim + 1];
    case OP_pad: return !is_padded(op, dim) && !is_padded(op, dim + 1);
    default: return op_info(op->code)->traits & OP_ELEMENTWISE;
    }
}

static bool collapses(const struct value *value, int dim, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || value->type->shape.dims[dim] == 1 || value->type->shape.dims[dim + 1] == 1)
        return true;
    if (--walk->steps < 0)
        return false;
    if (op->code == OP_constant || op->code == OP_fusion || is_repeated(walk, op, (uint64_t)dim, 0))
        return true;
    if (op->code == OP_broadcast_in_dim)
        return broadcast_collapses(op, dim, walk);
    if (!moves_together(op, dim))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank && !collapses(op->operands[i], dim, walk))
            return false;
    return true;
}

bool analysis_collapses(const struct value *value, int dim)
{
    struct walk walk = start();
    return collapses(value, dim, &walk);
}

/* ---- mapping an index's lanes to dimensions of operands -------------------------------------- */
static bool meets(const struct value *value, uint64_t dims, struct walk *walk);

static uint64_t bit(int64_t i)
{
    return 1ULL << i;
}

/* Maps dimensions through a reshape. Two dimensions correspond if the ranges of row-major strides
 * that they cover overlap. */
static uint64_t through_reshape(const struct type *to, const struct type *from, uint64_t dims)
{
    uint64_t result = 0;
    for (int i = 0; i < to->shape.rank; i++) {
        if (!(dims & bit(i)) || to->shape.dims[i] == 1)
            continue;
        int64_t inside = 1, offset_of = 1;
        for (int j = i + 1; j < to->shape.rank; j++)
            inside *= to->shape.dims[j];
        for (int k = from->shape.rank - 1; k >= 0;
             k--) { /* all that overlap [inside, inside * size) */
            if (from->shape.dims[k] != 1 && offset_of < inside * to->shape.dims[i] &&
                offset_of * from->shape.dims[k] > inside)
                result |= bit(k);
            offset_of *= from->shape.dims[k];
        }
    }
    return result;
}

static bool meets_reduce(const struct op *op, uint64_t dims, struct walk *walk)
{
    const struct type *type = op->operands[0]->type;
    uint64_t in = 0;
    for (int i = 0, result_dim = 0; i < type->shape.rank; i++)
        if (!analysis_is_reduced(op, i))
            in |= dims & bit(result_dim++) ? bit(i) : 0;
    if (!in)
        return false;
    int innermost = type->shape.rank - 1;
    while (innermost > 0 && type->shape.dims[innermost] == 1)
        innermost--;
    if (walk->any_loop || (analysis_is_reduced(op, innermost) &&
                           (walk->any_row || type->shape.dims[innermost] >= SHORT_ROW)))
        return true;
    for (int i = 0; i < op->operand_count / 2; i++)
        if (meets(op->operands[i], in, walk))
            return true;
    return false;
}

/* Lanes along the columns of a dot's result are efficient if the columns are the right operand's
 * innermost dimension. */
static bool dot_uses_scalars(const struct op *op, uint64_t dims)
{
    const struct attrs_dot *dot = &op->attrs.dot;
    const struct type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type;
    int64_t lhs_free = lhs->shape.rank - dot->lhs_batching_dimensions.count -
                       dot->lhs_contracting_dimensions.count;
    int64_t columns = dot->lhs_batching_dimensions.count + lhs_free;
    bool rows_of_rhs =
        rhs->shape.rank && dims_contain(dot->rhs_contracting_dimensions, rhs->shape.rank - 1);
    bool along_columns = columns < 64 && dims >> columns;
    return dims && (along_columns ? rows_of_rhs
                                  : lhs->shape.rank && dims_contain(dot->lhs_contracting_dimensions,
                                                                    lhs->shape.rank - 1));
}

/* The dimensions of a gather's operand of which dimensions of the result are slices. */
static uint64_t through_gather(const struct op *op, uint64_t dims)
{
    const struct attrs_gather *gather = &op->attrs.gather;
    uint64_t in = 0;
    for (int i = 0, offset = 0; i < op->operands[0]->type->shape.rank; i++)
        if (!dims_contain(gather->collapsed_slice_dims, i) &&
            !dims_contain(gather->operand_batching_dims, i))
            in |= dims & bit(gather->offset_dims.at[offset++]) ? bit(i) : 0;
    return in;
}

static bool meets_gather(const struct op *op, uint64_t dims, struct walk *walk)
{
    uint64_t in = through_gather(op, dims);
    return in && meets(op->operands[0], in, walk);
}

static uint64_t through_broadcast(const struct op *op, uint64_t dims)
{
    const struct dims *to = &op->attrs.broadcast_in_dim.broadcast_dimensions;
    uint64_t in = 0;
    for (int i = 0; i < op->operands[0]->type->shape.rank; i++)
        if (op->operands[0]->type->shape.dims[i] != 1 && dims & bit(to->at[i]))
            in |= bit(i);
    return in;
}

static uint64_t through_transpose(const struct op *op, uint64_t dims)
{
    uint64_t in = 0;
    for (int i = 0; i < op->operands[0]->type->shape.rank; i++)
        if (dims & bit(i))
            in |= bit(op->attrs.transpose.permutation.at[i]);
    return in;
}

static bool meets(const struct value *value, uint64_t dims, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || !dims || --walk->steps < 0 || is_repeated(walk, op, dims, 0))
        return false;
    switch (op->code) {
    case OP_reduce: return meets_reduce(op, dims, walk);
    case OP_dot_general: return walk->any_loop || dot_uses_scalars(op, dims);
    case OP_convolution:
    case OP_reduce_window: return walk->any_loop;
    case OP_gather: return meets_gather(op, dims, walk);
    case OP_broadcast_in_dim: return meets(op->operands[0], through_broadcast(op, dims), walk);
    case OP_transpose: return meets(op->operands[0], through_transpose(op, dims), walk);
    case OP_reshape:
        return meets(op->operands[0], through_reshape(value->type, op->operands[0]->type, dims),
                     walk);
    case OP_constant:
    case OP_iota:
    case OP_fusion: return false;
    default: break;
    }
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank == value->type->shape.rank &&
            meets(op->operands[i], dims, walk))
            return true;
    return false;
}

bool analysis_uses_scalars(const struct value *value, int dim)
{
    struct walk walk = start();
    return meets(value, bit(dim), &walk);
}

bool analysis_reduces_rows(const struct value *value, int dim)
{
    struct walk walk = start();
    walk.any_row = true;
    return meets(value, bit(dim), &walk);
}

bool analysis_meets_loop(const struct value *value, int dim)
{
    struct walk walk = start();
    walk.any_loop = true;
    return meets(value, bit(dim), &walk);
}

/* ---- transposes ------------------------------------------------------------------------------ */
static bool transposes(const struct value *value, uint64_t lanes, uint64_t rows, struct walk *walk);

/* The operand's dimensions that the given dimensions of the result map to. */
static uint64_t operand_dims(const struct op *op, int operand, uint64_t dims)
{
    const struct type *to = op->results[0].type, *from = op->operands[operand]->type;
    switch (op->code) {
    case OP_broadcast_in_dim: return through_broadcast(op, dims);
    case OP_transpose: return through_transpose(op, dims);
    case OP_reshape: return through_reshape(to, from, dims);
    default: return from->shape.rank == to->shape.rank ? dims : 0;
    }
}

static bool transposes(const struct value *value, uint64_t lanes, uint64_t rows, struct walk *walk)
{
    const struct op *op = value->def;
    if (!lanes || !rows || --walk->steps < 0)
        return false;
    if (!op) {
        int innermost = value->type->shape.rank - 1;
        while (innermost > 0 && value->type->shape.dims[innermost] == 1)
            innermost--;
        return !(lanes & bit(innermost)) && (rows & bit(innermost));
    }
    if (op->code == OP_gather || op->code == OP_concatenate || op->code == OP_reduce ||
        op->code == OP_fusion || is_repeated(walk, op, lanes, rows))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank &&
            transposes(op->operands[i], operand_dims(op, i, lanes), operand_dims(op, i, rows),
                       walk))
            return true;
    return false;
}

bool analysis_transposes(const struct value *value, int lanes, int rows)
{
    struct walk walk = start();
    return transposes(value, bit(lanes), bit(rows), &walk);
}

/* ---- elements that take turns ---------------------------------------------------------------- */
static bool takes_turns(const struct value *value, uint64_t dims, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || !dims || --walk->steps < 0 || is_repeated(walk, op, dims, 0) ||
        op->code == OP_gather || op->code == OP_reduce || op->code == OP_fusion)
        return false;
    if (op->code == OP_concatenate && dims & bit(op->attrs.dimension.dimension) &&
        op->operand_count == value->type->shape.dims[op->attrs.dimension.dimension])
        return true;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank &&
            takes_turns(op->operands[i], operand_dims(op, i, dims), walk))
            return true;
    return false;
}

bool analysis_takes_turns(const struct value *value, int dim)
{
    struct walk walk = start();
    return takes_turns(value, bit(dim), &walk);
}

static bool gathers(const struct value *value, uint64_t dims, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || !dims || --walk->steps < 0 || is_repeated(walk, op, dims, 0) ||
        op->code == OP_reduce || op->code == OP_fusion)
        return false;
    if (op->code == OP_gather)
        return through_gather(op, dims) != 0;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank &&
            gathers(op->operands[i], operand_dims(op, i, dims), walk))
            return true;
    return false;
}

bool analysis_gathers_along(const struct value *value, int dim)
{
    struct walk walk = start();
    return gathers(value, bit(dim), &walk);
}

/* ---- size of expressions --------------------------------------------------------------------- */
static bool has_loop(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || is_repeated(walk, op, 0, 0))
        return false;
    if (--walk->steps < 0)
        return true;
    if (op->code == OP_reduce || op->code == OP_dot_general || op->code == OP_convolution ||
        op->code == OP_reduce_window)
        return true;
    for (int i = 0; i < op->operand_count; i++)
        if (has_loop(op->operands[i], walk))
            return true;
    return false;
}

bool analysis_has_loop(const struct value *value)
{
    struct walk walk = start();
    return has_loop(value, &walk);
}

static int loop_depth(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    int deepest = 0;
    if (!op || op->code == OP_fusion || --walk->steps < 0)
        return 0;
    struct visit *visit = visit_of(walk, op, 0, 0);
    if (visit->op == op)
        return visit->depth;
    for (int i = 0; i < op->operand_count; i++) {
        int depth = loop_depth(op->operands[i], walk);
        deepest = depth > deepest ? depth : deepest;
    }
    deepest += op->code == OP_reduce;
    *visit = (struct visit){op, 0, 0, deepest};
    return deepest;
}

int analysis_loop_depth(const struct value *value)
{
    struct walk walk = start();
    return loop_depth(value, &walk);
}

static int weight_of(enum op_code code)
{
    switch (code) {
    case OP_sqrt:
    case OP_rsqrt: return 1; /* one instruction, or two */
    case OP_remainder:
    case OP_gather: return 20;
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_constant:
    case OP_transpose:
    case OP_slice:
    case OP_fusion: return 0;
    default: return op_info(code)->traits & OP_TRANSCENDENTAL ? 20 : 1;
    }
}

static int weight(const struct value *value, int *steps)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || op->code == OP_reduce || --*steps < 0)
        return 0;
    int sum = weight_of(op->code);
    for (int i = 0; i < op->operand_count && sum < 100; i++)
        sum += weight(op->operands[i], steps);
    return sum;
}

int analysis_weight(const struct value *value)
{
    int steps = STEPS;
    return weight(value, &steps);
}

static bool is_light(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || is_repeated(walk, op, 0, 0))
        return true;
    if (weight_of(op->code) > 1 || --walk->steps < 0)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (!is_light(op->operands[i], walk))
            return false;
    return true;
}

bool analysis_is_light(const struct value *value)
{
    struct walk walk = start();
    return is_light(value, &walk);
}

/* Whether a reshape only inserts and removes dimensions of size 1. */
static bool keeps_dims(const struct op *reshape)
{
    const struct shape *from = &reshape->operands[0]->type->shape,
                       *to = &reshape->results[0].type->shape;
    int i = 0, j = 0;
    for (; i < from->rank || j < to->rank;) {
        if (i < from->rank && from->dims[i] == 1)
            i++;
        else if (j < to->rank && to->dims[j] == 1)
            j++;
        else if (i == from->rank || j == to->rank || from->dims[i++] != to->dims[j++])
            return false;
    }
    return true;
}

static bool is_wide_argument(const struct value *value)
{
    return !value->def && dtype_bytes(value->type->shape.dtype) >= 4;
}

/* Whether a value is an argument, or one times a broadcast of another, as in the product of a
 * vector with a matrix: a multiply-add that reads memory. */
static bool is_weighted_argument(const struct value *value)
{
    const struct op *op = value->def;
    if (!op || op->code != OP_multiply)
        return is_wide_argument(value);
    for (int i = 0; i < 2; i++) {
        const struct value *weight = op->operands[1 - i];
        if (!is_wide_argument(op->operands[i]) || !weight->def ||
            weight->def->code != OP_broadcast_in_dim)
            continue;
        weight = weight->def->operands[0];
        if (weight->def && weight->def->code == OP_reshape && keeps_dims(weight->def))
            weight = weight->def->operands[0];
        return is_wide_argument(weight);
    }
    return false;
}

static bool is_plain(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_constant || is_repeated(walk, op, 0, 0))
        return true;
    if (op->code == OP_reduce)
        return op->operand_count == 2 && is_weighted_argument(op->operands[0]);
    bool moves = op->code == OP_broadcast_in_dim || (op->code == OP_reshape && keeps_dims(op));
    if (!moves && (!(op_info(op->code)->traits & OP_ELEMENTWISE) || weight_of(op->code) > 1))
        return false;
    if (--walk->steps < 0)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (!is_plain(op->operands[i], walk))
            return false;
    return true;
}

bool analysis_is_plain_sum(const struct value *value)
{
    struct walk walk = start();
    return is_plain(value, &walk);
}

static int widest(const struct value *value, struct walk *walk)
{
    int bytes = dtype_bytes(dtype_real_part(value->type->shape.dtype));
    const struct op *op = value->def;
    if (dtype_is_float(value->type->shape.dtype) && bytes < 4)
        bytes = 4;
    if (!op || op->code == OP_fusion || --walk->steps < 0 || is_repeated(walk, op, 0, 0))
        return bytes;
    for (int i = 0; i < op->operand_count; i++) {
        int of = widest(op->operands[i], walk);
        bytes = of > bytes && op->operands[i]->type->shape.rank ? of : bytes;
    }
    return bytes;
}

int analysis_widest(const struct value *value)
{
    struct walk walk = start();
    return widest(value, &walk);
}
