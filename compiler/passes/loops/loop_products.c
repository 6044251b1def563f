/* loop_products.c: for the body of each loop, one walk forwards finds the values that are invariant
 * or stacked (in stacks before the loop) and the products worth moving, one backwards what these
 * need, one forwards builds both, and one replaces the products in the loop. Inner loops first:
 * what leaves them may leave the outer loop, too. */
#include "compiler/passes/loops/loop_products.h"

#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/passes/rewrite/stack_op.h"

enum {
    MAX_ROWS = 64,        /* of a product; with more it is not much faster in a larger one */
    MAX_BYTES = 32 << 20, /* of the results of all iterations */
    MIN_ADDS = 16 << 10   /* multiply-adds of all iterations; fewer take no time */
};

/* The note of an operation whose result is invariant or stacked; others have none. */
struct note {
    struct value *index; /* of the slices that it is computed from; NULL: the result is invariant */
    int64_t count;       /* elements along the sliced dimension */
    int dim;             /* of a slice at the index: the sliced dimension; -1: no such slice */
    bool is_root;        /* a product worth moving */
    bool is_needed;      /* by a root, or a root itself */
    struct value *built; /* before the loop: the value if it is invariant, else the stack */
};

/* A loop that is worked on. */
struct scan {
    struct module *module;
    struct op *loop;
    struct block *body;
    int64_t trip_count;
};

static bool is_outside(const struct scan *scan, const struct value *value)
{
    return ir_block_of(value) != scan->body;
}

static struct note *note_of(const struct scan *scan, const struct value *value)
{
    return value->def && !is_outside(scan, value) ? value->def->note : NULL;
}

static bool is_invariant(const struct scan *scan, const struct value *value)
{
    const struct note *note = note_of(scan, value);
    return is_outside(scan, value) || (note && !note->index);
}

static bool is_stacked(const struct scan *scan, const struct value *value)
{
    const struct note *note = note_of(scan, value);
    return note && note->index;
}

/* The dimension of which a dynamic_slice of an invariant array takes one element, while it takes
 * all of the others; -1 for other operations. */
static int sliced_dim(const struct scan *scan, const struct op *op)
{
    int found = -1;
    if (op->code != OP_dynamic_slice || !is_invariant(scan, op->operands[0]))
        return -1;
    const struct shape *from = &op->operands[0]->type->shape, *to = &op->results[0].type->shape;
    for (int i = 0; i < from->rank; i++) {
        if (from->dims[i] == to->dims[i])
            continue;
        if (found >= 0 || to->dims[i] != 1)
            return -1;
        found = i;
    }
    return found;
}

/* Whether the operation is the same wherever it is executed, and neither control flow nor much
 * work unless it is a product. */
static bool is_simple(const struct op *op)
{
    bool is_known = op->code == OP_constant || op->code == OP_dot_general ||
                    (op_info(op->code)->traits & (OP_ELEMENTWISE | OP_INDEXED));
    if (!is_known || op->result_count != 1 || op->region_count || !ir_is_pure(op) ||
        op->results[0].type->shape.memory != MEMORY_DEVICE)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.memory != MEMORY_DEVICE)
            return false;
    return true;
}

/* The note of an operation, all of whose operands are invariant or have the same index. */
static bool find_index(const struct scan *scan, const struct op *op, struct note *found)
{
    bool *stacked = ARENA_ARRAY(scan->module->arena, bool, (size_t)op->operand_count + 1);
    for (int i = 0; i < op->operand_count; i++) {
        stacked[i] = is_stacked(scan, op->operands[i]);
        if (is_invariant(scan, op->operands[i]))
            continue;
        const struct note *note = note_of(scan, op->operands[i]);
        if (!note || (found->index && (found->index != note->index || found->count != note->count)))
            return false;
        found->index = note->index;
        found->count = note->count;
    }
    return !found->index || stack_op_is_known(op, stacked);
}

/* Whether a product of a stack of `count` values of operand `side` is worth it, or of the given
 * part of what it sums. */
static bool is_worth_it(const struct op *dot, int side, int64_t count, double part)
{
    double adds = op_work_multiply_adds(dot), row = op_work_elements(dot->operands[1 - side]);
    return adds * (double)count * part >= MIN_ADDS && adds <= MAX_ROWS * row &&
           op_work_bytes(&dot->results[0]) * (double)count <= MAX_BYTES;
}

