/* loop_sums.c: see loop_sums.h. The carried sum's place in the loop becomes that of the stored
 * factor, so the loop carries as many values as before. */
#include "compiler/passes/loops/loop_sums.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/loop_index.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/rewrite/stack_op.h"

enum {
    MAX_TERMS = 64,       /* of a sum in one iteration; with more it is not much faster with all */
    MAX_BYTES = 32 << 20, /* of a stored factor */
    MAX_ALL = 64 << 20,   /* of all in a module */
    MORE = 4,     /* times as many bytes as the other factor and the sum that a stored factor has */
    LESS = 4,     /* times fewer elements than the sum that the factor of an iteration has */
    MAX_USES = 16 /* of a factor that are looked at */
};

/* A sum that a loop carries, and the product that an iteration adds. */
struct sum {
    struct op *loop;
    int at; /* the carried value */
    int64_t trip_count;
    struct op *transpose; /* of the product, or NULL */
    struct op *dot;
    struct op *add;
    int side; /* the operand that is a slice; the other is stored */
    struct op *slice;
    int dim;      /* that the slice takes an element of */
    double *left; /* bytes that the module's stored factors may still have */
};

static struct block *body_of(const struct op *loop)
{
    return loop->regions[1];
}

static bool is_in_body(const struct op *loop, const struct value *value)
{
    return ir_block_of(value) == body_of(loop);
}

static struct value *returned(const struct op *loop, int i)
{
    return body_of(loop)->last->operands[i];
}

/* ---- matching -------------------------------------------------------------------------------- */
/* Reads an operand of the product that is an element of an array from outside, all along one
 * dimension, which a reshape removes. */
static bool read_slice(struct sum *sum, int side)
{
    const struct op *reshape = sum->dot->operands[side]->def;
    struct op *slice = reshape && reshape->code == OP_reshape ? reshape->operands[0]->def : NULL;
    if (!slice || slice->code != OP_dynamic_slice || slice->block != body_of(sum->loop) ||
        is_in_body(sum->loop, slice->operands[0]))
        return false;
    const struct shape *from = &slice->operands[0]->type->shape,
                       *to = &reshape->results[0].type->shape;
    if (from->rank != to->rank + 1 || from->memory != MEMORY_DEVICE)
        return false;
    sum->side = side, sum->slice = slice, sum->dim = -1;
    for (int i = 0, k = 0; i < from->rank; i++) {
        bool is_whole = slice->results[0].type->shape.dims[i] == from->dims[i];
        if (sum->dim < 0 && !is_whole && slice->results[0].type->shape.dims[i] == 1)
            sum->dim = i;
        else if (!is_whole || to->dims[k++] != from->dims[i])
            return false;
    }
    return sum->dim >= 0 && from->dims[sum->dim] == sum->trip_count &&
           loop_index_is_each(sum->loop, slice->operands[1 + sum->dim], sum->trip_count);
}

static double stored_bytes(const struct sum *sum, const struct value *factor)
{
    return op_work_bytes(factor) * (double)sum->trip_count;
}

/* A factor that is stored for another sum already counts again. */
static bool has_room(const struct sum *sum, const struct value *factor)
{
    double bytes = stored_bytes(sum, factor);
    double given = op_work_bytes(sum->slice->operands[0]) + op_work_bytes(&sum->dot->results[0]);
    return bytes <= MAX_BYTES && bytes <= *sum->left && bytes <= MORE * given;
}

/* Whether the factor to be stored is computed in the loop, and storing it pays. */
static bool pays_storing(const struct sum *sum)
{
    const struct value *factor = sum->dot->operands[1 - sum->side];
    const struct value *result = &sum->dot->results[0];
    double size = op_work_elements(result);
    return is_in_body(sum->loop, factor) && factor->type->shape.memory == MEMORY_DEVICE &&
           factor->type->shape.dtype == result->type->shape.dtype &&
           factor->type->shape.rank < SHAPE_MAX_RANK &&
           op_work_multiply_adds(sum->dot) <= MAX_TERMS * size &&
           LESS * op_work_elements(factor) <= size && has_room(sum, factor);
}

/* The product, perhaps transposed, that is all the value is. */
static bool read_product(struct sum *sum, const struct value *value)
{
    struct op *op = value->def;
    sum->transpose = NULL;
    if (!ir_has_one_use(value) || !op || op->block != body_of(sum->loop))
        return false;
    if (op->code == OP_transpose) {
        sum->transpose = op;
        op = op->operands[0]->def;
        if (!op || op->block != body_of(sum->loop) || !ir_has_one_use(&op->results[0]))
            return false;
    }
    if (op->code != OP_dot_general || op->attrs.dot.lhs_batching_dimensions.count)
        return false;
    sum->dot = op;
    for (int side = 0; side < 2; side++)
        if (read_slice(sum, side) && pays_storing(sum))
            return true;
    return false;
}

/* Whether the carried value is a sum whose terms nothing else reads. */
static bool read_sum(struct sum *sum)
{
    const struct value *before = &body_of(sum->loop)->arguments[sum->at];
    struct op *add = returned(sum->loop, sum->at)->def;
    enum dtype dtype = before->type->shape.dtype;
    if ((dtype != DTYPE_F32 && dtype != DTYPE_F64) || before->type->shape.memory != MEMORY_DEVICE ||
        sum->loop->regions[0]->arguments[sum->at].uses || !ir_has_one_use(before) || !add ||
        add->code != OP_add || before->uses->user != add || !ir_has_one_use(&add->results[0]))
        return false;
    sum->add = add;
    return read_product(sum, add->operands[add->operands[0] == before ? 1 : 0]);
}

