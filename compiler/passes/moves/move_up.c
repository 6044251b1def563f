/* move_up.c: see move_up.h. */
#include "compiler/passes/moves/move_up.h"

#include <math.h>
#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/schedule/access.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/product_side.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    STEPS = 32,            /* of a walk that looks for what cancels */
    MOST_MOVED = 64,       /* values that are made for one operation */
    MOST_READS = 64,       /* operations that read a value or what is made of it */
    COPY_COST = 8,         /* of an element of an operand, in multiply-adds of a product */
    INTERLEAVED_PARTS = 4, /* operands whose elements may alternate: their kernel stores them
                            * together; with more it would select among them */
    BROADCAST = 4,         /* times the size of what may be transposed in front of a broadcast */
    LONG_RUN = 16          /* adjacent elements of an operand from which that does not matter */
};

/* What replaces one operation. */
struct move {
    struct builder b;
    int left; /* values that may still be made by moving further up */
};

static struct move start(struct module *module, const struct op *op)
{
    return (struct move){rewrite_before(module, op), MOST_MOVED};
}

/* ---- reshapes -------------------------------------------------------------------------------- */
static bool has_dims(const struct value *value, const struct shape *shape)
{
    return shape_same_dims(&value->type->shape, shape);
}

/* Whether a reshape to `shape` of the value meets one from that shape above it. Scalars stay as
 * they are: an elementwise operation on arrays may have one as operand. */
static bool meets_reshape(const struct value *value, const struct shape *shape, int *left)
{
    const struct op *def = value->def;
    if (!def || value->type->shape.rank == 0 || --*left < 0)
        return false;
    if (def->code == OP_reshape)
        return has_dims(def->operands[0], shape);
    if (!ir_is_elementwise(def) || !ir_has_one_user(value))
        return false;
    for (int i = 0; i < def->operand_count; i++)
        if (meets_reshape(def->operands[i], shape, left))
            return true;
    return false;
}

/* The value with the dimensions of `shape`. */
static struct value *reshaped(struct move *move, struct value *value, const struct shape *shape)
{
    struct builder *b = &move->b;
    const struct op *def = value->def;
    struct value *operands[IR_ELEMENTWISE_OPERANDS];
    int left = STEPS;
    if (value->type->shape.rank == 0)
        return value;
    const struct type *type =
        type_with_dims(b->module->arena, value->type, shape->rank, shape->dims);
    if (constants_is_splat(value))
        return build_splat_like(b, value, &type->shape);
    if (def && def->code == OP_broadcast_in_dim && def->operands[0]->type->shape.rank == 0)
        return build_broadcast(b, def->operands[0], type, 0, NULL);
    if (!meets_reshape(value, shape, &left) || --move->left < 0)
        return build_reshape(b, value, shape->rank, shape->dims);
    if (def->code == OP_reshape)
        return def->operands[0];
    for (int i = 0; i < def->operand_count; i++)
        operands[i] = reshaped(move, def->operands[i], shape);
    return build_declared(b, def->code, def->operand_count, operands, type, &def->attrs);
}

static struct error *move_reshape(struct module *module, struct op *op)
{
    const struct shape *shape = &op->results[0].type->shape;
    struct move move = start(module, op);
    int left = STEPS;
    return meets_reshape(op->operands[0], shape, &left)
               ? rewrite_with(module, op, reshaped(&move, op->operands[0], shape))
               : NULL;
}

/* ---- slices ---------------------------------------------------------------------------------- */
struct cut {
    int64_t start[SHAPE_MAX_RANK], limit[SHAPE_MAX_RANK], stride[SHAPE_MAX_RANK];
};

static struct cut cut_of(const struct op *slice)
{
    const struct attrs_slice *at = &slice->attrs.slice;
    size_t size = (size_t)slice->results[0].type->shape.rank * sizeof(int64_t);
    struct cut cut = {{0}, {0}, {0}};
    memcpy(cut.start, at->start_indices.at, size);
    memcpy(cut.limit, at->limit_indices.at, size);
    memcpy(cut.stride, at->strides.at, size);
    return cut;
}

