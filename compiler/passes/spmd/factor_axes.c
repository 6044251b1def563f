#include "compiler/passes/spmd/factor_axes.h"

#include <string.h>

#include "compiler/passes/spmd/operand_ranges.h"
#include "compiler/passes/spmd/reshard_plan.h"

enum { MAX_ORDERS = 4 };

struct chooser {
    struct arena *arena;
    const struct device_grid *grid;
    const struct factor_request *request;
    struct factor_axes axes;
    uint32_t used;
    bool has_ranges;                               /* elements can be moved (operand_ranges.h) */
    bool moves;                                    /* permuted factors may have axes */
    const struct axis_list *tried[2 * MAX_ORDERS]; /* of the factors: the costs are known */
    int tried_count;
};

/* ---- claiming axes --------------------------------------------------------------------------- */
static bool may_shard(const struct chooser *c, const struct factor *factor,
                      const struct axis_list *list, int axis)
{
    if (factor->kind == FACTOR_PERMUTED)
        return c->moves &&
               axis_list_size(c->grid, list) * c->grid->sizes[axis] <= HALO_MAX_PARTICIPANTS;
    return factor->kind != FACTOR_REPLICATED;
}

/* Makes `axis` the axis number `position` of the factor; false when it cannot be. */
static bool claim(struct chooser *c, int number, int position, int axis)
{
    struct axis_list *list = &c->axes.factors[number];
    if (position < list->count)
        return list->at[position] == axis;
    if (c->used >> axis & 1 || !may_shard(c, &c->request->rule->factors[number], list, axis))
        return false;
    list->at[list->count++] = (uint8_t)axis;
    c->used |= UINT32_C(1) << axis;
    return true;
}

/* Claims the axes of a dimension for its factors, from the major one on. */
static void claim_dim(struct chooser *c, const struct factor_dim *dim, const struct axis_list *list)
{
    const struct factor *factors = c->request->rule->factors;
    int64_t left = dim->count ? factors[dim->at[0]].size : 0;
    for (int i = 0, f = 0, position = 0; i < list->count && f < dim->count; i++) {
        int64_t size = c->grid->sizes[list->at[i]];
        if ((left % size && dim->count > 1) || !claim(c, dim->at[f], position, list->at[i]))
            return;
        position++;
        left = left % size ? 0 : left / size;
        if (left == 1 && f + 1 < dim->count)
            left = factors[dim->at[++f]].size, position = 0;
    }
}

static void claim_value(struct chooser *c, const struct factor_dims *dims,
                        const struct tiling *tiling)
{
    for (int i = 0; i < dims->rank && i < tiling->rank; i++)
        claim_dim(c, &dims->dims[i], &tiling->dims[i]);
}

/* ---- what a tiling can express --------------------------------------------------------------- */
static bool is_whole(const struct chooser *c, int number)
{
    return axis_list_size(c->grid, &c->axes.factors[number]) ==
           c->request->rule->factors[number].size;
}

static bool divides(const struct chooser *c, int number)
{
    return c->request->rule->factors[number].size %
               axis_list_size(c->grid, &c->axes.factors[number]) ==
           0;
}

/* A factor of a dimension may be sharded only exactly and if those before it are wholly so. Returns
 * whether something changed. */
static bool restrict_dim(struct chooser *c, const struct factor_dim *dim)
{
    bool changed = false, is_free = true;
    for (int f = 0; f < dim->count && dim->count > 1; f++) {
        struct axis_list *list = &c->axes.factors[dim->at[f]];
        if (list->count && (!is_free || !divides(c, dim->at[f])))
            list->count = 0, changed = true;
        is_free = is_free && is_whole(c, dim->at[f]);
    }
    return changed;
}

static bool restrict_values(struct chooser *c, int count, const struct factor_dims *values)
{
    bool changed = false;
    for (int i = 0; i < count; i++)
        for (int dim = 0; dim < values[i].rank; dim++)
            changed |= restrict_dim(c, &values[i].dims[dim]);
    return changed;
}

static void restrict_all(struct chooser *c)
{
    const struct sharding_rule *rule = c->request->rule;
    while (restrict_values(c, c->request->op->operand_count, rule->operands) ||
           restrict_values(c, c->request->op->result_count, rule->results))
        continue; /* each round clears a factor */
    operand_ranges_restrict(c->request, c->moves, &c->axes);
}

