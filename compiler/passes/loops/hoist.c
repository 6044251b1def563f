/* hoist.c: for each region of a loop, one walk forwards finds the invariant operations and which of
 * them are worth hoisting, one backwards what these need, and one forwards clones both. Inner loops
 * first: what leaves them may leave the outer loop, too. */
#include "compiler/passes/loops/hoist.h"

#include <math.h>

#include "compiler/schedule/cost.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/program/program.h"

enum {
    KERNEL_COST = 2000,    /* of a kernel of its own */
    REUSES = 8,            /* of an element by a product that a library computes */
    CACHED_BYTES = 4 << 20 /* reading a result of this size costs less than computing it anew */
};

struct invariant { /* the note of an invariant operation; others have none */
    double source; /* bytes of the largest value from outside that it is computed from */
    double cost;   /* of an iteration, of the operation and what it needs of the block but roots */
    bool is_root;  /* worth hoisting */
    bool is_derived; /* computed from a root */
    bool is_needed;  /* by a root, or a root itself */
};

/* Whether all that the operation uses, also in its regions, is invariant in the loop whose region
 * `block` is. *source becomes the bytes of the largest such value. */
static bool uses_invariants(const struct op *op, const struct block *block, double *source)
{
    for (int i = 0; i < op->operand_count; i++) {
        const struct value *value = op->operands[i];
        const struct invariant *inner = NULL;
        if (ir_block_of(value) == block) {
            inner = value->def ? value->def->note : NULL;
            if (!inner)
                return false;
        }
        double bytes = inner && !inner->is_root ? inner->source : op_work_bytes(value);
        *source = fmax(*source, bytes);
    }
    for (int r = 0; r < op->region_count; r++)
        for (const struct op *in = op->regions[r]->first; in; in = in->next)
            if (!uses_invariants(in, block, source))
                return false;
    return true;
}

static bool is_on_device(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.memory != MEMORY_DEVICE)
            return false;
    for (int i = 0; i < op->result_count; i++)
        if (op->results[i].type->shape.memory != MEMORY_DEVICE)
            return false;
    return true;
}

/* Whether the operation may be executed before the loop at all. */
static bool is_movable(const struct op *op, bool iterates)
{
    if (!is_on_device(op))
        return false;
    if (op->code == OP_custom_call)
        return iterates && ir_is_pure(op);
    switch (op->code) {
    case OP_bitcast_convert:
    case OP_cholesky:
    case OP_constant:
    case OP_convolution:
    case OP_dot_general:
    case OP_fft:
    case OP_lu:
    case OP_rng_bit_generator:
    case OP_triangular_solve: return true;
    default:
        return (op_info(op->code)->traits & (OP_ELEMENTWISE | OP_INDEXED | OP_REDUCER)) &&
               ir_is_pure(op);
    }
}

/* Whether a product or convolution in the loop reads the result, and each element often: a library
 * would find it in memory, so it is no part of a kernel of the loop. Libraries read transposes of
 * what is in memory. */
static bool is_read_by_library(const struct op *op)
{
    if (op->code == OP_transpose || op->code == OP_reshape || op->result_count != 1)
        return false;
    for (const struct use *use = op->results[0].uses; use; use = use->next)
        if ((use->user->code == OP_dot_general || use->user->code == OP_convolution) &&
            op_work_multiply_adds(use->user) >= REUSES * op_work_elements(&op->results[0]))
            return true;
    return false;
}

static bool is_worth_it(const struct op *op, double trip_count, double source)
{
    unsigned traits = op_info(op->code)->traits;
    bool moves = op->code == OP_constant || op->code == OP_bitcast_convert;
    if (op->code == OP_custom_call)
        return true;
    if (moves || cost_of_op(op) * trip_count < KERNEL_COST)
        return false;
    if (traits & (OP_ELEMENTWISE | OP_INDEXED) && is_read_by_library(op))
        return op_work_bytes(&op->results[0]) <= fmax(source, CACHED_BYTES);
    if (traits & OP_INDEXED)
        return false;
    if (!(traits & OP_ELEMENTWISE))
        return true;
    return (traits & OP_TRANSCENDENTAL) &&
           op_work_bytes(&op->results[0]) <= fmax(source, CACHED_BYTES);
}

