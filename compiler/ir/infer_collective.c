/* infer_collective.c: type inference of collectives. The number of participants is the module's, so
 * only the lists of the operation itself are checked here. */
#include <inttypes.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"

enum {
    MAX_PARTICIPANT = 1 << 20,
    FEW_PARTICIPANTS = 4096, /* whose bits are on the stack: operations are checked repeatedly */
};

/* Each participant (a number >= 0) occurs at most once in the list of every `step`-th of `count`
 * numbers; -1 pads the smaller groups if `fillers`. */
static struct error *check_participants(struct arena *arena, const struct op *op, const char *name,
                                        const int64_t *at, int64_t count, int step, bool fillers)
{
    int64_t largest = -1;
    for (int64_t i = 0; i < count; i += step) {
        TRY(infer_check_range(arena, op, name, at[i], fillers ? -1 : 0, MAX_PARTICIPANT));
        largest = at[i] > largest ? at[i] : largest;
    }
    uint64_t few[FEW_PARTICIPANTS / 64] = {0}, *seen = few;
    if (largest >= FEW_PARTICIPANTS)
        seen = ARENA_ARRAY(arena, uint64_t, (size_t)largest / 64 + 1);
    for (int64_t i = 0; i < count; i += step) {
        uint64_t bit = at[i] < 0 ? 0 : UINT64_C(1) << at[i] % 64;
        if (at[i] >= 0 && seen[at[i] / 64] & bit)
            return infer_check_bad(arena, op, "%s lists %" PRId64 " twice; it may occur once", name,
                                   at[i]);
        if (at[i] >= 0)
            seen[at[i] / 64] |= bit;
    }
    return NULL;
}

static struct error *check_groups(struct arena *arena, const struct op *op, struct pairs groups)
{
    int64_t count;
    if (__builtin_mul_overflow(groups.rows, groups.columns, &count))
        return infer_check_bad(arena, op, "the size of replica_groups overflows");
    return check_participants(arena, op, "replica_groups", groups.at, count, 1, true);
}

/* Each participant sends and receives at most once. */
static struct error *check_pairs(struct arena *arena, const struct op *op, struct pairs pairs)
{
    if (!pairs.rows)
        return NULL;
    if (pairs.columns != 2)
        return infer_check_bad(arena, op,
                               "source_target_pairs has %" PRId64 " columns; it must have 2",
                               pairs.columns);
    TRY(check_participants(arena, op, "the source of source_target_pairs", pairs.at, 2 * pairs.rows,
                           2, false));
    return check_participants(arena, op, "the target of source_target_pairs", pairs.at + 1,
                              2 * pairs.rows, 2, false);
}

static struct error *check_region(struct arena *arena, const struct op *op)
{
    TRY(infer_check_regions(arena, op, 1));
    for (int i = 0; i < op->result_count; i++) {
        TRY(infer_check_tensor(arena, op, i));
        TRY(infer_check_reducer(arena, op, 0, 1, i));
    }
    return NULL;
}

/* The element type of result i: the operand's, or the reducer's. */
static enum dtype dtype_of(const struct op *op, int i)
{
    bool combines = op->code == OP_all_reduce || op->code == OP_reduce_scatter ||
                    op->code == OP_collective_reduce;
    return combines ? op->regions[0]->arguments[0].type->shape.dtype
                    : infer_check_type(op, i)->shape.dtype;
}

static bool has_dynamic_root(const struct op *op)
{
    return (op->code == OP_collective_broadcast && op->attrs.collective.has_dynamic_root) ||
           (op->code == OP_collective_reduce && op->attrs.collective_reduce.has_dynamic_root);
}

/* The last operand has the position of the root in each group, for each other operand. */
static struct error *check_roots(struct arena *arena, const struct op *op)
{
    const struct type *roots = infer_check_type(op, op->operand_count - 1);
    if (roots->shape.dtype == DTYPE_S32 && roots->shape.rank == 1 &&
        roots->shape.dims[0] == op->result_count)
        return NULL;
    return infer_check_bad(arena, op, "its last operand is %s; roots must be tensor<%dxi32>",
                           type_text(arena, roots), op->result_count);
}