/* ---- orders ---------------------------------------------------------------------------------- */
static void claim_results(struct chooser *c)
{
    for (int i = 0; i < c->request->op->result_count; i++)
        claim_value(c, &c->request->rule->results[i], c->request->results[i]);
}

static void claim_given(struct chooser *c)
{
    const struct factor_request *request = c->request;
    if (!request->given)
        return;
    const struct factor_dim *dim = &request->rule->operands[0].dims[request->given_dim];
    c->used = axis_list_set(request->given);
    if (dim->count)
        c->axes.factors[dim->at[0]] = *request->given;
}

/* Order 0: the results, then the operands; order k: operand k - 1 and the others, then the
 * results. */
static void claim_in_order(struct chooser *c, int order)
{
    const struct factor_request *request = c->request;
    c->axes = (struct factor_axes){request->rule, ARENA_ARRAY(c->arena, struct axis_list,
                                                              (size_t)request->rule->factor_count)};
    c->used = 0;
    claim_given(c);
    if (order)
        claim_value(c, &request->rule->operands[order - 1], request->operands[order - 1]);
    else
        claim_results(c);
    for (int i = 0; i < request->op->operand_count; i++)
        claim_value(c, &request->rule->operands[i], request->operands[i]);
    claim_results(c);
    restrict_all(c);
}

/* ---- as an accelerator's partitioner --------------------------------------------------------- */
/* The axes of the only dimension of a value that consists of the factor alone; none. */
static struct axis_list axes_of(const struct factor_dims *dims, const struct tiling *tiling, int f)
{
    for (int i = 0; i < dims->rank && i < tiling->rank; i++)
        if (dims->dims[i].count == 1 && dims->dims[i].at[0] == f)
            return tiling->dims[i];
    return (struct axis_list){0};
}

/* Claims for each factor the axes that both values have for it. */
static void claim_agreed(struct chooser *c, const struct factor_dims *a, const struct tiling *at,
                         const struct factor_dims *b, const struct tiling *bt)
{
    for (int f = 0; f < c->request->rule->factor_count; f++) {
        struct axis_list x = axes_of(a, at, f), y = axes_of(b, bt, f);
        int common = axis_list_common(&x, &y);
        for (int i = 0; i < common && claim(c, f, i, x.at[i]); i++)
            continue;
    }
}

/* The axes that neither the product's values nor its factors have. */
static uint32_t free_axes(const struct chooser *c)
{
    const struct factor_request *r = c->request;
    uint32_t used = c->used | tiling_axes(r->results[0]);
    for (int i = 0; i < 2; i++)
        used |= tiling_axes(r->operands[i]);
    return ~used & ((UINT32_C(1) << c->grid->axis_count) - 1);
}

static int free_axis(const struct chooser *c, int64_t size)
{
    uint32_t unused = free_axes(c);
    for (int axis = 0; axis < c->grid->axis_count; axis++)
        if (unused >> axis & 1 && c->grid->sizes[axis] == size)
            return axis;
    return -1;
}

/* A dimension of the result that is wanted along a summed axis is computed along a free axis of the
 * same size instead; a permute of the sum brings it to the other axis. */
static void claim_in_place_of_summed(struct chooser *c)
{
    const struct factor_dims *dims = &c->request->rule->results[0];
    const struct tiling *wanted = c->request->results[0];
    struct axis_list summed = factor_axes_reduced(&c->axes);
    for (int i = 0; i < dims->rank && i < wanted->rank; i++) {
        const struct axis_list *list = &wanted->dims[i];
        if (list->count != 1 || dims->dims[i].count != 1 ||
            !(axis_list_set(&summed) >> list->at[0] & 1))
            continue;
        int axis = free_axis(c, c->grid->sizes[list->at[0]]);
        if (axis >= 0)
            claim(c, dims->dims[i].at[0], 0, axis);
    }
}

/* The size of a value's axes that no factor has, along dimensions of the factors in `set`. */
static int64_t rest_of(const struct chooser *c, const struct factor_dims *dims,
                       const struct tiling *tiling, uint64_t set)
{
    int64_t size = 1;
    for (int i = 0; i < dims->rank && i < tiling->rank; i++)
        for (int k = 0; dims->dims[i].count && k < tiling->dims[i].count; k++)
            if (set >> dims->dims[i].at[0] & 1 && !(c->used >> tiling->dims[i].at[k] & 1))
                size *= c->grid->sizes[tiling->dims[i].at[k]];
    return size;
}