/* What a transpose reads for a cut of its result. */
static struct cut cut_before(const struct op *transpose, const struct cut *cut)
{
    struct dims permutation = transpose->attrs.transpose.permutation;
    struct cut before = {{0}, {0}, {0}};
    for (int64_t i = 0; i < permutation.count; i++) {
        before.start[permutation.at[i]] = cut->start[i];
        before.limit[permutation.at[i]] = cut->limit[i];
        before.stride[permutation.at[i]] = cut->stride[i];
    }
    return before;
}

static int64_t cut_size(const struct cut *cut, int i)
{
    return (cut->limit[i] - cut->start[i] + cut->stride[i] - 1) / cut->stride[i];
}

/* The operand of a concatenation that a cut of its result is of; `within`: the cut of that. */
static struct value *piece_of(const struct op *concatenate, const struct cut *cut,
                              struct cut *within)
{
    int dim = (int)concatenate->attrs.dimension.dimension;
    int64_t last = cut->start[dim] + (cut_size(cut, dim) - 1) * cut->stride[dim], before;
    struct value *piece = rewrite_piece(concatenate, cut->start[dim], last, &before);
    *within = *cut;
    within->start[dim] = cut->start[dim] - before;
    within->limit[dim] = last - before + 1;
    return piece;
}

/* The elements of a value that its users compute if slices move up through all of them: those that
 * several slices have count for each. Infinite: another operation reads the whole value, too. */
static double elements_read(const struct value *value, int *left)
{
    double sum = 0;
    for (const struct use *use = value->uses; use; use = use->next) {
        const struct op *user = use->user;
        if (--*left < 0)
            return INFINITY;
        if (user->code == OP_slice)
            sum += op_work_elements(&user->results[0]);
        else if (!ir_is_elementwise(user) && user->code != OP_transpose)
            return INFINITY;
        else if (ir_operand_of(user, value) == use->operand)
            sum += elements_read(&user->results[0], left);
    }
    return sum;
}

/* Whether no element of the value is computed twice if its slices are computed instead. */
static bool is_read_once(const struct value *value)
{
    int left = MOST_READS;
    return elements_read(value, &left) <= op_work_elements(value);
}

/* Whether a cut of the value can be made of one operand of a concatenation above it. */
static bool meets_piece(const struct value *value, const struct cut *cut, int *left)
{
    const struct op *def = value->def;
    struct cut before;
    if (!def || --*left < 0)
        return false;
    if (def->code == OP_concatenate)
        return piece_of(def, cut, &before) != NULL;
    if (def->code == OP_transpose) {
        before = cut_before(def, cut);
        return meets_piece(def->operands[0], &before, left);
    }
    if (!ir_is_elementwise(def) || !is_read_once(value))
        return false;
    for (int i = 0; i < def->operand_count; i++)
        if (def->operands[i]->type->shape.rank && meets_piece(def->operands[i], cut, left))
            return true;
    return false;
}

static struct value *build_cut(struct builder *b, struct value *value, const struct cut *cut)
{
    for (int i = 0; i < value->type->shape.rank; i++)
        if (cut_size(cut, i) != value->type->shape.dims[i])
            return build_slice(b, value, cut->start, cut->limit, cut->stride);
    return value;
}

static struct value *cut_value(struct move *move, struct value *value, const struct cut *cut);

static struct value *cut_elementwise(struct move *move, const struct op *op, const struct cut *cut)
{
    struct value *operands[IR_ELEMENTWISE_OPERANDS];
    const struct type *type = op->results[0].type;
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < type->shape.rank; i++)
        dims[i] = cut_size(cut, i);
    for (int i = 0; i < op->operand_count; i++)
        operands[i] = cut_value(move, op->operands[i], cut);
    type = type_with_dims(move->b.module->arena, type, type->shape.rank, dims);
    return build_declared(&move->b, op->code, op->operand_count, operands, type, &op->attrs);
}

/* The elements of the value that the cut selects. */
static struct value *cut_value(struct move *move, struct value *value, const struct cut *cut)
{
    const struct op *def = value->def;
    struct value *before;
    struct cut within;
    int left = STEPS;
    if (value->type->shape.rank == 0)
        return value;
    if (!meets_piece(value, cut, &left) || --move->left < 0)
        return build_cut(&move->b, value, cut);
    if (def->code == OP_concatenate) {
        before = piece_of(def, cut, &within);
        return cut_value(move, before, &within);
    }
    if (def->code == OP_transpose) {
        within = cut_before(def, cut);
        before = cut_value(move, def->operands[0], &within);
        return build_transpose(&move->b, before, def->attrs.transpose.permutation.at);
    }
    return cut_elementwise(move, def, cut);
}