/* ---- rewriting ------------------------------------------------------------------------------- */
static const struct type *type_of_stored(struct module *module, const struct sum *sum)
{
    return stack_op_type(module->arena, sum->dot->operands[1 - sum->side]->type, sum->trip_count);
}

/* Whether an update of a carried array stores the factor in the iteration's place. */
static bool is_stored_by(const struct sum *sum, const struct op *update, const struct type *type)
{
    const struct value *array = update->operands[0];
    return update->code == OP_dynamic_update_slice && update->block == body_of(sum->loop) &&
           !array->def && array->block == update->block &&
           update->operands[2] == sum->slice->operands[1 + sum->dim] &&
           type_same(array->type, type) && update->operands[1]->type->shape.dims[0] == 1 &&
           ir_has_one_use(&update->results[0]) &&
           update->results[0].uses->user == update->block->last &&
           array == &update->block->arguments[update->results[0].uses->operand];
}

/* The carried value in which the loop stores the factor already, or -1. */
static int find_stored(const struct sum *sum, const struct type *type)
{
    const struct use *use = sum->dot->operands[1 - sum->side]->uses;
    for (int left = MAX_USES; use && left; use = use->next, left--) {
        const struct op *reshape = use->user;
        if (reshape->code != OP_reshape || !ir_has_one_use(&reshape->results[0]))
            continue;
        const struct op *update = reshape->results[0].uses->user;
        if (is_stored_by(sum, update, type) && reshape->results[0].uses->operand == 1)
            return update->results[0].uses->operand;
    }
    return -1;
}

/* Makes the carried value an array of the factors of all iterations. */
static void store_factor(struct module *module, const struct sum *sum, const struct type *type)
{
    struct block *body = body_of(sum->loop);
    struct builder before = rewrite_before(module, sum->loop),
                   b = rewrite_before(module, body->last);
    struct value *index = sum->slice->operands[1 + sum->dim];
    const struct type *one = along_dim_type(&b, type, 0, 1);
    struct value *factor =
        build_reshape(&b, sum->dot->operands[1 - sum->side], one->shape.rank, one->shape.dims);
    ir_set_operand(module, sum->loop, sum->at, build_splat(&before, type, 0));
    body->arguments[sum->at].type = type;
    sum->loop->regions[0]->arguments[sum->at].type = type;
    sum->loop->results[sum->at].type = type;
    ir_set_operand(module, body->last, sum->at,
                   along_dim_update(&b, &body->arguments[sum->at], 0, factor, index));
}

/* The contracted dimensions of an operand with dimension `dim` more, which is contracted first. */
static struct dims with_dim(struct module *module, struct dims dims, int64_t dim)
{
    int64_t *at = ARENA_ARRAY(module->arena, int64_t, dims.count + 1);
    at[0] = dim;
    for (int64_t i = 0; i < dims.count; i++)
        at[1 + i] = dims.at[i] + (dims.at[i] >= dim);
    return (struct dims){dims.count + 1, at};
}

/* Multiplies all factors after the loop, which carries them as value `stored`, and adds what the
 * sum was before it. */
static void sum_after(struct module *module, const struct sum *sum, int stored, struct value *start)
{
    struct value *factors = &sum->loop->results[stored];
    struct builder b = {module, sum->loop->block, sum->loop->next, sum->dot->location};
    struct value *operands[2];
    union attrs attrs = sum->dot->attrs;
    struct dims *contracted[] = {&attrs.dot.lhs_contracting_dimensions,
                                 &attrs.dot.rhs_contracting_dimensions};
    *contracted[sum->side] = with_dim(module, *contracted[sum->side], sum->dim);
    *contracted[1 - sum->side] = with_dim(module, *contracted[1 - sum->side], 0);
    operands[sum->side] = sum->slice->operands[0];
    operands[1 - sum->side] = factors;
    struct value *product =
        build_declared(&b, OP_dot_general, 2, operands, sum->dot->results[0].type, &attrs);
    struct value *total = product;
    if (sum->transpose)
        total = build_transpose(&b, total, sum->transpose->attrs.transpose.permutation.at);
    if (!constants_is_splat_of(start, 0))
        total = build_binary(&b, OP_add, start, total);
    ir_replace_uses(module, &sum->loop->results[sum->at], total);
    ir_set_operand(module, product->def, 1 - sum->side, factors);
}

/* The loop stores the factor in place of the sum, or carries what the sum was before, unused. */
static void move_sum(struct module *module, const struct sum *sum)
{
    struct block *body = body_of(sum->loop);
    struct value *start = sum->loop->operands[sum->at];
    const struct type *type = type_of_stored(module, sum);
    int stored = find_stored(sum, type);
    ir_set_operand(module, body->last, sum->at, &body->arguments[sum->at]);
    ir_remove(sum->add);
    if (stored < 0) {
        *sum->left -= stored_bytes(sum, sum->dot->operands[1 - sum->side]);
        store_factor(module, sum, type);
    }
    sum_after(module, sum, stored < 0 ? sum->at : stored, start);
}

/* `left`: bytes, a double. */
static struct error *visit(struct module *module, struct op *loop, void *left)
{
    if (loop->code != OP_while || trip_count_of(loop) < 2)
        return NULL;
    struct sum sum = {.loop = loop, .trip_count = trip_count_of(loop), .left = left};
    for (sum.at = 0; sum.at < loop->result_count; sum.at++)
        if (loop->results[sum.at].uses && read_sum(&sum))
            move_sum(module, &sum);
    return NULL;
}

struct error *loop_sums_run(struct module *module, const struct target *target)
{
    double left = MAX_ALL;
    (void)target;
    return each_op_again_with(module, &left, visit);
}