static uint64_t factors_of(const struct factor_dims *dims)
{
    uint64_t set = 0;
    for (int i = 0; i < dims->rank; i++)
        for (int f = 0; f < dims->dims[i].count; f++)
            set |= UINT64_C(1) << dims->dims[i].at[f];
    return set;
}

/* The elements of a value of this type that devices have which share the factors' axes. */
static int64_t shared_elements(const struct chooser *c, const struct factor_dims *dims,
                               const struct type *type)
{
    int64_t elements = shape_elements(&type->shape);
    for (int i = 0; i < dims->rank; i++)
        for (int f = 0; f < dims->dims[i].count; f++)
            elements /= axis_list_size(c->grid, &c->axes.factors[dims->dims[i].at[f]]);
    return elements;
}

static int64_t all_rest(const struct chooser *c)
{
    int64_t size = 1;
    for (int axis = 0; axis < c->grid->axis_count; axis++)
        if (!(c->used >> axis & 1))
            size *= c->grid->sizes[axis];
    return size;
}

/* Whether the result is wanted along all axes that are left, in dimensions of one kind, or nothing
 * has to be moved for it. */
static bool is_wanted(const struct chooser *c)
{
    const struct factor_request *r = c->request;
    const struct factor_dims *dims = r->rule->operands;
    uint64_t left = factors_of(&dims[0]), right = factors_of(&dims[1]);
    uint64_t kinds[] = {left & right, left & ~right, right & ~left};
    for (int i = 0; i < 3; i++)
        if (rest_of(c, &r->rule->results[0], r->results[0], kinds[i]) == all_rest(c))
            return true;
    return rest_of(c, &dims[0], r->operands[0], left) == 1 &&
           rest_of(c, &dims[1], r->operands[1], right) == 1;
}

/* Whether operand `i` alone is divided, along summed dimensions and all axes that are left, and has
 * more elements than the result, so that gathering it costs more than summing the result. */
static bool is_summed_alone(const struct chooser *c, int i)
{
    const struct factor_request *r = c->request;
    const struct sharding_rule *rule = r->rule;
    const struct factor_dims *dims = rule->operands, *result = &rule->results[0];
    uint64_t summed = factors_of(&dims[0]) & ~factors_of(result);
    return rest_of(c, &dims[i], r->operands[i], summed) == all_rest(c) &&
           rest_of(c, &dims[!i], r->operands[!i], factors_of(&dims[!i])) == 1 &&
           rest_of(c, result, r->results[0], factors_of(result)) == 1 &&
           shared_elements(c, &dims[i], r->operand_types[i]) >
               shared_elements(c, result, r->result_types[0]);
}

/* Where nothing more agrees: as the result is wanted, or as one operand is summed; else whole. */
static void claim_rest(struct chooser *c)
{
    const struct factor_request *r = c->request;
    if (is_wanted(c))
        claim_results(c);
    for (int i = 0; i < 2; i++)
        if (all_rest(c) > 1 && is_summed_alone(c, i))
            claim_value(c, &r->rule->operands[i], r->operands[i]);
}

/* The elements of the values that have the axis as the next one of the factor. */
static int64_t elements_along(const struct chooser *c, int f, int axis)
{
    const struct factor_request *r = c->request;
    const struct factor_dims *dims[] = {&r->rule->operands[0], &r->rule->operands[1],
                                        &r->rule->results[0]};
    const struct tiling *at[] = {r->operands[0], r->operands[1], r->results[0]};
    const struct type *types[] = {r->operand_types[0], r->operand_types[1], r->result_types[0]};
    const struct axis_list *claimed = &c->axes.factors[f];
    int64_t elements = 0;
    for (int i = 0; i < 3; i++) {
        struct axis_list list = axes_of(dims[i], at[i], f);
        if (list.count > claimed->count && list.at[claimed->count] == axis &&
            axis_list_common(&list, claimed) == claimed->count)
            elements += shape_elements(&types[i]->shape);
    }
    return elements;
}

