/* canonicalize_gather.c: see canonicalize_gather.h. */
#include "compiler/passes/canonicalize/canonicalize_gather.h"

#include "compiler/passes/rewrite/rewrite.h"

enum { LEAST_SHARE = 8 }; /* elements of the array for each that is gathered */

static bool is_ascending(const int64_t *at, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (at[i] < at[i - 1])
            return false;
    return true;
}

/* The dimensions of the transpose's operand that those of its result in a list are. */
static struct dims before_transpose(struct module *module, struct dims list,
                                    struct dims permutation)
{
    int64_t at[SHAPE_MAX_RANK];
    for (int64_t i = 0; i < list.count; i++)
        at[i] = permutation.at[list.at[i]];
    return rewrite_dims(module, at, list.count);
}

/* The numbers of a list that are less than `limit`, in their order. */
static struct dims sorted(struct module *module, struct dims list, int64_t limit)
{
    int64_t at[SHAPE_MAX_RANK], count = 0;
    for (int64_t dim = 0; dim < limit; dim++)
        if (dims_contain(list, dim))
            at[count++] = dim;
    return rewrite_dims(module, at, count);
}

/* Whether slices have the same dimensions in the same order in the transpose's operand. */
static bool keeps_order(const struct attrs_gather *g, struct dims permutation)
{
    int64_t kept[SHAPE_MAX_RANK], batches[SHAPE_MAX_RANK], count = 0;
    for (int64_t i = 0; i < permutation.count; i++)
        if (!dims_contain(g->collapsed_slice_dims, i) && !dims_contain(g->operand_batching_dims, i))
            kept[count++] = permutation.at[i];
    for (int64_t i = 0; i < g->operand_batching_dims.count; i++)
        batches[i] = permutation.at[g->operand_batching_dims.at[i]];
    return is_ascending(kept, count) && is_ascending(batches, g->operand_batching_dims.count);
}

struct value *canonicalize_gather_untransposed(struct module *module, const struct op *op)
{
    const struct op *transpose = op->operands[0]->def;
    const struct attrs_gather *g = &op->attrs.gather;
    if (module->num_partitions > 1 || module->awaits_model || op->block->owner || !transpose ||
        transpose->code != OP_transpose || !ir_has_one_use(op->operands[0]) ||
        type_elements(op->results[0].type) * LEAST_SHARE > type_elements(op->operands[0]->type))
        return NULL;
    struct dims permutation = transpose->attrs.transpose.permutation;
    if (!keeps_order(g, permutation))
        return NULL;
    struct builder b = rewrite_before(module, op);
    union attrs attrs = op->attrs;
    struct value *operands[] = {transpose->operands[0], op->operands[1]};
    int64_t sizes[SHAPE_MAX_RANK];
    for (int64_t i = 0; i < permutation.count; i++)
        sizes[permutation.at[i]] = g->slice_sizes.at[i];
    attrs.gather.slice_sizes = rewrite_dims(module, sizes, permutation.count);
    attrs.gather.start_index_map = before_transpose(module, g->start_index_map, permutation);
    attrs.gather.operand_batching_dims =
        before_transpose(module, g->operand_batching_dims, permutation);
    attrs.gather.collapsed_slice_dims = sorted(
        module, before_transpose(module, g->collapsed_slice_dims, permutation), permutation.count);
    return build_declared(&b, OP_gather, 2, operands, op->results[0].type, &attrs);
}
