/* fusion_sort.c: see fusion_sort.h. */
#include "compiler/passes/fusion/fusion_sort.h"

#include "base/vec.h"
#include "compiler/analysis/top_count.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/rewrite/fusion_make.h"

typedef VEC(struct op *) op_list;
typedef VEC(struct value *) value_list;

static void add_iotas(struct module *module, const struct op *sort, op_list *members)
{
    for (int i = 0; i < sort->operand_count; i++) {
        struct op *def = sort->operands[i]->def;
        if (def && def->code == OP_iota &&
            (!members->count || members->items[members->count - 1] != def))
            VEC_PUSH(module->arena, members, def);
    }
}

static void add_slices(struct module *module, const struct op *sort, op_list *members,
                       value_list *results)
{
    for (int i = 0; i < sort->result_count; i++)
        for (const struct use *use = sort->results[i].uses; use; use = use->next) {
            VEC_PUSH(module->arena, members, use->user);
            VEC_PUSH(module->arena, results, &use->user->results[0]);
        }
}

struct op *fusion_sort_make(struct module *module, struct op *sort)
{
    op_list members = {0};
    value_list results = {0};
    bool top = top_count(sort) > 0;
    add_iotas(module, sort, &members);
    if (!top && !members.count)
        return NULL;
    VEC_PUSH(module->arena, &members, sort);
    size_t first = members.count;
    if (top)
        add_slices(module, sort, &members, &results);
    for (int i = 0; i < sort->result_count && !top; i++)
        VEC_PUSH(module->arena, &results, &sort->results[i]);
    struct op *fusion = fusion_make(module, FUSION_STANDALONE, sort, (int)members.count,
                                    members.items, (int)results.count, results.items);
    for (size_t i = 0; i < results.count; i++)
        ir_replace_uses(module, results.items[i], &fusion->results[i]);
    for (size_t i = first; i < members.count; i++)
        ir_remove(members.items[i]);
    ir_remove(sort);
    return fusion;
}
