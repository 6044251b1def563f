/* analysis.c: walks over expressions, each limited to a number of steps, after which it returns the
 * conservative answer (walk.h). */
#include "compiler/schedule/analysis.h"

#include "compiler/schedule/access.h"
#include "compiler/schedule/arithmetic.h"
#include "compiler/schedule/short_row.h"
#include "compiler/schedule/walk.h"

enum {
    LANE_ROW = 16,   /* rows from SHORT_ROW_REDUCED up to here are also reduced with a row in each
                      * lane, as code for each element, ... */
    LANE_CODE = 256, /* if that is not too long */
    SIDE_BYTES =
        256, /* of a row that is reduced beside others, whose code takes time to compile, */
    SIDE_ELEMENTS = 1 << 14, /* if so many are worth it */
    LONG_COLUMN = 64,        /* rows from which they may be read in pieces of several vectors */
    PADDING_PERIOD = 8
};

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

bool analysis_looks_up(const struct value *value)
{
    for (const struct op *op = value->def ? value->def->block->first : NULL; op; op = op->next)
        if (op->code == OP_gather)
            return true;
    return false;
}

/* ---- mapping an index's lanes to dimensions of operands -------------------------------------- */
static bool meets(const struct value *value, uint64_t dims, struct walk *walk);
static bool reads_apart(const struct value *value, uint64_t lanes, uint64_t rows);

static uint64_t bit(int64_t i)
{
    return 1ULL << i;
}

int64_t analysis_lane_row(const struct op *reduce)
{
    const struct type *type = reduce->operands[0]->type;
    int innermost = type_innermost(type), weight = 0;
    for (int i = 0; i < innermost; i++)
        if (analysis_is_reduced(reduce, i) && type->shape.dims[i] != 1)
            return 0;
    for (int i = 0; i < reduce->operand_count / 2; i++)
        weight += arithmetic_weight(reduce->operands[i]);
    int64_t size = type->shape.dims[innermost];
    return analysis_is_reduced(reduce, innermost) && size >= SHORT_ROW_REDUCED &&
                   size <= LANE_ROW && (weight + 1) * size <= LANE_CODE
               ? size
               : 0;
}

/* Whether the innermost dimension is the only one of more than an element that is reduced. */
static bool reduces_one_row(const struct op *reduce, int innermost)
{
    const struct type *type = reduce->operands[0]->type;
    for (int i = 0; i < innermost; i++)
        if (analysis_is_reduced(reduce, i) && type->shape.dims[i] != 1)
            return false;
    return analysis_is_reduced(reduce, innermost);
}

/* Whether a value is the same for all elements of a row, along `dim`, and takes arithmetic: lanes
 * along the row would compute it of one element at a time, lanes for several rows in vectors. */
static bool computes_for_rows(const struct value *value, int dim, int *steps)
{
    const struct op *op = value->def;
    if (!op || --*steps < 0)
        return false;
    if (op_info(op->code)->traits & OP_ELEMENTWISE) {
        for (int i = 0; i < op->operand_count; i++)
            if (computes_for_rows(op->operands[i], dim, steps))
                return true;
        return false;
    }
    if (op->code != OP_broadcast_in_dim)
        return false;
    int from = access_dim_of(op, 0, dim);
    if (from >= 0)
        return computes_for_rows(op->operands[0], from, steps);
    return type_elements(op->operands[0]->type) > 1 && arithmetic_weight(op->operands[0]);
}

/* Whether the code of each of several rows side by side is short. */
static bool has_short_rows(const struct op *reduce, int innermost, int64_t row)
{
    int64_t code = 0, bytes = 4;
    int steps = WALK_STEPS;
    for (const struct op *op = reduce->regions[0]->first; op->next; op = op->next)
        code += row;
    bool rests = code > row && row % SHORT_ROW_REDUCED; /* of more than one operation */
    for (int i = 0; i < reduce->operand_count / 2; i++) {
        const struct value *value = reduce->operands[i];
        enum dtype dtype = reduce->results[i].type->shape.dtype;
        if (analysis_has_loop(value) || !arithmetic_is_light(value) || dtype == DTYPE_PRED ||
            arithmetic_converts_tiny(value) || computes_for_rows(value, innermost, &steps))
            return false;
        code += arithmetic_weight(value) * row;
        bytes = dtype_bytes(dtype) > bytes ? dtype_bytes(dtype) : bytes;
        rests = rests || (dtype_is_complex(dtype) && row % SHORT_ROW_REDUCED);
    }
    return code <= LANE_CODE && row * bytes <= SIDE_BYTES && !rests;
}

