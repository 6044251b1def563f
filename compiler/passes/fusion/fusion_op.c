/* fusion_op.c: see fusion_op.h. */
#include "compiler/passes/fusion/fusion_op.h"

#include "compiler/analysis/constants.h"
#include "compiler/schedule/cost.h"
#include "compiler/analysis/memory_copy.h"
#include "compiler/schedule/access.h"
#include "compiler/passes/library/library_step.h"

/* ---- roles ----------------------------------------------------------------------------------- */
static bool is_token(const struct value *value)
{
    return value->type->kind != TYPE_TENSOR;
}

static bool has_tokens(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (is_token(op->operands[i]))
            return true;
    for (int i = 0; i < op->result_count; i++)
        if (is_token(&op->results[i]))
            return true;
    return false;
}

enum {
    POSITIONAL_VALUES = 10, /* operations and operands of a function of positions */
    SPARSE_ROW = 64,        /* shorter rows of positions are computed one at a time */
    SPARSE_READS = 16,      /* most slices of a view; each of them asks for the view's role */
    SPARSE = 4,             /* one in so many elements costs less to read than all to transpose */
    FEW_SETS_BYTES = 512    /* addresses that far apart, or a multiple, share few sets of a cache */
};

/* The distance in a transpose's operand, in bytes, between elements that are adjacent in its
 * result. */
static int64_t moved_distance(const struct op *transpose)
{
    const struct shape *from = &transpose->operands[0]->type->shape;
    int innermost;
    if (fusion_op_innermost(transpose->results[0].type, &innermost) == 1)
        return dtype_bytes(from->dtype);
    int dim = access_dim_of(transpose, 0, innermost);
    return dtype_bytes(from->dtype) * access_span_of(from, dim).low;
}

bool fusion_op_is_sparse(const struct op *transpose, double times)
{
    bool tiles_well = dtype_bytes(transpose->results[0].type->shape.dtype) < 4;
    bool collides = moved_distance(transpose) % FEW_SETS_BYTES == 0;
    return times * (tiles_well || collides ? 2 * SPARSE : SPARSE) <= fusion_op_elements(transpose);
}

/* Whether few elements of a reshape are read, which a transpose has moved, by slices with rows of
 * several vectors: their positions are computed instead of storing all of them. */
static bool is_sparse_view(const struct op *op)
{
    const struct op *def = op->operands[0]->def;
    if (!def || def->block != op->block || !fusion_op_is_strided(def))
        return false;
    double read = 0;
    int dim, reads = 0;
    for (const struct use *use = op->results[0].uses; use; use = use->next) {
        const struct op *slice = use->user;
        if (slice->code != OP_slice || ++reads > SPARSE_READS ||
            fusion_op_innermost(slice->results[0].type, &dim) < SPARSE_ROW)
            return false;
        read += fusion_op_elements(slice);
        if (!fusion_op_is_sparse(def, read))
            return false;
    }
    return true;
}

enum fusion_role fusion_op_role(const struct op *op, const struct target *target)
{
    const struct op_info *info = op_info(op->code);
    if (op->code == OP_rng) /* its only side effect is that its results differ between calls */
        return ROLE_STANDALONE;
    if (has_tokens(op) ||
        (info->traits & (OP_CONTROL | OP_SIDE_EFFECT | OP_COLLECTIVE | OP_TERMINATOR)))
        return ROLE_STEP;
    if (memory_copy_is(op))
        return ROLE_STEP;
    if (info->traits & OP_ELEMENTWISE)
        return op->code == OP_copy ? ROLE_STEP : ROLE_LOOP;
    switch (op->code) {
    case OP_constant:
    case OP_partition_id:
    case OP_replica_id:
    case OP_fusion: return ROLE_STEP;
    case OP_dot_general:
    case OP_convolution: return library_step_supported(op, target) ? ROLE_STEP : ROLE_STANDALONE;
    case OP_reshape:
        if (access_splits_dims(op) || type_elements(op->results[0].type) <= FUSION_OP_SMALL ||
            is_sparse_view(op))
            return ROLE_LOOP;
        return ROLE_ALIAS;
    case OP_dynamic_update_slice:
    case OP_scatter: return ROLE_UPDATE;
    case OP_reduce:
    case OP_bitcast_convert: return ROLE_LOOP;
    default: return info->traits & OP_INDEXED ? ROLE_LOOP : ROLE_STANDALONE;
    }
}