/* ---- slices of products ---------------------------------------------------------------------- */
/* The elements of operand `which` of a product that a cut of the result needs: all along dimensions
 * that it sums over. */
static struct cut cut_of_operand(const struct op *dot, int which, const struct cut *cut)
{
    const struct shape *shape = &dot->operands[which]->type->shape;
    struct cut before = {{0}, {0}, {0}};
    for (int i = 0; i < shape->rank; i++) {
        int from = product_side_result_dim(dot, which, i);
        before.start[i] = from < 0 ? 0 : cut->start[from];
        before.limit[i] = from < 0 ? shape->dims[i] : cut->limit[from];
        before.stride[i] = from < 0 ? 1 : cut->stride[from];
    }
    return before;
}

/* The part of a shape's elements that are in a cut. */
static double part_of(const struct shape *shape, const struct cut *cut)
{
    double part = 1;
    for (int i = 0; i < shape->rank; i++)
        part *= (double)cut_size(cut, i) / (double)shape->dims[i];
    return part;
}

/* Whether a part of an operand of a product is copied in front of the loop that the product is in,
 * once for all iterations (hoist.h). */
static bool is_hoisted(const struct op *dot, int which)
{
    const struct value *value = dot->operands[which];
    const struct block *block = ir_block_of(value);
    const struct op *owner = dot->block->owner;
    return block != dot->block && owner && owner->code == OP_while &&
           op_work_multiply_adds(dot) >= COPY_COST * op_work_elements(value);
}

/* Whether the multiply-adds that a cut saves take longer than copies of parts of the operands. */
static bool pays_cutting(const struct op *dot, const struct cut *cut)
{
    double saved = op_work_multiply_adds(dot) * (1 - part_of(&dot->results[0].type->shape, cut)),
           copied = 0;
    for (int which = 0; which < 2; which++) {
        struct cut before = cut_of_operand(dot, which, cut);
        double part = part_of(&dot->operands[which]->type->shape, &before);
        bool is_copied = part < 1 && !is_hoisted(dot, which);
        copied += is_copied ? part * op_work_elements(dot->operands[which]) : 0;
    }
    return saved > COPY_COST * copied;
}

/* Computes of a product, perhaps transposed, only what its one user, a slice, reads of it. */
static struct error *move_slice_of_product(struct module *module, struct op *op)
{
    const struct op *def = op->operands[0]->def, *transpose = NULL;
    struct cut cut = cut_of(op);
    if (def && def->code == OP_transpose && ir_has_one_use(op->operands[0])) {
        transpose = def, cut = cut_before(def, &cut);
        def = def->operands[0]->def;
    }
    if (!def || def->code != OP_dot_general || !ir_has_one_use(&def->results[0]) ||
        !pays_cutting(def, &cut))
        return NULL;
    struct builder b = rewrite_before(module, op);
    struct value *operands[2];
    const struct type *type = def->results[0].type;
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < type->shape.rank; i++)
        dims[i] = cut_size(&cut, i);
    for (int which = 0; which < 2; which++) {
        struct cut before = cut_of_operand(def, which, &cut);
        operands[which] = build_cut(&b, def->operands[which], &before);
    }
    type = type_with_dims(module->arena, type, type->shape.rank, dims);
    struct value *product = build_declared(&b, OP_dot_general, 2, operands, type, &def->attrs);
    if (transpose)
        product = build_transpose(&b, product, transpose->attrs.transpose.permutation.at);
    return rewrite_with(module, op, product);
}

/* ---- slices of updates ----------------------------------------------------------------------- */
/* Where an update at constant positions writes. False: they are not constant. */
static bool find_window(const struct op *update, int64_t *starts)
{
    const struct shape *whole = &update->results[0].type->shape,
                       *window = &update->operands[1]->type->shape;
    for (int i = 0; i < whole->rank; i++) {
        const struct literal *index = constants_literal(update->operands[2 + i]);
        if (!index)
            return false;
        starts[i] = constants_start(index, whole->dims[i] - window->dims[i]);
    }
    return true;
}

