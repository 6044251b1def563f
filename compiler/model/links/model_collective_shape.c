/* model_collective_shape.c: see model_collective_shape.h. */
#include "compiler/model/links/model_collective_shape.h"

#include <string.h>

static const struct op *only_user(const struct value *value)
{
    return ir_has_one_use(value) ? value->uses->user : NULL;
}

static void set_dims(struct model_collective_shape *out, int rank, const int64_t *dims)
{
    if (rank)
        memmove(out->dims, dims, (size_t)rank * sizeof *dims);
    out->rank = rank;
}

/* ---- completed sums -------------------------------------------------------------------------- */
/* Whether only dimensions of size 1 are added or removed. */
static bool is_same_but_ones(const struct model_collective_shape *from, const struct shape *to)
{
    int i = 0, j = 0;
    for (; i < from->rank || j < to->rank; i++, j++) {
        while (i < from->rank && from->dims[i] == 1)
            i++;
        while (j < to->rank && to->dims[j] == 1)
            j++;
        if (i == from->rank || j == to->rank)
            return i == from->rank && j == to->rank;
        if (from->dims[i] != to->dims[j])
            return false;
    }
    return true;
}

static void transpose(const struct op *op, struct model_collective_shape *out)
{
    const int64_t *permutation = op->attrs.transpose.permutation.at;
    int64_t dims[SHAPE_MAX_RANK];
    int dimension = 0;
    for (int i = 0; i < out->rank; i++) {
        dims[i] = out->dims[permutation[i]];
        dimension = permutation[i] == out->dimension ? i : dimension;
    }
    set_dims(out, out->rank, dims);
    out->dimension = dimension;
}

/* The first dimension of which the slice takes a part. */
static int sliced_dimension(const struct op *slice)
{
    const struct shape *from = &slice->operands[0]->type->shape,
                       *to = &slice->results[0].type->shape;
    int dim = 0;
    while (dim < from->rank - 1 && from->dims[dim] == to->dims[dim])
        dim++;
    return dim;
}

/* The largest or smallest of values that are converted to a wider type is found among the narrow
 * ones. */
static void find_narrow(const struct op *reduce, struct model_collective_shape *out)
{
    const struct op *convert = reduce->operands[0]->def;
    enum op_code code = reduce->regions[0]->first->code;
    if ((code != OP_maximum && code != OP_minimum) || !convert || convert->code != OP_convert)
        return;
    enum dtype from = convert->operands[0]->type->shape.dtype;
    if (dtype_is_float(from) && dtype_is_float(out->dtype) &&
        dtype_bytes(from) < dtype_bytes(out->dtype))
        out->dtype = from;
}

static bool is_sum_of_gathered(const struct op *def)
{
    for (int i = 0; def && def->code == OP_select && i < def->operand_count; i++)
        if (def->operands[i]->def && def->operands[i]->def->code == OP_gather)
            return true;
    return def && def->code == OP_gather;
}

static void remove_ones(struct model_collective_shape *out)
{
    int rank = 0;
    for (int i = 0; i < out->rank; i++)
        if (out->dims[i] != 1)
            out->dims[rank++] = out->dims[i];
    out->rank = rank;
}

/* Splits the dimension of an all-to-all whose parts move to another one into the parts and the
 * rest, as XLA does. */
static void split_dimension(const struct op *op, struct model_collective_shape *out)
{
    const struct attrs_all_to_all *at = &op->attrs.all_to_all;
    int split = (int)at->split_dimension;
    if (at->split_dimension == at->concat_dimension || out->rank == SHAPE_MAX_RANK)
        return;
    for (int i = out->rank++; i > split; i--)
        out->dims[i] = out->dims[i - 1];
    out->dims[split] = at->split_count;
    out->dims[split + 1] /= at->split_count;
}

/* Makes the shape that of the sum after its user `op`, as far as the compiler moves that in front;
 * false when it does not. */
static bool follow(const struct op *op, bool is_product, struct model_collective_shape *out)
{
    const struct shape *to = &op->results[0].type->shape;
    const struct op *next = only_user(&op->results[0]);
    bool is_update = next && next->code == OP_dynamic_update_slice;
    switch (op->code) {
    case OP_transpose:
        if (is_product)
            transpose(op, out);
        return is_product;
    case OP_reshape:
        if (is_same_but_ones(out, to) ? to->rank < out->rank || is_update : is_product)
            set_dims(out, to->rank, to->dims);
        return is_product || is_same_but_ones(out, to);
    case OP_convert:
        if (dtype_bytes(to->dtype) >= dtype_bytes(out->dtype))
            return false;
        out->dtype = to->dtype;
        return true;
    default: return false;
    }
}

/* Whether operand 1 of the product is an argument of the program, gathered or not. */
static bool multiplies_argument(const struct op *product)
{
    const struct value *operand = product->operands[1];
    while (operand->def && operand->def->code == OP_all_gather)
        operand = operand->def->operands[0];
    return !operand->def;
}

