/* fusion_sort.c: see fusion_sort.h. */
#include "compiler/passes/fusion/fusion_sort.h"

#include "base/vec.h"
#include "compiler/passes/fusion/fusion.h"
#include "compiler/passes/rewrite/fusion_make.h"

/* The limit of a slice along `dim`, if it starts at 0, has stride 1 and keeps all other dimensions;
 * otherwise 0. */
static int64_t prefix_size(const struct op *slice, int64_t dim)
{
    const struct type *type = slice->operands[0]->type;
    const struct attrs_slice *at = &slice->attrs.slice;
    for (int i = 0; i < type->shape.rank; i++)
        if (at->start_indices.at[i] != 0 || at->strides.at[i] != 1 ||
            (i != dim && at->limit_indices.at[i] != type->shape.dims[i]))
            return 0;
    return at->limit_indices.at[dim];
}

int64_t fusion_sort_top_count(const struct op *sort)
{
    const struct type *type = sort->operands[0]->type;
    int64_t dim = sort->attrs.sort.dimension, most = 0;
    dim = dim < 0 ? dim + type->shape.rank : dim;
    for (int i = 0; i < sort->result_count; i++)
        for (const struct use *use = sort->results[i].uses; use; use = use->next) {
            bool slices = use->user->code == OP_slice && use->user->block == sort->block;
            int64_t count = slices ? prefix_size(use->user, dim) : 0;
            if (!count)
                return 0;
            most = count > most ? count : most;
        }
    return most;
}

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
    bool top = fusion_sort_top_count(sort) > 0;
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