/* The elements of a window in dimension i that a cut of the whole selects. *at: where the first of
 * them is in the cut. False: none. */
static bool cut_window(const struct cut *cut, int i, int64_t start, int64_t size, struct cut *of,
                       int64_t *at)
{
    int64_t stride = cut->stride[i], offset = start - cut->start[i];
    int64_t last = offset + size - 1 < 0 ? -1 : (offset + size - 1) / stride;
    if (last > cut_size(cut, i) - 1)
        last = cut_size(cut, i) - 1;
    *at = offset > 0 ? (offset + stride - 1) / stride : 0;
    of->start[i] = *at * stride - offset;
    of->limit[i] = last * stride - offset + 1;
    of->stride[i] = stride;
    return *at <= last;
}

/* Updates, of an array of which a slice is the only user, what the slice reads of it. */
static struct error *move_slice_of_update(struct module *module, struct op *op)
{
    const struct op *update = op->operands[0]->def;
    struct cut cut = cut_of(op), within = {{0}, {0}, {0}};
    int64_t starts[SHAPE_MAX_RANK], at;
    struct value *begins[SHAPE_MAX_RANK];
    bool overlaps = true;
    if (!update || update->code != OP_dynamic_update_slice || !ir_has_one_use(op->operands[0]) ||
        !find_window(update, starts))
        return NULL;
    struct builder b = rewrite_before(module, op);
    int rank = op->results[0].type->shape.rank;
    for (int i = 0; i < rank; i++) {
        int64_t size = update->operands[1]->type->shape.dims[i];
        overlaps &= cut_window(&cut, i, starts[i], size, &within, &at);
        begins[i] = build_scalar(&b, update->operands[2 + i]->type->shape.dtype, (double)at);
    }
    struct value *whole = build_cut(&b, update->operands[0], &cut);
    if (!overlaps)
        return rewrite_with(module, op, whole);
    struct value *part = build_cut(&b, update->operands[1], &within);
    return rewrite_with(module, op, build_update(&b, whole, part, begins));
}

static struct error *move_slice(struct module *module, struct op *op)
{
    struct move move = start(module, op);
    struct cut cut = cut_of(op);
    int left = STEPS;
    if (!type_elements(op->results[0].type))
        return NULL;
    if (op->operands[0]->def && op->operands[0]->def->code == OP_dynamic_update_slice)
        return move_slice_of_update(module, op);
    return meets_piece(op->operands[0], &cut, &left)
               ? rewrite_with(module, op, cut_value(&move, op->operands[0], &cut))
               : move_slice_of_product(module, op);
}

/* ---- transposes ------------------------------------------------------------------------------ */
static int position_in(struct dims permutation, int64_t dim)
{
    int at = 0;
    while (permutation.at[at] != dim)
        at++;
    return at;
}

/* Whether the operands of a concatenation can be stored in the order of a transpose of it. */
static bool may_store_transposed(const struct op *concatenate, const struct op *transpose)
{
    struct dims permutation = transpose->attrs.transpose.permutation;
    const struct shape *shape = &transpose->results[0].type->shape;
    int64_t run = 1;
    for (int i = position_in(permutation, concatenate->attrs.dimension.dimension) + 1;
         i < shape->rank; i++)
        run *= shape->dims[i];
    for (int i = 0; i < concatenate->operand_count; i++)
        if (!access_keeps_order(&concatenate->operands[i]->type->shape, permutation))
            return false;
    return concatenate->operand_count <= INTERLEAVED_PARTS || run >= LONG_RUN;
}

/* Whether a transpose of the result of another gives its operand. */
static bool cancels(const struct op *transpose, struct dims permutation)
{
    for (int64_t i = 0; i < permutation.count; i++)
        if (transpose->attrs.transpose.permutation.at[permutation.at[i]] != i)
            return false;
    return true;
}

/* Whether a transpose of the value needs no other above it than of what is broadcast. *met becomes
 * true if it cancels one. */
