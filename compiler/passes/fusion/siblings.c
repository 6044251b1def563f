/* siblings.c: see siblings.h. */
#include "compiler/passes/fusion/siblings.h"

#include "compiler/passes/fusion/fusion_op.h"
#include "compiler/passes/fusion/fusion_pair.h"

enum {
    MAX_OPERATIONS = 64, /* of both bodies together, ... */
    MAX_ADDED = 32,      /* ... or those that one adds to the other, ... */
    MAX_BODY = 400,      /* ... which has at most so many */
    MAX_OPERANDS = 16,
    MAX_RESULTS = 8,
    MAX_USES = 16,    /* uses of an array among which a sibling is looked for */
    MAX_DISTANCE = 16 /* operations between siblings: what the later one stores is live from the
                       * earlier one on */
};

static bool is_loop(const struct op *op)
{
    return op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_LOOP;
}

static bool has_shape_of_results(const struct value *value, const struct op *fusion)
{
    return type_same_shape(value->type, fusion->results[0].type);
}

/* ---- what a fusion does ---------------------------------------------------------------------- */
/* Describes the body of a fusion; false: it is of another kind than siblings are. */
static bool describe(const struct op *fusion, struct fusion_body *body)
{
    for (int i = 0; i < fusion->result_count; i++)
        if (!has_shape_of_results(&fusion->results[i], fusion) ||
            !fusion->regions[0]->last->operands[i]->def)
            return false;
    return type_elements(fusion->results[0].type) > 0 &&
           fusion_pair_describe(fusion, MAX_BODY, body);
}

/* Whether fusion `a` reads all arrays of other shapes than the results' that `b` reads: rows, or
 * slices. With the same ones, the loops of both collapse alike. */
static bool reads_others_of(const struct op *a, const struct op *b)
{
    for (int i = 0; i < b->operand_count; i++) {
        const struct value *value = b->operands[i];
        if (!has_shape_of_results(value, b) && type_elements(value->type) > 1 &&
            ir_operand_of(a, value) < 0)
            return false;
    }
    return true;
}

/* Whether an operand of a fusion is read where the result is computed alone, which may overwrite
 * it then. */
static bool is_read_in_place(const struct op *fusion, const struct value *value)
{
    for (int i = 0; i < fusion->operand_count; i++)
        for (const struct use *use = fusion->regions[0]->arguments[i].uses;
             use && fusion->operands[i] == value; use = use->next)
            if (use->user->code == OP_slice || use->user->code == OP_dynamic_slice)
                return false;
    return true;
}

/* Whether the later fusion could overwrite an array that both read, but the earlier one, which
 * reads other elements than it writes, could not. */
static bool keeps_from_overwriting(const struct op *earlier, const struct op *later)
{
    for (int i = 0; is_loop(later) && i < later->operand_count; i++) {
        const struct value *value = later->operands[i];
        if (ir_operand_of(earlier, value) >= 0 && has_shape_of_results(value, later) &&
            is_read_in_place(later, value) && !is_read_in_place(earlier, value))
            return true;
    }
    return false;
}

/* Whether all operands of `op` are there where `position` is. */
static bool is_computable_at(const struct op *op, const struct op *position)
{
    for (int i = 0; i < op->operand_count; i++) {
        const struct op *def = op->operands[i]->def;
        if (def && def->block == op->block &&
            fusion_pair_position(def) >= fusion_pair_position(position))
            return false;
    }
    return true;
}

static int operands_of_both(const struct op *a, const struct op *b)
{
    int count = a->operand_count;
    for (int i = 0; i < b->operand_count; i++)
        count += ir_operand_of(a, b->operands[i]) < 0;
    return count;
}

/* Whether the code of both is short, or the one with fewer operations adds only a few to the other,
 * as a count of values of a recurrence that both compute. */
static bool is_short(struct arena *arena, const struct op *earlier, const struct op *later,
                     const struct fusion_body *a, const struct fusion_body *b)
{
    double added;
    if (a->operations + b->operations <= MAX_OPERATIONS)
        return a->code + b->code <= FUSION_OP_CODE;
    return a->operations < b->operations
               ? fusion_pair_adds_few(arena, earlier, later, MAX_ADDED, &added) &&
                     b->code + added <= FUSION_OP_CODE
               : fusion_pair_adds_few(arena, later, earlier, MAX_ADDED, &added) &&
                     a->code + added <= FUSION_OP_CODE;
}

static bool may_join(struct arena *arena, const struct op *earlier, const struct op *later)
{
    struct fusion_body a, b;
    return earlier->result_count + later->result_count <= MAX_RESULTS &&
           operands_of_both(earlier, later) <= MAX_OPERANDS &&
           has_shape_of_results(&earlier->results[0], later) && is_computable_at(later, earlier) &&
           reads_others_of(earlier, later) && reads_others_of(later, earlier) &&
           describe(earlier, &a) && describe(later, &b) && a.positions == b.positions &&
           !keeps_from_overwriting(earlier, later) && is_short(arena, earlier, later, &a, &b);
}

/* ---- joining --------------------------------------------------------------------------------- */
/* The fusion that `later` may join, or NULL. */
static struct op *sibling_of(struct arena *arena, const struct op *later)
{
    for (int i = 0; is_loop(later) && i < later->operand_count; i++) {
        const struct value *value = later->operands[i];
        int uses = 0;
        if (type_elements(value->type) < type_elements(later->results[0].type))
            continue;
        for (const struct use *use = value->uses; use && uses < MAX_USES; use = use->next, uses++) {
            struct op *user = use->user;
            if (user->block == later->block && is_loop(user) &&
                fusion_pair_position(user) < fusion_pair_position(later) &&
                fusion_pair_position(later) - fusion_pair_position(user) <= MAX_DISTANCE &&
                may_join(arena, user, later))
                return user;
        }
    }
    return NULL;
}

struct error *siblings_run(struct module *module, const struct target *target)
{
    (void)target;
    return fusion_pair_join_all(module, FUSION_LOOP, sibling_of);
}
