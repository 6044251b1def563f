/* fusion_sites.c: see fusion_sites.h. */
#include "compiler/passes/fusion/fusion_sites.h"

static struct site new_site(struct arena *arena, const struct type *type, bool inner)
{
    return (struct site){type->shape.rank,
                         ARENA_ARRAY(arena, struct site_dim, type->shape.rank + 1), inner};
}

static uint64_t mix(uint64_t var, const void *what, int64_t more)
{
    uint64_t key[3] = {var, (uint64_t)(uintptr_t)what, (uint64_t)more};
    uint64_t hash = map_hash(key, sizeof key, 7);
    return hash ? hash : 1;
}

/* Loops over all dimensions of a type inside a body that runs `outer` times. */
static void nest(struct site *site, const struct type *type, double outer, const void *owner)
{
    double cum = outer;
    for (int i = 0; i < type->shape.rank; i++) {
        if (type->shape.dims[i] == 1)
            continue;
        cum *= (double)type->shape.dims[i];
        site->dims[i] = (struct site_dim){mix(0, owner, i), cum};
    }
}

/* All loops but the innermost are one, over work items. */
struct site site_root(struct arena *arena, const struct op *root)
{
    const struct type *type = root->results[0].type;
    struct site site = new_site(arena, type, false);
    int last = type->shape.rank - 1;
    nest(&site, type, 1, NULL);
    while (last > 0 && type->shape.dims[last] == 1)
        last--;
    for (int i = last - 2; i >= 0; i--)
        site.dims[i].cum = type->shape.dims[i] == 1   ? 0
                           : site.dims[i + 1].cum > 0 ? site.dims[i + 1].cum
                                                      : site.dims[i].cum;
    return site;
}

double site_evals(const struct site *site)
{
    double evals = 1;
    for (int i = 0; i < site->rank; i++)
        evals = site->dims[i].cum > evals ? site->dims[i].cum : evals;
    return evals;
}

/* Every dimension at some place that only the running program knows. */
static void scatter_dims(struct site *to, const struct type *type, double evals, const void *owner)
{
    for (int i = 0; i < type->shape.rank; i++)
        if (type->shape.dims[i] != 1)
            to->dims[i] = (struct site_dim){mix(0, owner, i), evals};
}

bool site_reshape_splits(const struct op *op)
{
    const struct type *from = op->operands[0]->type, *to = op->results[0].type;
    int j = 0;
    for (int i = 0; i < from->shape.rank; i++) {
        if (from->shape.dims[i] == 1)
            continue;
        int64_t product = 1;
        while (j < to->shape.rank && product < from->shape.dims[i])
            product *= to->shape.dims[j++];
        if (product != from->shape.dims[i])
            return false;
    }
    return true;
}

static void split_dims(const struct op *op, const struct site *site, struct site *to)
{
    const struct type *from = op->operands[0]->type, *type = op->results[0].type;
    int j = 0;
    for (int i = 0; i < from->shape.rank; i++) {
        if (from->shape.dims[i] == 1)
            continue;
        int64_t product = 1;
        struct site_dim dim = {0, 0};
        int parts = 0;
        while (j < type->shape.rank && product < from->shape.dims[i]) {
            product *= type->shape.dims[j];
            if (type->shape.dims[j] != 1) {
                dim.var =
                    parts++ ? mix(dim.var, NULL, (int64_t)site->dims[j].var) : site->dims[j].var;
                dim.cum = site->dims[j].cum > dim.cum ? site->dims[j].cum : dim.cum;
            }
            j++;
        }
        to->dims[i] = dim;
    }
}

static void reduce_dims(const struct op *op, const struct site *site, struct site *to)
{
    const struct type *type = op->operands[0]->type;
    double cum = site_evals(site);
    int kept = 0;
    for (int i = 0; i < type->shape.rank; i++) {
        if (!dims_contain(op->attrs.dimensions.dimensions, i)) {
            to->dims[i] = site->dims[kept++];
        } else if (type->shape.dims[i] != 1) {
            cum *= (double)type->shape.dims[i];
            to->dims[i] = (struct site_dim){mix(0, op, i), cum};
        }
    }
    to->inner = true;
}