static struct note *noted(const struct scan *scan, const struct op *op)
{
    struct note found = {.dim = -1};
    int dim = sliced_dim(scan, op);
    if (!is_simple(op))
        return NULL;
    if (dim >= 0 && !is_invariant(scan, op->operands[1 + dim])) {
        found.dim = dim;
        found.index = op->operands[1 + dim];
        found.count = op->operands[0]->type->shape.dims[dim];
        if (op->results[0].type->shape.rank >= SHAPE_MAX_RANK || found.count > scan->trip_count)
            return NULL;
    } else if (!find_index(scan, op, &found)) {
        return NULL;
    }
    if (op->code == OP_dot_general) {
        int side = is_stacked(scan, op->operands[0]) ? 0 : 1;
        found.is_root = found.index && is_worth_it(op, side, found.count, 1);
        if (!found.is_root)
            return NULL;
    }
    found.is_needed = found.is_root;
    struct note *note = ARENA_NEW(scan->module->arena, struct note);
    *note = found;
    return note;
}

/* ---- products of concatenations -------------------------------------------------------------- */

/* A product of which operand `side` is a concatenation along the contracted dimension. */
struct mixed {
    const struct op *dot, *all; /* the concatenation */
    struct value *other;        /* the other operand */
    int side;
    int64_t dim; /* the contracted dimension of `other` */
};

/* What `other` has for operand i of the concatenation. */
static struct value *slice_of_other(struct builder *b, const struct mixed *mixed, int i)
{
    int64_t along = mixed->all->attrs.dimension.dimension, first = 0;
    for (int k = 0; k < i; k++)
        first += mixed->all->operands[k]->type->shape.dims[along];
    return along_dim_slice(b, mixed->other, (int)mixed->dim, first,
                           mixed->all->operands[i]->type->shape.dims[along]);
}

/* The product of those operands of the concatenation that are stacked, or of the others. */
static struct value *partial_product(const struct scan *scan, struct builder *b,
                                     const struct mixed *mixed, bool stacked)
{
    struct builder before = rewrite_before(scan->module, scan->loop);
    size_t capacity = (size_t)mixed->all->operand_count;
    struct value **parts = ARENA_ARRAY(b->module->arena, struct value *, capacity);
    struct value **slices = ARENA_ARRAY(b->module->arena, struct value *, capacity);
    struct value *operands[2];
    int count = 0;
    for (int i = 0; i < mixed->all->operand_count; i++) {
        if (is_stacked(scan, mixed->all->operands[i]) != stacked)
            continue;
        parts[count] = mixed->all->operands[i];
        slices[count++] = slice_of_other(&before, mixed, i);
    }
    operands[mixed->side] =
        along_dim_concatenate(b, count, parts, (int)mixed->all->attrs.dimension.dimension);
    operands[1 - mixed->side] = along_dim_concatenate(&before, count, slices, (int)mixed->dim);
    const struct type *type = mixed->dot->results[0].type;
    return build_declared(b, OP_dot_general, 2, operands, type, &mixed->dot->attrs);
}

/* Whether some operands of the concatenation are stacked, with one index, and their product is
 * worth moving. */
static bool is_worth_splitting(const struct scan *scan, const struct mixed *mixed)
{
    const struct note *first = NULL;
    int64_t known = 0, along = mixed->all->attrs.dimension.dimension;
    int stacked = 0;
    for (int i = 0; i < mixed->all->operand_count; i++) {
        const struct note *note = note_of(scan, mixed->all->operands[i]);
        if (!note || !note->index)
            continue;
        first = first ? first : note;
        if (note->index != first->index || note->count != first->count)
            return false;
        known += mixed->all->operands[i]->type->shape.dims[along];
        stacked++;
    }
    int64_t size = mixed->all->results[0].type->shape.dims[along];
    return stacked && stacked < mixed->all->operand_count &&
           is_worth_it(mixed->dot, mixed->side, first->count, (double)known / (double)size);
}

/* Matches a product with a concatenation whose other operand comes from outside of the loop. */
static bool read_mixed(const struct scan *scan, const struct op *dot, int side, struct mixed *mixed)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    struct dims lists[2] = {at->lhs_contracting_dimensions, at->rhs_contracting_dimensions};
    *mixed = (struct mixed){dot, dot->operands[side]->def, dot->operands[1 - side], side, 0};
    enum dtype dtype = dot->results[0].type->shape.dtype;
    if (!mixed->all || mixed->all->code != OP_concatenate || mixed->all->block != scan->body ||
        lists[0].count != 1 || lists[side].at[0] != mixed->all->attrs.dimension.dimension ||
        at->lhs_batching_dimensions.count || !is_outside(scan, mixed->other) ||
        (dtype != DTYPE_F32 && dtype != DTYPE_F64))
        return false;
    mixed->dim = lists[1 - side].at[0];
    return is_worth_splitting(scan, mixed);
}