/* Adds what the operands' notes say to the note of an operation. */
static void add_operands(struct invariant *note, const struct op *op, const struct block *block)
{
    note->cost = cost_of_op(op);
    for (int i = 0; i < op->operand_count; i++) {
        if (ir_block_of(op->operands[i]) != block)
            continue;
        const struct invariant *of = op->operands[i]->def->note;
        note->is_derived |= of->is_root || of->is_derived;
        note->cost += of->is_root ? 0 : of->cost;
    }
    note->cost = fmin(note->cost, KERNEL_COST); /* what is shared counts again and again */
}

/* `trip_count` is negative where it is unknown. */
static void find_invariants(struct module *module, struct block *block, int64_t trip_count)
{
    double times = (double)(trip_count < 0 ? PROGRAM_UNKNOWN_TRIP_COUNT : trip_count);
    for (struct op *op = block->first; op; op = op->next) {
        double source = 0;
        op->note = NULL;
        if (!is_movable(op, trip_count > 0) || !uses_invariants(op, block, &source))
            continue;
        struct invariant *note = ARENA_NEW(module->arena, struct invariant);
        note->source = source;
        note->is_root = note->is_needed = is_worth_it(op, times, source);
        add_operands(note, op, block);
        op->note = note;
    }
}

static bool is_used_by_others(const struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        for (const struct use *use = op->results[i].uses; use; use = use->next)
            if (use->user->block != op->block || !use->user->note)
                return true;
    return false;
}

/* What is computed from a root, as the permutation of a factorization, becomes a root where other
 * operations use it, unless it takes more memory than what it is computed from. */
static void find_derived(struct block *block, int64_t trip_count)
{
    double times = (double)(trip_count < 0 ? PROGRAM_UNKNOWN_TRIP_COUNT : trip_count);
    for (struct op *op = block->first; op; op = op->next) {
        struct invariant *note = op->note;
        if (note && note->is_derived && note->cost * times >= KERNEL_COST &&
            op_work_bytes(&op->results[0]) <= note->source && is_used_by_others(op))
            note->is_root = note->is_needed = true;
    }
}

/* What the operation uses, also in its regions, is needed. */
static void need_operands(const struct op *op, const struct block *block)
{
    for (int i = 0; i < op->operand_count; i++)
        if (ir_block_of(op->operands[i]) == block)
            ((struct invariant *)op->operands[i]->def->note)->is_needed = true;
    for (int r = 0; r < op->region_count; r++)
        for (const struct op *in = op->regions[r]->first; in; in = in->next)
            need_operands(in, block);
}

/* Roots leave the block; other operations that they need may have other uses in it. */
static void hoist_from(struct module *module, struct op *loop, struct block *block)
{
    find_invariants(module, block, trip_count_of(loop));
    find_derived(block, trip_count_of(loop));
    for (struct op *op = block->last; op; op = op->previous)
        if (op->note && ((struct invariant *)op->note)->is_needed)
            need_operands(op, block);
    struct map *values = map_create(module->arena);
    struct op *next;
    for (struct op *op = block->first; op; op = next) {
        const struct invariant *note = op->note;
        next = op->next;
        if (!note || !note->is_needed)
            continue;
        struct op *clone = ir_clone(module, op, values);
        ir_insert_before(loop, clone);
        if (!note->is_root)
            continue;
        for (int i = 0; i < op->result_count; i++)
            ir_replace_uses(module, &op->results[i], &clone->results[i]);
        ir_remove(op);
    }
}

static struct error *visit(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    for (int r = 0; r < op->region_count && op->code == OP_while; r++)
        hoist_from(module, op, op->regions[r]);
    return NULL;
}

struct error *hoist_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