/* What the terms of the sum are, before parts of it were taken that other participants sum on. */
static const struct op *terms_of(const struct op *sum)
{
    const struct op *def = sum->operands[0]->def;
    while (def && def->code == OP_dynamic_slice && def->operands[0]->def &&
           def->operands[0]->def->code == OP_all_reduce)
        def = def->operands[0]->def->operands[0]->def;
    return def;
}

/* The user of the sum, or of the parts of it that participants take and sum on. */
static const struct op *user_of_parts(const struct op *user)
{
    while (user && user->code == OP_dynamic_slice) {
        user = only_user(&user->results[0]);
        if (user && user->code == OP_all_reduce && user->operand_count == 1)
            user = only_user(&user->results[0]);
    }
    return user;
}

/* Before it partitions, the compiler folds into a product a transpose or reshape of its result, and
 * removes dimensions of size 1 that gathers make. Conversions to a narrower type, and reshapes that
 * remove dimensions of size 1, or add them for the update of a slice, it moves in front of the
 * collective, unless participants take only parts of that: then only transposes count. For large
 * matrix units it leaves an argument on the right-hand side. */
static void complete_sum(const struct accelerator *accelerator, const struct op *op,
                         struct model_collective_shape *out)
{
    enum { LARGE_UNIT = 256 };
    const struct op *def = terms_of(op), *user = only_user(&op->results[0]);
    bool is_part = user && user->code == OP_dynamic_slice;
    bool is_product = def && (def->code == OP_dot_general || def->code == OP_convolution) &&
                      !(accelerator->matrix_unit_size >= LARGE_UNIT && multiplies_argument(def));
    if (is_part)
        out->dimension = sliced_dimension(user);
    user = user_of_parts(user);
    if (def && def->code == OP_reduce)
        find_narrow(def, out);
    if (is_sum_of_gathered(def) && !is_part)
        remove_ones(out);
    while (user && user->result_count == 1 && (!is_part || user->code == OP_transpose) &&
           follow(user, is_product, out))
        user = only_user(&user->results[0]);
    if (user && user->code == OP_all_to_all && is_product && !is_part)
        split_dimension(user, out);
    memcpy(out->result_dims, out->dims, sizeof out->dims);
    out->result_rank = out->rank;
}

/* ---- gathered operands of products ----------------------------------------------------------- */
const struct op *model_collective_user(const struct value *value)
{
    const struct op *user = only_user(value);
    return user && user->code == OP_dot_general ? user : NULL;
}

/* The value that is transposed for the product is gathered as it is. */
static void untranspose(const struct op *transpose, struct model_collective_shape *out)
{
    const int64_t *permutation = transpose->attrs.transpose.permutation.at;
    int64_t dims[SHAPE_MAX_RANK], result_dims[SHAPE_MAX_RANK];
    for (int i = 0; i < out->rank; i++) {
        dims[permutation[i]] = out->dims[i];
        result_dims[permutation[i]] = out->result_dims[i];
    }
    memcpy(out->dims, dims, (size_t)out->rank * sizeof *dims);
    memcpy(out->result_dims, result_dims, (size_t)out->rank * sizeof *dims);
    out->dimension = (int)permutation[out->dimension];
}

/* Whether the reshape splits the last dimension of its operand, and nothing else. */
static bool splits_last(const struct op *op)
{
    if (op->code != OP_reshape)
        return false;
    const struct shape *from = &op->operands[0]->type->shape, *to = &op->results[0].type->shape;
    if (to->rank <= from->rank || !from->rank)
        return false;
    for (int i = 0; i < from->rank - 1; i++)
        if (from->dims[i] != to->dims[i])
            return false;
    return true;
}

/* A reshape of the product that splits the columns of the right-hand side, a matrix with no other
 * user, becomes one of that: columns are major then. */
static void split_columns(const struct op *gather, const struct op *product,
                          struct model_collective_shape *out)
{
    const struct op *reshape = only_user(&product->results[0]);
    const struct attrs_dot *at = &product->attrs.dot;
    int64_t rows = out->dims[0], all_rows = out->result_dims[0];
    if (product->operands[1] != &gather->results[0] || !ir_has_one_use(gather->operands[0]) ||
        out->rank != 2 || out->dimension != 0 || at->rhs_contracting_dimensions.count != 1 ||
        at->rhs_contracting_dimensions.at[0] != 0 || !reshape || !splits_last(reshape))
        return;
    const struct shape *to = &reshape->results[0].type->shape;
    int first = product->results[0].type->shape.rank - 1;
    if (to->rank - first >= SHAPE_MAX_RANK)
        return;
    set_dims(out, to->rank - first, to->dims + first);
    memcpy(out->result_dims, out->dims, sizeof out->dims);
    out->dimension = out->rank++;
    out->result_rank = out->rank;
    out->dims[out->dimension] = rows, out->result_dims[out->dimension] = all_rows;
}

