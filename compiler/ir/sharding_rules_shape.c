/* sharding_rules_shape.c: rules of operations that move elements by their position. */
#include "base/gcd.h"
#include "compiler/ir/sharding_rule_maker.h"

/* ---- broadcasts, transposition --------------------------------------------------------------- */

/* Dimensions of the result that no operand's dimension maps to are created. */
static void create_others(struct rule_maker *m)
{
    struct made_value *out = &m->results[0];
    for (int d = 0; d < out->rank; d++)
        if (!out->dims[d].count)
            rule_put(m, out, d, rule_factor(m, out->sizes[d], FACTOR_PASS));
}

/* Dimension i of the operand maps to map.at[i]; an expanded one shares nothing with it. */
static void broadcast_dims(struct rule_maker *m, struct dims map)
{
    struct made_value *in = &m->operands[0], *out = &m->results[0];
    for (int d = 0; d < in->rank; d++)
        if (in->sizes[d] == out->sizes[map.at[d]])
            rule_link(m, in, d, out, (int)map.at[d], FACTOR_PASS);
    create_others(m);
}

void rule_broadcast_in_dim(struct rule_maker *m)
{
    broadcast_dims(m, m->op->attrs.broadcast_in_dim.broadcast_dimensions);
}

void rule_dynamic_broadcast_in_dim(struct rule_maker *m)
{
    broadcast_dims(m, m->op->attrs.dynamic_broadcast_in_dim.broadcast_dimensions);
}

void rule_broadcast(struct rule_maker *m)
{
    int added = (int)m->op->attrs.broadcast.broadcast_sizes.count;
    for (int d = 0; d < m->operands[0].rank && d + added < m->results[0].rank; d++)
        rule_link(m, &m->operands[0], d, &m->results[0], d + added, FACTOR_PASS);
    create_others(m);
}

void rule_transpose(struct rule_maker *m)
{
    struct dims permutation = m->op->attrs.transpose.permutation;
    for (int d = 0; d < m->results[0].rank; d++)
        rule_link(m, &m->operands[0], (int)permutation.at[d], &m->results[0], d, FACTOR_PASS);
}

/* ---- reshape --------------------------------------------------------------------------------- */

/* One side of a reshape: its dimensions are taken major to minor, each by its factors. */
struct reshape_side {
    struct made_value *value;
    int dim;
    int64_t rest; /* of dimension `dim`: its size over its factors so far */
};

/* Goes to the next dimension while there is nothing left of this one. */
static bool side_has_more(struct reshape_side *side)
{
    while (side->rest == 1 && side->dim + 1 < side->value->rank)
        side->rest = side->value->sizes[++side->dim];
    return side->rest != 1;
}

/* What is left of the dimension has no counterpart. Returns its size. */
static int64_t side_close(struct rule_maker *m, struct reshape_side *side)
{
    int64_t size = side->rest;
    rule_put(m, side->value, side->dim, rule_factor(m, size, FACTOR_REPLICATED));
    side->rest = 1;
    return size;
}

/* Skips to the next position at which both sides have taken equally many elements. The products
 * stay below the number of elements. */
static void skip_unrelated(struct rule_maker *m, struct reshape_side *in, struct reshape_side *out)
{
    int64_t a = side_close(m, in), b = side_close(m, out);
    while (a != b)
        if (a < b && side_has_more(in))
            a *= side_close(m, in);
        else if (side_has_more(out))
            b *= side_close(m, out);
        else
            return;
}

/* Both sides count the same elements in the same order, so that a common divisor of what is left
 * of two dimensions that begin at the same element is a factor of both. */
void rule_reshape(struct rule_maker *m)
{
    struct reshape_side in = {&m->operands[0], -1, 1}, out = {&m->results[0], -1, 1};
    if (type_elements(m->op->results[0].type) < 1)
        return;
    while (side_has_more(&in) && side_has_more(&out)) {
        int64_t size = gcd_of(in.rest, out.rest);
        if (size == 1) {
            skip_unrelated(m, &in, &out);
            continue;
        }
        int factor = rule_factor(m, size, FACTOR_PASS);
        rule_put(m, in.value, in.dim, factor);
        rule_put(m, out.value, out.dim, factor);
        in.rest /= size;
        out.rest /= size;
    }
}

/* ---- slices, padding, concatenation ---------------------------------------------------------- */

/* Whether the slice takes the first elements of a sorted dimension: the largest, which are as much
 * one value as the custom call TopK's are. */
static bool takes_first(const struct op *slice, int d)
{
    const struct op *sort = slice->operands[0]->def;
    return sort && sort->code == OP_sort && sort->attrs.sort.dimension == d &&
           !slice->attrs.slice.start_indices.at[d] &&
           slice->results[0].type->shape.dims[d] < slice->operands[0]->type->shape.dims[d];
}

void rule_slice(struct rule_maker *m)
{
    for (int d = 0; d < m->operands[0].rank; d++)
        if (!takes_first(m->op, d))
            rule_link(m, &m->operands[0], d, &m->results[0], d,
                      m->operands[0].sizes[d] == m->results[0].sizes[d] ? FACTOR_PASS
                                                                        : FACTOR_PERMUTED);
}

void rule_pad(struct rule_maker *m)
{
    const struct attrs_pad *p = &m->op->attrs.pad;
    for (int d = 0; d < m->operands[0].rank; d++) {
        bool plain =
            !p->edge_padding_low.at[d] && !p->edge_padding_high.at[d] && !p->interior_padding.at[d];
        rule_link(m, &m->operands[0], d, &m->results[0], d, plain ? FACTOR_PASS : FACTOR_PERMUTED);
    }
}

