/* sharding_rules_reduce.c: rules of operations that combine elements: products, reductions,
 * windows, sorts, transforms. */
#include "compiler/ir/sharding_rule_maker.h"

/* ---- products -------------------------------------------------------------------------------- */

static void rule_products(struct rule_maker *m, struct dims lhs_batch, struct dims rhs_batch,
                          struct dims lhs_contract, struct dims rhs_contract)
{
    struct made_value *lhs = &m->operands[0], *rhs = &m->operands[1], *out = &m->results[0];
    int next = 0;
    for (int64_t i = 0; i < lhs_batch.count; i++, next++) {
        int factor =
            rule_link(m, lhs, (int)lhs_batch.at[i], rhs, (int)rhs_batch.at[i], FACTOR_PASS);
        rule_put(m, out, next, factor);
    }
    for (int64_t i = 0; i < lhs_contract.count; i++)
        rule_link(m, lhs, (int)lhs_contract.at[i], rhs, (int)rhs_contract.at[i], FACTOR_REDUCTION);
    for (int d = 0; d < lhs->rank; d++)
        if (!dims_contain(lhs_batch, d) && !dims_contain(lhs_contract, d))
            rule_link(m, lhs, d, out, next++, FACTOR_PASS);
    for (int d = 0; d < rhs->rank; d++)
        if (!dims_contain(rhs_batch, d) && !dims_contain(rhs_contract, d))
            rule_link(m, rhs, d, out, next++, FACTOR_PASS);
}

void rule_dot_general(struct rule_maker *m)
{
    const struct attrs_dot *dot = &m->op->attrs.dot;
    rule_products(m, dot->lhs_batching_dimensions, dot->rhs_batching_dimensions,
                  dot->lhs_contracting_dimensions, dot->rhs_contracting_dimensions);
}

void rule_dot(struct rule_maker *m)
{
    int64_t last = m->operands[0].rank - 1, first = 0;
    struct dims none = {0, NULL};
    rule_products(m, none, none, (struct dims){1, &last}, (struct dims){1, &first});
}

/* ---- convolution ----------------------------------------------------------------------------- */

/* True for spatial dimension i if the convolution takes its elements one by one. */
static bool is_pointwise(const struct rule_maker *m, int i)
{
    const struct attrs_convolution *c = &m->op->attrs.convolution;
    return m->operands[1].sizes[c->kernel_spatial_dimensions.at[i]] == 1 &&
           c->window_strides.at[i] == 1 && c->lhs_dilation.at[i] == 1 && !c->padding.at[2 * i] &&
           !c->padding.at[2 * i + 1];
}

/* A partition with part of the kernel computes a partial sum, from elements of its own choice. */
static void convolution_spatial(struct rule_maker *m)
{
    const struct attrs_convolution *c = &m->op->attrs.convolution;
    struct made_value *kernel = &m->operands[1];
    for (int i = 0; i < c->input_spatial_dimensions.count; i++) {
        int dim = (int)c->kernel_spatial_dimensions.at[i];
        if (kernel->sizes[dim] > 1)
            rule_put(m, kernel, dim, rule_factor(m, kernel->sizes[dim], FACTOR_REDUCTION));
        rule_link(m, &m->operands[0], (int)c->input_spatial_dimensions.at[i], &m->results[0],
                  (int)c->output_spatial_dimensions.at[i],
                  is_pointwise(m, i) ? FACTOR_PASS : FACTOR_PERMUTED);
    }
}

/* The groups are the major factor of the output features in kernel and result, and of the input's
 * features (feature groups) or batch (batch groups). */