bool analysis_side_by_side(const struct op *reduce, uint64_t dims)
{
    const struct type *type = reduce->operands[0]->type;
    int innermost = type_innermost(type);
    int64_t row = type->shape.dims[innermost];
    uint64_t lanes = access_dims_of(reduce, 0, dims);
    bool one_dim = lanes && !(lanes & (lanes - 1));
    if (row < SHORT_ROW_REDUCED || type_elements(type) < SIDE_ELEMENTS || !one_dim ||
        !reduces_one_row(reduce, innermost) || !has_short_rows(reduce, innermost, row))
        return false;
    for (int i = 0; i < reduce->operand_count / 2; i++)
        if (reads_apart(reduce->operands[i], lanes, bit(innermost)))
            return true;
    return false;
}

/* Whether lanes along the dimensions `lanes` of a reduce's operand, each of which reduces a row,
 * are at least as fast as lanes along the rows. */
static bool fits_lanes(const struct op *op, int innermost, uint64_t lanes)
{
    const struct type *type = op->operands[0]->type;
    int64_t row = type->shape.dims[innermost], rows = 1;
    if (row < SHORT_ROW_REDUCED)
        return true;
    for (int i = 0; i < innermost; i++)
        rows *= lanes & bit(i) ? type->shape.dims[i] : 1;
    if (!analysis_lane_row(op) || rows < SHORT_ROW_REDUCED || rows * 2 < row)
        return false;
    for (int i = 0; i < op->operand_count / 2; i++)
        if (reads_apart(op->operands[i], lanes, bit(innermost)))
            return false;
    return true;
}

/* Whether a reduce counts for a walk that looks for large reductions over rows. */
static bool reduces_columns(const struct op *op, int innermost, uint64_t columns, int64_t bytes)
{
    const struct type *type = op->operands[0]->type;
    int64_t results = type_elements(op->results[0].type);
    return columns & bit(innermost) && !analysis_is_reduced(op, innermost) &&
           type_bytes(type) >= bytes && type_elements(type) >= results * LONG_COLUMN;
}

static bool meets_reduce(const struct op *op, uint64_t dims, struct walk *walk)
{
    const struct type *type = op->operands[0]->type;
    uint64_t in = access_dims_of(op, 0, dims);
    if (!in)
        return false;
    int innermost = type_innermost(type);
    if (walk->beside) {
        if (analysis_side_by_side(op, dims))
            return true;
    } else if (walk->columns_from) {
        if (reduces_columns(op, innermost, in, walk->columns_from))
            return true;
    } else if (walk->any_loop || (analysis_is_reduced(op, innermost) &&
                                  (walk->any_row || !(fits_lanes(op, innermost, in) ||
                                                      analysis_side_by_side(op, dims)))))
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

static bool meets(const struct value *value, uint64_t dims, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || !dims || --walk->steps < 0 || walk_is_repeated(walk, op, dims, 0))
        return false;
    switch (op->code) {
    case OP_reduce: return meets_reduce(op, dims, walk);
    case OP_dot_general:
        return walk->any_loop ||
               (!walk->beside && !walk->columns_from && dot_uses_scalars(op, dims));
    case OP_convolution:
    case OP_reduce_window: return walk->any_loop;
    case OP_gather:
    case OP_broadcast_in_dim:
    case OP_transpose:
    case OP_reshape: return meets(op->operands[0], access_dims_of(op, 0, dims), walk);
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
    struct walk walk = walk_start();
    return meets(value, bit(dim), &walk);
}

bool analysis_reduces_rows(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    walk.any_row = true;
    return meets(value, bit(dim), &walk);
}

bool analysis_has_side_by_side(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    walk.beside = true;
    return meets(value, bit(dim), &walk);
}

bool analysis_meets_loop(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    walk.any_loop = true;
    return meets(value, bit(dim), &walk);
}

bool analysis_reduces_columns(const struct value *value, int dim, int64_t bytes)
{
    struct walk walk = walk_start();
    walk.columns_from = bytes;
    return meets(value, bit(dim), &walk);
}

/* ---- transposes ------------------------------------------------------------------------------ */
static bool transposes(const struct value *value, uint64_t lanes, uint64_t rows, struct walk *walk);

/* Operations whose elements are not found by mapping dimensions, and loops unless `apart`. */
static bool has_own_order(const struct op *op, const struct walk *walk)
{
    switch (op->code) {
    case OP_gather:
    case OP_concatenate:
    case OP_fusion: return true;
    case OP_reduce: return !walk->apart;
    case OP_broadcast_in_dim:
    case OP_transpose:
    case OP_reshape:
    case OP_slice:
    case OP_dynamic_slice:
    case OP_pad:
    case OP_iota:
    case OP_constant: return false;
    default: return walk->apart && !(op_info(op->code)->traits & OP_ELEMENTWISE);
    }
}

static bool transposes(const struct value *value, uint64_t lanes, uint64_t rows, struct walk *walk)
{
    const struct op *op = value->def;
    if (!lanes || !rows)
        return false;
    if (--walk->steps < 0)
        return walk->apart;
    if (!op) {
        uint64_t innermost = bit(type_innermost(value->type));
        if (walk->apart) /* or both are parts of one dimension */
            return !(lanes & innermost) || (rows & innermost);
        return !(lanes & innermost) && (rows & innermost);
    }
    if (has_own_order(op, walk))
        return walk->apart;
    if (walk_is_repeated(walk, op, lanes, rows))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank &&
            transposes(op->operands[i], access_dims_of(op, i, lanes), access_dims_of(op, i, rows),
                       walk))
            return true;
    return false;
}

