/* canonicalize_scatter.c: see canonicalize_scatter.h. */
#include "compiler/passes/canonicalize/canonicalize_scatter.h"

#include "compiler/analysis/constants.h"
#include "compiler/passes/rewrite/lift_body.h"
#include "compiler/passes/rewrite/rewrite.h"

/* Dimensions of an array with one element for each row, in their order, and those of the operand
 * that they are. */
struct row_dims {
    int count;
    int64_t sizes[SHAPE_MAX_RANK], operand_dims[SHAPE_MAX_RANK];
};

static void add_dim(struct row_dims *to, int64_t size, int64_t operand_dim)
{
    to->sizes[to->count] = size;
    to->operand_dims[to->count++] = operand_dim;
}

/* The dimension of the operand that is batched along dimension `dim` of the positions; -1: none. */
static int64_t batch_of(const struct attrs_scatter *s, int64_t dim)
{
    for (int64_t i = 0; i < s->scatter_indices_batching_dims.count; i++)
        if (s->scatter_indices_batching_dims.at[i] == dim)
            return s->input_batching_dims.at[i];
    return -1;
}

/* The dimensions of the positions but for that of an index; false if rows have several. */
static bool find_position_dims(const struct op *op, struct row_dims *out)
{
    const struct attrs_scatter *s = &op->attrs.scatter;
    const struct shape *positions = &op->operands[1]->type->shape;
    for (int dim = 0; dim < positions->rank; dim++) {
        const int64_t batch = batch_of(s, dim);
        if (dim != s->index_vector_dim && batch >= 0)
            add_dim(out, positions->dims[dim], batch);
        else if (positions->dims[dim] != 1)
            return false;
    }
    return true;
}

/* The dimension of the operand that is the next one of a window after `dim`. */
static int64_t next_window_dim(const struct attrs_scatter *s, int64_t dim)
{
    do
        dim++;
    while (dims_contain(s->inserted_window_dims, dim) || dims_contain(s->input_batching_dims, dim));
    return dim;
}

/* The dimensions of the updates: those of whole windows, and in between the batches of the
 * positions. */
static bool find_update_dims(const struct op *op, const struct row_dims *batches,
                             struct row_dims *out)
{
    const struct attrs_scatter *s = &op->attrs.scatter;
    const struct shape *updates = &op->operands[2]->type->shape,
                       *operand = &op->operands[0]->type->shape;
    const struct shape *positions = &op->operands[1]->type->shape;
    int64_t window = -1, position = -1;
    int batch = 0;
    for (int dim = 0; dim < updates->rank; dim++) {
        if (dims_contain(s->update_window_dims, dim)) {
            window = next_window_dim(s, window);
            if (updates->dims[dim] != operand->dims[window])
                return false;
            add_dim(out, updates->dims[dim], window);
            continue;
        }
        position += position + 1 == s->index_vector_dim ? 2 : 1;
        if (position < positions->rank && batch_of(s, position) >= 0)
            add_dim(out, updates->dims[dim], batches->operand_dims[batch++]);
    }
    return true;
}

/* Whether each row of the operand, along one dimension, gets at most one element. */
static bool is_one_of_each_row(const struct op *op, struct row_dims *positions,
                               struct row_dims *updates)
{
    const struct attrs_scatter *s = &op->attrs.scatter;
    if (op->result_count != 1 || s->scatter_dims_to_operand_dims.count != 1 ||
        s->inserted_window_dims.count != 1 ||
        s->inserted_window_dims.at[0] != s->scatter_dims_to_operand_dims.at[0] ||
        op->operands[0]->type->shape.dims[s->inserted_window_dims.at[0]] >= INT32_MAX)
        return false;
    return find_position_dims(op, positions) && find_update_dims(op, positions, updates);
}

/* Positions of 32 bits; those out of bounds of `size` elements stay so. */
static struct value *narrowed(struct builder *b, struct value *positions, int64_t size)
{
    const enum dtype dtype = positions->type->shape.dtype;
    if (dtype == DTYPE_S64)
        positions = build_binary(b, OP_maximum, positions, build_splat(b, positions->type, -1));
    if (dtype == DTYPE_S64 || dtype == DTYPE_U64 || dtype == DTYPE_U32)
        positions =
            build_binary(b, OP_minimum, positions, build_splat(b, positions->type, (double)size));
    return build_convert(b, positions, DTYPE_S32);
}

/* Whether all that read the result compute with it, so that it need not be in memory: memory of
 * zeros costs less than one with comparisons. */
static bool is_read_by_others(const struct op *op)
{
    for (const struct use *use = op->results[0].uses; use; use = use->next)
        if (!(op_info(use->user->code)->traits & OP_ELEMENTWISE) && use->user->code != OP_reduce)
            return false;
    return true;
}

/* Whether an element is the one of its row that gets an update. */
static struct value *is_chosen(struct builder *b, const struct op *op,
                               const struct row_dims *positions)
{
    const struct shape *shape = &op->operands[0]->type->shape;
    const int64_t dim = op->attrs.scatter.inserted_window_dims.at[0];
    const struct type *type = type_tensor(b->module->arena, DTYPE_S32, shape->rank, shape->dims);
    struct value *rows = narrowed(b, op->operands[1], shape->dims[dim]);
    rows = build_reshape(b, rows, positions->count, positions->sizes);
    rows = build_broadcast(b, rows, type, positions->count, positions->operand_dims);
    return build_compare(b, COMPARE_EQ, build_iota(b, type, dim), rows);
}

/* What the elements become that get an update. */
static struct error *combine(struct builder *b, struct op *op, const struct row_dims *updates,
                             struct value **out)
{
    struct module *module = b->module;
    struct value *rows = build_reshape(b, op->operands[2], updates->count, updates->sizes);
    const struct type *type = rows->type;
    struct value *arguments[] = {build_splat_like(b, op->operands[0], &type->shape), rows};
    TRY(lift_body_apply(module, op, type, arguments, &rows));
    *out = build_broadcast(b, rows, op->operands[0]->type, updates->count, updates->operand_dims);
    return NULL;
}

struct error *canonicalize_scatter_one_of_each_row(struct module *module, struct op *op,
                                                   struct value **out)
{
    struct builder b = rewrite_before(module, op);
    struct row_dims positions = {0}, updates = {0};
    struct value *combined;
    *out = NULL;
    if (!constants_is_splat(op->operands[0]) || !lift_body_possible(op->regions[0]) ||
        !is_one_of_each_row(op, &positions, &updates) || !is_read_by_others(op))
        return NULL;
    TRY(combine(&b, op, &updates, &combined));
    *out = build_select(&b, is_chosen(&b, op, &positions), combined, op->operands[0]);
    return NULL;
}