static struct error *check_counts(struct arena *arena, const struct op *op)
{
    int roots = has_dynamic_root(op);
    if (op->operand_count != op->result_count + roots)
        return infer_check_bad(arena, op,
                               "has %d operands and %d results; it must have as many operands as "
                               "results%s",
                               op->operand_count, op->result_count,
                               roots ? ", and one of roots" : "");
    for (int i = 0; i < op->operand_count; i++)
        TRY(infer_check_tensor(arena, op, i));
    return roots ? check_roots(arena, op) : NULL;
}

/* Result i has the sizes of operand i. */
static struct error *check_like_operands(struct arena *arena, struct op *op)
{
    for (int i = 0; i < op->result_count; i++)
        TRY(infer_check_result_dims(arena, op, i, dtype_of(op, i),
                                    infer_check_type(op, i)->shape.rank,
                                    infer_check_type(op, i)->shape.dims));
    return NULL;
}

/* Result i has the sizes of operand i except in dimensions `one` and `other`. */
static struct error *check_except(struct arena *arena, struct op *op, int64_t one, int64_t other)
{
    for (int i = 0; i < op->operand_count; i++) {
        TRY(infer_check_declared(arena, op, i));
        const struct type *in = infer_check_type(op, i), *out = op->results[i].type;
        TRY(infer_check_range(arena, op, "dimension", one, 0, in->shape.rank - 1));
        TRY(infer_check_range(arena, op, "dimension", other, 0, in->shape.rank - 1));
        bool fits = dtype_of(op, i) == out->shape.dtype && in->shape.rank == out->shape.rank;
        for (int k = 0; fits && k < in->shape.rank; k++)
            fits = k == one || k == other || in->shape.dims[k] == out->shape.dims[k];
        if (!fits)
            return infer_check_bad(arena, op,
                                   "result %d is declared as %s, which does not match operand %s",
                                   i, type_text(arena, out), type_text(arena, in));
    }
    return NULL;
}

static struct error *check_all_to_all(struct arena *arena, struct op *op)
{
    const struct attrs_all_to_all *at = &op->attrs.all_to_all;
    TRY(infer_check_range(arena, op, "split_count", at->split_count, 1, MAX_PARTICIPANT));
    TRY(check_groups(arena, op, at->replica_groups));
    TRY(check_except(arena, op, at->split_dimension, at->concat_dimension));
    for (int i = 0; i < op->operand_count; i++)
        if (infer_check_type(op, i)->shape.dims[at->split_dimension] % at->split_count)
            return infer_check_bad(
                arena, op,
                "dimension %" PRId64 " of %s cannot be split into %" PRId64 " equal parts",
                at->split_dimension, type_text(arena, infer_check_type(op, i)), at->split_count);
    return NULL;
}

struct error *infer_collective(struct arena *arena, struct op *op)
{
    TRY(check_counts(arena, op));
    switch (op->code) {
    case OP_all_gather:
        TRY(check_groups(arena, op, op->attrs.all_gather.replica_groups));
        return check_except(arena, op, op->attrs.all_gather.all_gather_dim,
                            op->attrs.all_gather.all_gather_dim);
    case OP_all_to_all: return check_all_to_all(arena, op);
    case OP_reduce_scatter:
        TRY(check_groups(arena, op, op->attrs.reduce_scatter.replica_groups));
        TRY(check_region(arena, op));
        return check_except(arena, op, op->attrs.reduce_scatter.scatter_dimension,
                            op->attrs.reduce_scatter.scatter_dimension);
    case OP_all_reduce:
        TRY(check_groups(arena, op, op->attrs.all_reduce.replica_groups));
        TRY(check_region(arena, op));
        break;
    case OP_collective_reduce:
        TRY(check_groups(arena, op, op->attrs.collective_reduce.replica_groups));
        TRY(check_region(arena, op));
        break;
    case OP_collective_permute:
        TRY(check_pairs(arena, op, op->attrs.collective_permute.source_target_pairs));
        break;
    default: TRY(check_groups(arena, op, op->attrs.collective.replica_groups));
    }
    return check_like_operands(arena, op);
}

/* The results of a recv have any type. */
struct error *infer_message(struct arena *arena, struct op *op)
{
    if (!op->attrs.channel.is_host_transfer)
        TRY(check_pairs(arena, op, op->attrs.channel.source_target_pairs));
    return op->code == OP_send ? infer_token(arena, op) : NULL;
}