void rule_reverse(struct rule_maker *m)
{
    for (int d = 0; d < m->operands[0].rank; d++)
        rule_link(m, &m->operands[0], d, &m->results[0], d,
                  dims_contain(m->op->attrs.dimensions.dimensions, d) ? FACTOR_PERMUTED
                                                                      : FACTOR_PASS);
}

void rule_concatenate(struct rule_maker *m)
{
    for (int d = 0; d < m->results[0].rank; d++) {
        bool moves = d == m->op->attrs.dimension.dimension;
        int factor = rule_factor(m, m->results[0].sizes[d], moves ? FACTOR_PERMUTED : FACTOR_PASS);
        rule_put_all(m, m->operands, m->op->operand_count, d, factor);
        rule_put(m, &m->results[0], d, factor);
    }
}

/* Dimensions that are taken whole pass. */
void rule_dynamic_slice(struct rule_maker *m)
{
    struct made_value *in = &m->operands[0], *out = &m->results[0];
    for (int d = 0; d < in->rank; d++)
        if (in->sizes[d] == out->sizes[d])
            rule_link(m, in, d, out, d, FACTOR_PASS);
}

/* Operands: the operand, the update, start indices. */
void rule_dynamic_update_slice(struct rule_maker *m)
{
    struct made_value *in = &m->operands[0], *update = &m->operands[1], *out = &m->results[0];
    for (int d = 0; d < in->rank; d++) {
        bool whole = in->sizes[d] == update->sizes[d];
        int factor = rule_link(m, in, d, out, d, whole ? FACTOR_PASS : FACTOR_PERMUTED);
        if (whole)
            rule_put(m, update, d, factor);
    }
}

/* ---- gather and scatter ---------------------------------------------------------------------- */

/* The dimension numbers of either operation, in a gather's words, and its three kinds of values. */
struct index_rule {
    struct dims offset, collapsed, batching, indices_batching;
    int64_t index_vector_dim;
    struct made_value *operands, *indices, *slices; /* slices: a gather's result, the updates */
    int count;                                      /* of operands, and of slices */
};

/* A batch dimension of the indices has a factor with those of the slices, and with that of the
 * operands if it is a batching one. `factors` gets the factor of each dimension of the indices. */
static void index_batches(struct rule_maker *m, const struct index_rule *r, enum factor_kind kind,
                          int *factors)
{
    int next = 0;
    for (int d = 0; d < r->indices->rank; d++) {
        if (d == r->index_vector_dim)
            continue;
        while (dims_contain(r->offset, next))
            next++;
        factors[d] = rule_factor(m, r->indices->sizes[d],
                                 dims_contain(r->indices_batching, d) ? FACTOR_PASS : kind);
        rule_put(m, r->indices, d, factors[d]);
        rule_put_all(m, r->slices, r->count, next++, factors[d]);
    }
}

/* A window dimension of which slices are whole passes; in others only the operands are alike. */
static void index_windows(struct rule_maker *m, const struct index_rule *r,
                          struct made_value *results, const int *factors)
{
    int next = 0;
    for (int d = 0; d < r->operands[0].rank; d++) {
        bool whole = false;
        int slice_dim = -1, factor = -1;
        if (!dims_contain(r->collapsed, d) && !dims_contain(r->batching, d)) {
            slice_dim = (int)r->offset.at[next++];
            whole = r->slices[0].sizes[slice_dim] == r->operands[0].sizes[d];
        }
        for (int64_t i = 0; i < r->batching.count; i++)
            if (r->batching.at[i] == d)
                factor = factors[r->indices_batching.at[i]];
        if (factor < 0 && (whole || results))
            factor = rule_factor(m, r->operands[0].sizes[d], whole ? FACTOR_PASS : FACTOR_PERMUTED);
        if (factor < 0)
            continue;
        rule_put_all(m, r->operands, r->count, d, factor);
        if (whole)
            rule_put_all(m, r->slices, r->count, slice_dim, factor);
        if (results)
            rule_put_all(m, results, r->count, d, factor);
    }
}

void rule_gather(struct rule_maker *m)
{
    const struct attrs_gather *g = &m->op->attrs.gather;
    const struct index_rule r = {g->offset_dims,
                                 g->collapsed_slice_dims,
                                 g->operand_batching_dims,
                                 g->start_indices_batching_dims,
                                 g->index_vector_dim,
                                 &m->operands[0],
                                 &m->operands[1],
                                 &m->results[0],
                                 1};
    int *factors = ARENA_ARRAY(m->arena, int, (size_t)r.indices->rank);
    index_batches(m, &r, FACTOR_PASS, factors);
    index_windows(m, &r, NULL, factors);
}

/* Operands: N inputs, the indices, N updates. Updates at different indices can be partial results,
 * if it does not matter which of two comes last. */
void rule_scatter(struct rule_maker *m)
{
    const struct attrs_scatter *s = &m->op->attrs.scatter;
    int count = m->op->result_count;
    const struct index_rule r = {s->update_window_dims,
                                 s->inserted_window_dims,
                                 s->input_batching_dims,
                                 s->scatter_indices_batching_dims,
                                 s->index_vector_dim,
                                 &m->operands[0],
                                 &m->operands[count],
                                 &m->operands[count + 1],
                                 count};
    int *factors = ARENA_ARRAY(m->arena, int, (size_t)r.indices->rank);
    bool combines = sharding_rules_is_combiner(m->op, 0);
    index_batches(m, &r, combines ? FACTOR_REDUCTION : FACTOR_REPLICATED, factors);
    index_windows(m, &r, m->results, factors);
}