/* The index array of a gather: as often as the loops over its own dimensions run. */
static void gather_dims(const struct op *op, const struct site *site, struct site *to)
{
    const struct attrs_gather *at = &op->attrs.gather;
    const struct type *indices = op->operands[1]->type, *type = op->results[0].type;
    int dim = 0;
    double cum = 1;
    for (int i = 0; i < type->shape.rank; i++) {
        if (dims_contain(at->offset_dims, i))
            continue;
        dim += dim == at->index_vector_dim;
        if (dim < indices->shape.rank)
            to->dims[dim++] = site->dims[i];
        cum = site->dims[i].cum > cum ? site->dims[i].cum : cum;
    }
    if (at->index_vector_dim < indices->shape.rank &&
        indices->shape.dims[at->index_vector_dim] != 1)
        to->dims[at->index_vector_dim] = (struct site_dim){
            mix(0, op, 1000), cum * (double)indices->shape.dims[at->index_vector_dim]};
}

static void same_dims(struct site *to, const struct site *site, const struct type *type,
                      const void *owner)
{
    for (int i = 0; i < to->rank && i < site->rank; i++)
        if (type->shape.dims[i] != 1) {
            to->dims[i] = site->dims[i];
            if (owner)
                to->dims[i].var = mix(site->dims[i].var, owner, 0);
        }
}

static void permute_dims(const struct op *op, const struct site *site, struct site *to)
{
    for (int64_t i = 0; i < op->attrs.transpose.permutation.count; i++)
        to->dims[op->attrs.transpose.permutation.at[i]] = site->dims[i];
}

static void broadcast_dims(const struct op *op, const struct site *site, struct site *to)
{
    for (int i = 0; i < to->rank; i++)
        if (op->operands[0]->type->shape.dims[i] != 1)
            to->dims[i] = site->dims[op->attrs.broadcast_in_dim.broadcast_dimensions.at[i]];
}

struct site site_of_operand(struct arena *arena, const struct op *op, int operand,
                            const struct site *site)
{
    const struct type *type = op->operands[operand]->type;
    struct site to = new_site(arena, type, site->inner);
    if (op_info(op->code)->traits & OP_ELEMENTWISE) {
        same_dims(&to, site, type, NULL);
        return to;
    }
    switch (op->code) {
    case OP_broadcast_in_dim: broadcast_dims(op, site, &to); break;
    case OP_transpose: permute_dims(op, site, &to); break;
    case OP_reshape:
        if (site_reshape_splits(op))
            split_dims(op, site, &to);
        else
            scatter_dims(&to, type, site_evals(site), op);
        break;
    case OP_slice:
    case OP_reverse:
    case OP_pad:
    case OP_concatenate:
        if (type->shape.rank)
            same_dims(&to, site, type, op->operands[operand]);
        for (int i = 0; i < type->shape.rank; i++)
            to.dims[i].var = to.dims[i].var ? mix(to.dims[i].var, op, 0) : 0;
        break;
    case OP_dynamic_slice:
        if (operand == 0)
            same_dims(&to, site, type, op);
        break;
    case OP_reduce:
        if (operand < op->operand_count / 2)
            reduce_dims(op, site, &to);
        break;
    case OP_gather:
        if (operand == 1)
            gather_dims(op, site, &to);
        else
            scatter_dims(&to, type, site_evals(site), op);
        break;
    case OP_dynamic_update_slice:
    case OP_scatter: nest(&to, type, 1, op->operands[operand]); break;
    default: scatter_dims(&to, type, site_evals(site), op);
    }
    return to;
}

bool site_equal(const struct site *a, const struct site *b)
{
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i].var != b->dims[i].var || a->dims[i].cum != b->dims[i].cum)
            return false;
    return a->rank == b->rank;
}

void sites_add(struct arena *arena, struct sites *sites, const struct site *site)
{
    if (!sites->at)
        sites->at = ARENA_ARRAY(arena, struct site, SITES_MAX);
    for (int i = 0; i < sites->count && i < SITES_MAX; i++)
        if (site_equal(&sites->at[i], site))
            return;
    if (sites->count < SITES_MAX)
        sites->at[sites->count] = *site;
    sites->count++;
}

double sites_evals(const struct sites *sites)
{
    double evals = 0;
    for (int i = 0; i < sites->count && i < SITES_MAX; i++)
        evals += site_evals(&sites->at[i]);
    return evals;
}