/* ---- properties of an operation -------------------------------------------------------------- */
double fusion_op_elements(const struct op *op)
{
    int64_t count = type_elements(op->results[0].type);
    return count < 1 ? 1 : (double)count;
}

static bool is_zero(const struct value *value)
{
    const struct literal *literal = constants_literal(value);
    return literal && literal->splat && dtype_is_integer(literal->type->shape.dtype) &&
           dtype_to_double(literal->type->shape.dtype, literal->bytes) == 0;
}

/* The index that select(x < 0, x + size, x) wraps: of positions, which are not negative, nothing
 * else remains in the code (computed_index.h). NULL for other operations. */
static const struct value *wrapped(const struct op *op)
{
    const struct op *test = op->code == OP_select ? op->operands[0]->def : NULL;
    return test && test->code == OP_compare && test->operands[0] == op->operands[2] &&
                   test->attrs.compare.comparison_direction == COMPARE_LT &&
                   is_zero(test->operands[1])
               ? op->operands[2]
               : NULL;
}

/* Whether an element is a cheap function of its position and scalars, such as a causal mask: it
 * takes no longer to compute than to load. `left` bounds the walk. */
static bool is_positional(const struct value *value, int *left)
{
    const struct op *op = value->def;
    if (!op || --*left < 0)
        return false;
    if (op->code == OP_iota)
        return true;
    if (op->code == OP_constant)
        return op->attrs.constant.value->splat;
    if (op->code == OP_broadcast_in_dim)
        return type_elements(op->operands[0]->type) == 1 || is_positional(op->operands[0], left);
    if (!(op_info(op->code)->traits & OP_ELEMENTWISE) || op->code == OP_copy ||
        op->result_count != 1 || cost_of_element(op) > 1)
        return false;
    if (wrapped(op))
        return is_positional(wrapped(op), left);
    for (int i = 0; i < op->operand_count; i++)
        if (!is_positional(op->operands[i], left))
            return false;
    return true;
}

static bool computes_positions(const struct op *op)
{
    int left = POSITIONAL_VALUES;
    return op->operand_count > 0 && is_positional(&op->results[0], &left);
}

bool fusion_op_is_free(const struct op *op)
{
    switch (op->code) {
    case OP_broadcast_in_dim:
    case OP_iota:
    case OP_reshape:
    case OP_broadcast: return true;
    case OP_convert:
        if (dtype_bytes(op->operands[0]->type->shape.dtype) <
            dtype_bytes(op->results[0].type->shape.dtype))
            return true;
        break;
    default: break;
    }
    return (op_info(op->code)->traits & OP_ELEMENTWISE) && computes_positions(op);
}

bool fusion_op_is_expensive(const struct op *op)
{
    return op->code == OP_reduce || cost_of_element(op) > 8;
}

bool fusion_op_is_strided(const struct op *op)
{
    return op->code == OP_transpose &&
           moved_distance(op) != dtype_bytes(op->operands[0]->type->shape.dtype);
}

int64_t fusion_op_innermost(const struct type *type, int *dim)
{
    *dim = type->shape.rank - 1;
    while (*dim > 0 && type->shape.dims[*dim] == 1)
        --*dim;
    return *dim < 0 ? 1 : type->shape.dims[*dim];
}

int64_t fusion_op_row(const struct op *reduce, bool *reduced)
{
    int dim;
    int64_t size = fusion_op_innermost(reduce->operands[0]->type, &dim);
    *reduced = dims_contain(reduce->attrs.dimensions.dimensions, dim);
    return size;
}

int fusion_op_updated_count(const struct op *op)
{
    return op->code == OP_scatter ? (op->operand_count - 1) / 2 : 1;
}