/* Claims the axis, of those that are left, along which the most elements are. */
static bool claim_largest(struct chooser *c)
{
    int64_t most = 0;
    int factor = 0, chosen = 0;
    for (int f = 0; f < c->request->rule->factor_count; f++)
        for (int axis = 0; axis < c->grid->axis_count; axis++) {
            int64_t elements = c->used >> axis & 1 ? 0 : elements_along(c, f, axis);
            if (elements > most)
                most = elements, factor = f, chosen = axis;
        }
    return most && claim(c, factor, c->axes.factors[factor].count, chosen);
}

/* What the operands agree on, be it summed, then what one and the result agree on. */
static void claim_product(struct chooser *c)
{
    const struct factor_request *r = c->request;
    const struct sharding_rule *rule = r->rule;
    c->axes = (struct factor_axes){
        rule, ARENA_ARRAY(c->arena, struct axis_list, (size_t)rule->factor_count)};
    c->used = 0;
    while (r->agrees_first && claim_largest(c))
        continue;
    claim_agreed(c, &rule->operands[0], r->operands[0], &rule->operands[1], r->operands[1]);
    for (int i = 0; i < 2; i++)
        claim_agreed(c, &rule->operands[i], r->operands[i], &rule->results[0], r->results[0]);
    if (!r->agrees_first) {
        claim_in_place_of_summed(c);
        claim_rest(c);
    }
    restrict_all(c);
}

/* ---- costs ----------------------------------------------------------------------------------- */
static bool exists(const struct factor_request *request, int i, const struct tiling *tiling)
{
    for (int k = 0; request->copies && k < request->copies[i].count; k++)
        if (tiling_equal(request->copies[i].at[k], tiling))
            return true;
    return false;
}

static double operand_cost(const struct chooser *c, const struct operand_ranges *ranges, int i)
{
    const struct factor_request *request = c->request;
    const struct type *type = request->operand_types[i];
    struct reshard_plan plan;
    struct tiling *to = factor_axes_tiling(c->arena, &c->axes, &request->rule->operands[i]);
    if (to->rank != request->operands[i]->rank)
        return 0;
    to = operand_ranges_source(c->arena, ranges, i, request->operands[i], to);
    reshard_plan(c->arena, c->grid, request->is_modeled, type, request->operands[i], to, &plan);
    if (exists(request, i, to))
        plan.bytes = 0;
    return plan.bytes + operand_ranges_bytes(c->arena, c->grid, ranges, i, type, to);
}

static double result_cost(const struct chooser *c, int i)
{
    const struct factor_request *request = c->request;
    struct reshard_plan plan;
    struct axis_list reduced = factor_axes_reduced(&c->axes);
    struct tiling *from = factor_axes_tiling(c->arena, &c->axes, &request->rule->results[i]);
    from->unreduced = axis_list_set(&reduced);
    if (request->given && request->op->code == OP_gather)
        from->unreduced |= axis_list_set(request->given);
    if (from->rank != request->results[i]->rank)
        return 0;
    reshard_plan(c->arena, c->grid, request->is_modeled, request->result_types[i], from,
                 request->results[i], &plan);
    return plan.bytes;
}

static double cost(const struct chooser *c)
{
    const struct op *op = c->request->op;
    struct operand_ranges ranges = {0};
    double bytes = 0;
    if (c->has_ranges)
        ranges = operand_ranges_of(c->arena, c->grid, c->request, &c->axes);
    for (int i = 0; i < op->operand_count; i++)
        bytes += operand_cost(c, &ranges, i);
    for (int i = 0; i < op->result_count; i++)
        bytes += result_cost(c, i);
    return bytes;
}

static bool has_kind(const struct sharding_rule *rule, enum factor_kind kind)
{
    for (int i = 0; i < rule->factor_count; i++)
        if (rule->factors[i].kind == kind)
            return true;
    return false;
}

bool factor_axes_weighs(const struct sharding_rule *rule)
{
    return has_kind(rule, FACTOR_PERMUTED) || has_kind(rule, FACTOR_REDUCTION);
}

static bool has_tried(const struct chooser *c)
{
    for (int i = 0; i < c->tried_count; i++) {
        int f = 0;
        while (f < c->request->rule->factor_count &&
               axis_list_equal(&c->tried[i][f], &c->axes.factors[f]))
            f++;
        if (f == c->request->rule->factor_count)
            return true;
    }
    return false;
}