/* ---- gathered operands of sorts -------------------------------------------------------------- */
/* How many elements of the sorted dimension are used, if they are the first; 0: others, too. */
static int64_t first_used(const struct op *sort)
{
    int64_t dim = sort->attrs.sort.dimension, count = 0;
    for (int i = 0; i < sort->result_count; i++)
        for (const struct use *use = sort->results[i].uses; use; use = use->next) {
            const struct op *slice = use->user;
            if (slice->code != OP_slice || slice->attrs.slice.start_indices.at[dim])
                return 0;
            int64_t size = slice->results[0].type->shape.dims[dim];
            if (count && size != count)
                return 0;
            count = size;
        }
    return count;
}

/* The elements of each part that may be among the first ones of a sort, which are fewer than there
 * are; 0: the gather's user is no such sort. */
static int64_t taken_from_part(const struct op *gather)
{
    const struct op *sort = only_user(&gather->results[0]);
    int64_t dim = gather->attrs.all_gather.all_gather_dim;
    if (gather->operand_count != 1 || !sort || sort->code != OP_sort ||
        sort->attrs.sort.dimension != dim)
        return 0;
    int64_t count = first_used(sort);
    return count < gather->operands[0]->type->shape.dims[dim] ? count : 0;
}

bool model_collective_is_omitted(const struct op *op)
{
    return op->code == OP_all_gather && op->results[0].uses && op->results[0].uses->operand > 0 &&
           taken_from_part(op);
}

static void gather_sorted(const struct op *op, struct model_collective_shape *out)
{
    int64_t taken = taken_from_part(op), dim = op->attrs.all_gather.all_gather_dim;
    if (!taken)
        return;
    out->result_dims[dim] = out->result_dims[dim] / out->dims[dim] * taken;
    out->dims[dim] = taken;
}

static void gather_operand(const struct op *op, struct model_collective_shape *out)
{
    const struct op *def = op->operands[0]->def, *product = model_collective_user(&op->results[0]);
    out->dimension = (int)op->attrs.all_gather.all_gather_dim;
    gather_sorted(op, out);
    if (!product)
        return;
    if (def && def->code == OP_transpose)
        untranspose(def, out);
    else
        split_columns(op, product, out);
}

/* ---- values that are broadcast --------------------------------------------------------------- */
/* The dimensions of size 1 that all users of the value broadcast; 0: there are other users. */
static uint32_t broadcast_ones(const struct value *value)
{
    const struct shape *from = &value->type->shape;
    uint32_t ones = value->uses ? UINT32_MAX : 0;
    for (const struct use *use = value->uses; use; use = use->next) {
        const struct op *user = use->user;
        uint32_t of_user = 0;
        for (int i = 0; user->code == OP_broadcast_in_dim && i < from->rank; i++) {
            int64_t dim = user->attrs.broadcast_in_dim.broadcast_dimensions.at[i];
            if (from->dims[i] == 1 && user->results[0].type->shape.dims[dim] > 1)
                of_user |= UINT32_C(1) << i;
        }
        ones &= of_user;
    }
    return ones;
}

/* A broadcast's operand has no dimensions of size 1 that it broadcasts: the compiler removes them
 * before it partitions. */
static void remove_broadcast(const struct value *result, struct model_collective_shape *out)
{
    uint32_t ones = out->rank == out->result_rank ? broadcast_ones(result) : 0;
    int rank = 0, dimension = out->dimension;
    for (int i = 0; ones && i < out->rank; i++) {
        if (ones >> i & 1)
            continue;
        dimension = i == out->dimension ? rank : dimension;
        out->dims[rank] = out->dims[i];
        out->result_dims[rank++] = out->result_dims[i];
    }
    out->is_broadcast = ones;
    if (ones)
        out->rank = out->result_rank = rank, out->dimension = dimension;
}

/* Whether the collective leaves the shape as it is, and so does this file. */
static bool is_of_operand(const struct model_collective_shape *out, const struct shape *from)
{
    const size_t size = (size_t)from->rank * sizeof *from->dims;
    return out->rank == from->rank && out->result_rank == from->rank &&
           !memcmp(out->dims, from->dims, size) && !memcmp(out->result_dims, from->dims, size);
}

void model_collective_shape(const struct accelerator *accelerator, const struct op *op, int i,
                            struct model_collective_shape *out)
{
    const struct shape *from = &op->operands[i]->type->shape, *to = &op->results[i].type->shape;
    *out = (struct model_collective_shape){.dtype = from->dtype, .result_rank = to->rank};
    set_dims(out, from->rank, from->dims);
    if (to->rank)
        memcpy(out->result_dims, to->dims, (size_t)to->rank * sizeof *to->dims);
    if (op->code == OP_all_reduce && op->operand_count == 1)
        complete_sum(accelerator, op, out);
    if (op->code == OP_all_gather && op->operand_count == 1)
        gather_operand(op, out);
    if (op->code == OP_all_gather || is_of_operand(out, from))
        remove_broadcast(&op->results[i], out);
    if (op->code == OP_all_to_all) {
        split_dimension(op, out);
        memcpy(out->result_dims, out->dims, sizeof out->dims);
        out->result_rank = out->rank;
    }
}