static bool vanishes(const struct value *value, struct dims permutation, bool *met, int *left)
{
    const struct op *def = value->def;
    if (constants_is_splat(value) || value->type->shape.rank == 0)
        return true;
    if (!def || --*left < 0)
        return false;
    if (def->code == OP_transpose)
        return cancels(def, permutation) && (*met = true);
    if (def->code == OP_broadcast_in_dim)
        return type_elements(def->operands[0]->type) * BROADCAST <= type_elements(value->type);
    if (!ir_is_elementwise(def) || !ir_has_one_user(value))
        return false;
    for (int i = 0; i < def->operand_count; i++)
        if (!vanishes(def->operands[i], permutation, met, left))
            return false;
    return true;
}

/* A broadcast to the dimensions in another order. */
static struct value *broadcast_transposed(struct builder *b, const struct op *broadcast,
                                          struct dims permutation, const struct type *type)
{
    struct dims to = broadcast->attrs.broadcast_in_dim.broadcast_dimensions;
    int64_t order[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK];
    int count = 0;
    for (int64_t i = 0; i < permutation.count; i++)
        if (dims_contain(to, permutation.at[i])) {
            order[count] = position_in(to, permutation.at[i]);
            dims[count++] = i;
        }
    return build_broadcast(b, build_transpose(b, broadcast->operands[0], order), type, count, dims);
}

static struct value *transposed(struct builder *b, struct value *value, struct dims permutation)
{
    const struct op *def = value->def;
    struct value *operands[IR_ELEMENTWISE_OPERANDS];
    int64_t dims[SHAPE_MAX_RANK];
    if (value->type->shape.rank == 0)
        return value;
    for (int64_t i = 0; i < permutation.count; i++)
        dims[i] = value->type->shape.dims[permutation.at[i]];
    const struct type *type =
        type_with_dims(b->module->arena, value->type, (int)permutation.count, dims);
    if (constants_is_splat(value))
        return build_splat_like(b, value, &type->shape);
    if (def->code == OP_transpose)
        return def->operands[0];
    if (def->code == OP_broadcast_in_dim)
        return broadcast_transposed(b, def, permutation, type);
    for (int i = 0; i < def->operand_count; i++)
        operands[i] = transposed(b, def->operands[i], permutation);
    return build_declared(b, def->code, def->operand_count, operands, type, &def->attrs);
}

static struct error *move_transpose_of_concatenation(struct module *module, struct op *op)
{
    const struct op *inner = op->operands[0]->def;
    struct dims permutation = op->attrs.transpose.permutation;
    struct builder b = rewrite_before(module, op);
    if (!inner || inner->code != OP_concatenate || !ir_has_one_use(op->operands[0]) ||
        !may_store_transposed(inner, op))
        return NULL;
    struct value **parts = ARENA_ARRAY(module->arena, struct value *, (size_t)inner->operand_count);
    for (int i = 0; i < inner->operand_count; i++) {
        int64_t dims[SHAPE_MAX_RANK];
        for (int64_t k = 0; k < permutation.count; k++)
            dims[k] = inner->operands[i]->type->shape.dims[permutation.at[k]];
        parts[i] = build_reshape(&b, inner->operands[i], (int)permutation.count, dims);
    }
    int dim = position_in(permutation, inner->attrs.dimension.dimension);
    return rewrite_with(module, op, build_concatenate(&b, inner->operand_count, parts, dim));
}

static struct error *move_transpose(struct module *module, struct op *op)
{
    struct dims permutation = op->attrs.transpose.permutation;
    struct builder b = rewrite_before(module, op);
    bool met = false;
    int left = STEPS;
    if (vanishes(op->operands[0], permutation, &met, &left) && met)
        return rewrite_with(module, op, transposed(&b, op->operands[0], permutation));
    return move_transpose_of_concatenation(module, op);
}

/* ---- the pass -------------------------------------------------------------------------------- */
static struct error *move(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    switch (op->code) {
    case OP_reshape: return move_reshape(module, op);
    case OP_slice: return move_slice(module, op);
    case OP_transpose: return move_transpose(module, op);
    default: return NULL;
    }
}

struct error *move_up_run(struct module *module, const struct target *target)
{
    return each_op(module, target, move);
}