/* Tries `orders` orders; *least: the bytes of the best so far, negative when there is none. */
static void try_orders(struct chooser *c, int orders, struct factor_axes *best, double *least)
{
    for (int order = 0; order < orders && order < MAX_ORDERS; order++) {
        claim_in_order(c, order);
        if (has_tried(c))
            continue;
        c->tried[c->tried_count++] = c->axes.factors;
        double bytes = cost(c);
        if (*least >= 0 && bytes >= *least)
            continue;
        *least = bytes;
        *best = c->axes;
    }
}

/* The axes that the result, or else an operand, has along a dimension. */
static struct axis_list axes_along(const struct factor_request *request, int dim)
{
    const struct tiling *at = request->results[0];
    for (int i = 0; i < request->op->operand_count && (dim >= at->rank || !at->dims[dim].count);
         i++)
        at = request->operands[i];
    return dim < at->rank ? at->dims[dim] : (struct axis_list){0};
}

/* An accelerator's partitioner moves the axes along which a concatenation is to another dimension,
 * the first that they divide. False: there is none, or there are no such axes. */
static bool claim_concatenation(struct chooser *c)
{
    const struct factor_request *request = c->request;
    const struct factor_dims *dims = &request->rule->results[0];
    const int along = (int)request->op->attrs.dimension.dimension;
    const struct axis_list list = axes_along(request, along);
    const int64_t size = axis_list_size(c->grid, &list);
    if (!list.count)
        return false;
    claim_in_order(c, 0);
    for (int dim = 0; dim < dims->rank; dim++) {
        if (dim == along || dims->dims[dim].count != 1 || c->used & axis_list_set(&list))
            continue;
        int number = dims->dims[dim].at[0];
        if (c->axes.factors[number].count || request->rule->factors[number].size % size)
            continue;
        c->axes.factors[number] = list;
        return true;
    }
    return false;
}

struct factor_axes factor_axes_choose(struct arena *arena, const struct device_grid *grid,
                                      const struct factor_request *request)
{
    struct chooser c = {.arena = arena, .grid = grid, .request = request};
    struct factor_axes best = {0};
    double least = -1;
    int orders = request->op->operand_count + 1;
    if (!factor_axes_weighs(request->rule)) {
        claim_in_order(&c, 0);
        return c.axes;
    }
    if (request->is_modeled && request->op->code == OP_dot_general) {
        claim_product(&c);
        return c.axes;
    }
    if (request->is_modeled && request->op->code == OP_reduce) {
        claim_in_order(&c, 1);
        return c.axes;
    }
    if (request->is_modeled && request->op->code == OP_concatenate && claim_concatenation(&c))
        return c.axes;
    c.has_ranges = has_kind(request->rule, FACTOR_PERMUTED) && operand_ranges_possible(request);
    c.moves = c.has_ranges;
    try_orders(&c, orders, &best, &least);
    c.moves = false;
    if (c.has_ranges)
        try_orders(&c, orders, &best, &least);
    return best;
}

/* ---- results --------------------------------------------------------------------------------- */
struct tiling *factor_axes_tiling(struct arena *arena, const struct factor_axes *factors,
                                  const struct factor_dims *dims)
{
    struct tiling *tiling = tiling_replicated(arena, dims->rank);
    for (int i = 0; i < dims->rank; i++)
        for (int f = 0; f < dims->dims[i].count; f++) {
            const struct axis_list *list = &factors->factors[dims->dims[i].at[f]];
            memcpy(tiling->dims[i].at + tiling->dims[i].count, list->at, list->count);
            tiling->dims[i].count = (uint8_t)(tiling->dims[i].count + list->count);
        }
    return tiling;
}

struct axis_list factor_axes_reduced(const struct factor_axes *factors)
{
    struct axis_list all = {0};
    for (int i = 0; i < factors->rule->factor_count; i++) {
        const struct axis_list *list = &factors->factors[i];
        if (factors->rule->factors[i].kind != FACTOR_REDUCTION)
            continue;
        memcpy(all.at + all.count, list->at, list->count);
        all.count = (uint8_t)(all.count + list->count);
    }
    return all;
}