bool analysis_transposes(const struct value *value, int lanes, int rows)
{
    struct walk walk = walk_start();
    return transposes(value, bit(lanes), bit(rows), &walk);
}

/* Whether lanes would read elements that are not adjacent, others for each element of a row. */
static bool reads_apart(const struct value *value, uint64_t lanes, uint64_t rows)
{
    struct walk walk = walk_start();
    walk.apart = true;
    return transposes(value, lanes, rows, &walk);
}

/* ---- what is met along a dimension ----------------------------------------------------------- */
typedef bool op_along(const struct op *op, uint64_t dims);

/* Whether something holds of an operation of the expression, other than those behind gathers and
 * reductions, and of what is there along the dimensions `dims` of the value. */
static bool holds_along(const struct value *value, uint64_t dims, op_along *holds,
                        struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || !dims || --walk->steps < 0 || walk_is_repeated(walk, op, dims, 0) ||
        op->code == OP_reduce || op->code == OP_fusion)
        return false;
    if (holds(op, dims) || op->code == OP_gather)
        return holds(op, dims);
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank &&
            holds_along(op->operands[i], access_dims_of(op, i, dims), holds, walk))
            return true;
    return false;
}

static bool alternates(const struct op *op, uint64_t dims)
{
    int64_t dim = op->code == OP_concatenate ? op->attrs.dimension.dimension : -1;
    return dim >= 0 && dims & bit(dim) && op->operand_count == op->results[0].type->shape.dims[dim];
}

bool analysis_alternates(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    return holds_along(value, bit(dim), alternates, &walk);
}

static bool gathers(const struct op *op, uint64_t dims)
{
    return op->code == OP_gather && access_dims_of(op, 0, dims);
}

bool analysis_gathers_along(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    return holds_along(value, bit(dim), gathers, &walk);
}

/* The least number that both divide, or 1 if it is larger than PADDING_PERIOD. a <= PADDING_PERIOD;
 * b may be any positive number, as large as interior padding may be. */
static int64_t common_period(int64_t a, int64_t b)
{
    int64_t both = a;
    if (b > PADDING_PERIOD)
        return 1;
    while (both % b)
        both += a;
    return both <= PADDING_PERIOD ? both : 1;
}

static int64_t padding_period(const struct value *value, uint64_t dims, struct walk *walk)
{
    const struct op *op = value->def;
    int64_t period = 1;
    if (!op || !dims || --walk->steps < 0 || walk_is_repeated(walk, op, dims, 0) ||
        op->code == OP_gather || op->code == OP_reduce || op->code == OP_reshape ||
        op->code == OP_fusion)
        return 1;
    for (int i = 0; i < value->type->shape.rank && op->code == OP_pad; i++)
        if (dims & bit(i))
            period = common_period(period, access_of(op, 0, i).divisor);
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank)
            period = common_period(
                period, padding_period(op->operands[i], access_dims_of(op, i, dims), walk));
    return period;
}

int analysis_padding_period(const struct value *value, int dim)
{
    struct walk walk = walk_start();
    return (int)padding_period(value, bit(dim), &walk);
}

/* ---- size of expressions --------------------------------------------------------------------- */
static bool has_loop(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || walk_is_repeated(walk, op, 0, 0))
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
    struct walk walk = walk_start();
    return has_loop(value, &walk);
}

static int loop_depth(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    int deepest = 0;
    if (!op || op->code == OP_fusion || --walk->steps < 0)
        return 0;
    struct visit *visit = walk_visit(walk, op, 0, 0);
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
    struct walk walk = walk_start();
    return loop_depth(value, &walk);
}