void rule_convolution(struct rule_maker *m)
{
    const struct attrs_convolution *c = &m->op->attrs.convolution;
    struct made_value *lhs = &m->operands[0], *kernel = &m->operands[1], *out = &m->results[0];
    int batch = (int)c->input_batch_dimension, feature = (int)c->input_feature_dimension,
        kernel_out = (int)c->kernel_output_feature_dimension,
        out_feature = (int)c->output_feature_dimension;
    int64_t groups = c->feature_group_count, batches = c->batch_group_count,
            all = groups > batches ? groups : batches;
    if (all > 1) {
        int group = rule_factor(m, all, FACTOR_PASS);
        rule_put(m, lhs, groups > 1 ? feature : batch, group);
        rule_put(m, kernel, kernel_out, group);
        rule_put(m, out, out_feature, group);
    }
    int b = rule_factor(m, out->sizes[c->output_batch_dimension], FACTOR_PASS);
    rule_put(m, lhs, batch, b);
    rule_put(m, out, (int)c->output_batch_dimension, b);
    int in = rule_factor(m, lhs->sizes[feature] / groups, FACTOR_REDUCTION);
    rule_put(m, lhs, feature, in);
    rule_put(m, kernel, (int)c->kernel_input_feature_dimension, in);
    int o = rule_factor(m, kernel->sizes[kernel_out] / all, FACTOR_PASS);
    rule_put(m, kernel, kernel_out, o);
    rule_put(m, out, out_feature, o);
    convolution_spatial(m);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Operands: N inputs, N initial values. */
void rule_reduce(struct rule_maker *m)
{
    struct dims reduced = m->op->attrs.dimensions.dimensions;
    int count = m->op->operand_count / 2, next = 0;
    for (int d = 0; count && d < m->operands[0].rank; d++) {
        bool goes = dims_contain(reduced, d);
        int factor = rule_factor(m, m->operands[0].sizes[d], goes ? FACTOR_REDUCTION : FACTOR_PASS);
        rule_put_all(m, m->operands, count, d, factor);
        if (!goes)
            rule_put_all(m, m->results, m->op->result_count, next++, factor);
    }
}

static bool is_unpadded(struct pairs padding, int i)
{
    return !pairs_at(padding, i, 0) && !pairs_at(padding, i, 1);
}

/* Operands: N inputs, N initial values. */
void rule_reduce_window(struct rule_maker *m)
{
    const struct attrs_window *w = &m->op->attrs.window;
    int count = m->op->operand_count / 2;
    for (int d = 0; count && d < m->operands[0].rank; d++) {
        bool alone = dims_at(w->window_dimensions, d, 1) == 1 &&
                     dims_at(w->window_strides, d, 1) == 1 &&
                     dims_at(w->base_dilations, d, 1) == 1 && is_unpadded(w->padding, d);
        int factor = rule_link(m, &m->operands[0], d, &m->results[0], d,
                               alone ? FACTOR_PASS : FACTOR_PERMUTED);
        rule_put_all(m, m->operands + 1, count - 1, d, factor);
        rule_put_all(m, m->results + 1, m->op->result_count - 1, d, factor);
    }
}

/* Operands: the operand, a source that is as large as the result of its windows, a scalar. */
void rule_select_and_scatter(struct rule_maker *m)
{
    const struct attrs_select_and_scatter *s = &m->op->attrs.select_and_scatter;
    for (int d = 0; d < m->operands[0].rank; d++) {
        bool alone = dims_at(s->window_dimensions, d, 1) == 1 &&
                     dims_at(s->window_strides, d, 1) == 1 && is_unpadded(s->padding, d);
        int factor = rule_link(m, &m->operands[0], d, &m->results[0], d,
                               alone ? FACTOR_PASS : FACTOR_PERMUTED);
        rule_put(m, &m->operands[1], d, factor);
    }
}

/* ---- along whole dimensions ------------------------------------------------------------------ */

void rule_sort(struct rule_maker *m)
{
    int64_t sorted = m->op->attrs.sort.dimension;
    for (int d = 0; m->op->operand_count && d < m->operands[0].rank; d++) {
        int factor =
            rule_factor(m, m->operands[0].sizes[d], d == sorted ? FACTOR_REPLICATED : FACTOR_PASS);
        rule_put_all(m, m->operands, m->op->operand_count, d, factor);
        rule_put_all(m, m->results, m->op->result_count, d, factor);
    }
}

void rule_fft(struct rule_maker *m)
{
    int batch = m->operands[0].rank - (int)m->op->attrs.fft.fft_length.count;
    for (int d = 0; d < batch; d++)
        rule_link(m, &m->operands[0], d, &m->results[0], d, FACTOR_PASS);
}

/* cholesky, triangular_solve: a matrix for each index of the leading dimensions. The right-hand
 * sides of a solve are independent of each other. */
void rule_matrices(struct rule_maker *m)
{
    int rank = m->results[0].rank;
    struct made_value *b = &m->operands[m->op->operand_count - 1];
    for (int d = 0; d < rank - 2; d++) {
        int factor = rule_link(m, b, d, &m->results[0], d, FACTOR_PASS);
        rule_put_all(m, m->operands, m->op->operand_count - 1, d, factor);
    }
    if (m->op->code == OP_triangular_solve) {
        int free_dim = rank - (m->op->attrs.triangular_solve.left_side ? 1 : 2);
        rule_link(m, b, free_dim, &m->results[0], free_dim, FACTOR_PASS);
    }
}

/* Features are independent; inference normalizes each element by itself. */
void rule_batch_norm(struct rule_maker *m)
{
    int feature_dim = (int)m->op->attrs.batch_norm.feature_index;
    for (int d = 0; d < m->operands[0].rank; d++) {
        if (d != feature_dim && m->op->code != OP_batch_norm_inference)
            continue;
        int factor = rule_link(m, &m->operands[0], d, &m->results[0], d, FACTOR_PASS);
        for (int i = 1; d == feature_dim && i < m->op->operand_count; i++)
            rule_put(m, &m->operands[i], m->operands[i].rank == 1 ? 0 : d, factor);
        for (int i = 1; d == feature_dim && i < m->op->result_count; i++)
            rule_put(m, &m->results[i], 0, factor);
    }
}
