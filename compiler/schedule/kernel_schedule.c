/* kernel_schedule.c: see kernel_schedule.h. */
#include "compiler/schedule/kernel_schedule.h"

#include "compiler/analysis/update_window.h"
#include "compiler/schedule/concat_operands.h"

struct maker {
    struct arena *arena;
    const struct op *fusion;
    struct kernel_schedule out;
};

static struct nest piece_nest(struct arena *arena, const struct concat_operand *piece, int result,
                              const struct type *into)
{
    const struct value **root = ARENA_NEW(arena, const struct value *);
    const struct type **target = ARENA_NEW(arena, const struct type *);
    int *results = ARENA_NEW(arena, int);
    *root = piece->value, *target = into, *results = result;
    return (struct nest){.shape = piece->value->type,
                         .count = 1,
                         .roots = root,
                         .into = target,
                         .origin = piece->origin,
                         .results = results};
}

/* Adds a nest for each operand of a result that is a concatenation. False: one nest for the whole
 * result is better. */
static bool add_pieces(struct maker *m, int result, const struct value *root)
{
    struct concat_operand *pieces =
        ARENA_ARRAY(m->arena, struct concat_operand, CONCATENATION_NESTS);
    int count = concat_operands_of(m->arena, root, pieces);
    for (int i = 0; i < count; i++)
        VEC_PUSH(m->arena, &m->out.nests, piece_nest(m->arena, &pieces[i], result, root->type));
    return count > 0;
}

/* Adds a nest for result `first` and all later ones of its shape that are not in `taken`. */
static void add_group(struct maker *m, int first, bool *taken)
{
    const struct op *end = m->fusion->regions[0]->last;
    size_t most = (size_t)end->operand_count;
    const struct value **roots = ARENA_ARRAY(m->arena, const struct value *, most);
    int *results = ARENA_ARRAY(m->arena, int, most);
    struct nest nest = {.shape = end->operands[first]->type,
                        .roots = roots,
                        .results = results,
                        .by_rows = m->fusion->attrs.fusion.fusion_kind == FUSION_ROWS};
    for (int i = first; i < end->operand_count; i++) {
        if (taken[i] || !type_same_shape(nest.shape, end->operands[i]->type))
            continue;
        taken[i] = true;
        roots[nest.count] = end->operands[i];
        results[nest.count++] = i;
    }
    VEC_PUSH(m->arena, &m->out.nests, nest);
}

struct kernel_schedule kernel_schedule(struct arena *arena, const struct target *target,
                                       const struct op *fusion)
{
    const struct op *end = fusion->regions[0]->last;
    struct maker m = {.arena = arena, .fusion = fusion};
    bool *taken = ARENA_ARRAY(arena, bool, (size_t)end->operand_count + 1);
    if (fusion->attrs.fusion.fusion_kind == FUSION_LOOP)
        for (int i = 0; i < end->operand_count; i++)
            taken[i] = add_pieces(&m, i, end->operands[i]);
    for (int i = 0; i < end->operand_count; i++)
        if (!taken[i])
            add_group(&m, i, taken);
    for (size_t i = 0; i < m.out.nests.count; i++)
        nest_schedule_choose(target, &m.out.nests.items[i]);
    return m.out;
}

struct nest kernel_schedule_windows(struct arena *arena, const struct target *target,
                                    const struct op *fusion, int first, bool *stored)
{
    size_t most = (size_t)fusion->result_count;
    const struct value **roots = ARENA_ARRAY(arena, const struct value *, most);
    const struct type **into = ARENA_ARRAY(arena, const struct type *, most);
    int *results = ARENA_ARRAY(arena, int, most);
    struct nest nest = {.shape = update_window_root(fusion, first)->type,
                        .roots = roots,
                        .into = into,
                        .results = results};
    for (int i = first; i < fusion->result_count; i++) {
        const struct value *root = update_window_root(fusion, i);
        const struct op *update = update_window_op(fusion, i);
        if (stored[i] || !root || !type_same_shape(root->type, nest.shape))
            continue;
        stored[i] = true;
        roots[nest.count] = root;
        into[nest.count] = update ? update->results[0].type : NULL;
        results[nest.count++] = i;
    }
    if (type_elements(nest.shape))
        nest_schedule_choose(target, &nest);
    return nest;
}