/* Splits the product of a concatenation, if it is one of which a part can be moved. The operations
 * that this inserts follow `dot`, which is unused then. */
static void split(const struct scan *scan, struct op *dot)
{
    struct mixed mixed;
    if (dot->code != OP_dot_general || !is_simple(dot) ||
        (!read_mixed(scan, dot, 0, &mixed) && !read_mixed(scan, dot, 1, &mixed)))
        return;
    struct builder b = {scan->module, dot->block, dot->next, dot->location};
    struct value *known = partial_product(scan, &b, &mixed, true);
    struct value *others = partial_product(scan, &b, &mixed, false);
    ir_replace_uses(scan->module, &dot->results[0], build_binary(&b, OP_add, known, others));
}

/* ---- the walks ------------------------------------------------------------------------------- */

static void find_notes(const struct scan *scan)
{
    for (struct op *op = scan->body->first; op; op = op->next) {
        split(scan, op);
        op->note = op->results && op->results[0].uses ? noted(scan, op) : NULL;
    }
}

static void find_needed(const struct scan *scan)
{
    for (struct op *op = scan->body->last; op; op = op->previous) {
        const struct note *of = op->note;
        if (!of || !of->is_needed)
            continue;
        int count = of->dim >= 0 ? 1 : op->operand_count; /* no start indices */
        for (int i = 0; i < count; i++) {
            struct note *note = note_of(scan, op->operands[i]);
            if (note)
                note->is_needed = true;
        }
    }
}

/* The array that a slice reads, with the sliced dimension first. */
static struct value *stack_of_slices(struct builder *b, const struct op *slice, int dim,
                                     struct value *array)
{
    int64_t permutation[SHAPE_MAX_RANK], count = 0;
    const struct type *type =
        stack_op_type(b->module->arena, slice->results[0].type, array->type->shape.dims[dim]);
    permutation[count++] = dim;
    for (int i = 0; i < array->type->shape.rank; i++)
        if (i != dim)
            permutation[count++] = i;
    if (dim != 0)
        array = build_transpose(b, array, permutation);
    return stack_op_reshape(b, array, type);
}

/* Builds before the loop what is needed of an operation: its value, or the stack of its values. */
static struct value *build(const struct scan *scan, const struct op *op)
{
    const struct note *note = op->note;
    struct builder b = rewrite_before(scan->module, scan->loop);
    size_t count = (size_t)op->operand_count + 1;
    struct value **operands = ARENA_ARRAY(scan->module->arena, struct value *, count);
    bool *stacked = ARENA_ARRAY(scan->module->arena, bool, count);
    for (int i = 0; i < op->operand_count; i++) {
        const struct note *of = note_of(scan, op->operands[i]);
        operands[i] = of ? of->built : op->operands[i];
        stacked[i] = is_stacked(scan, op->operands[i]);
    }
    if (!note->index)
        return build_declared(&b, op->code, op->operand_count, operands, op->results[0].type,
                              &op->attrs);
    return note->dim >= 0 ? stack_of_slices(&b, op, note->dim, operands[0])
                          : stack_op_build(&b, op, operands, stacked, note->count);
}

/* Takes the product of an iteration from the stack. */
static void replace_root(const struct scan *scan, struct op *op)
{
    const struct note *note = op->note;
    struct builder b = rewrite_before(scan->module, op);
    ir_replace_uses(scan->module, &op->results[0],
                    along_dim_take_one(&b, note->built, 0, note->index));
}

static struct error *visit(struct module *module, struct op *loop, const struct target *target)
{
    (void)target;
    if (loop->code != OP_while || trip_count_of(loop) < 2)
        return NULL;
    struct scan scan = {module, loop, loop->regions[1], trip_count_of(loop)};
    find_notes(&scan);
    find_needed(&scan);
    for (struct op *op = scan.body->first; op; op = op->next)
        if (op->note && ((struct note *)op->note)->is_needed)
            ((struct note *)op->note)->built = build(&scan, op);
    for (struct op *op = scan.body->first; op; op = op->next)
        if (op->note && ((struct note *)op->note)->is_root)
            replace_root(&scan, op);
    return NULL;
}

struct error *loop_products_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
