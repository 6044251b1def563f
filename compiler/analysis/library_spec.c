/* library_spec.c: see library_spec.h. */
#include "compiler/analysis/library_spec.h"

#include <limits.h>

#include "compiler/analysis/constants.h"

/* ---- matrix products ------------------------------------------------------------------------- */
enum { LHS, RHS, OUT };

/* A dimension of a product and its stride in each array; 0 if the array does not have it. */
struct dot_dim {
    int64_t size, stride[3];
};
struct dot_dims {
    int count;
    struct dot_dim at[SHAPE_MAX_RANK];
};
struct product {
    struct dot_dims batch, m, n, k;
};

static void add_dim(struct dot_dims *dims, int64_t size, int64_t lhs, int64_t rhs, int64_t out)
{
    if (size != 1)
        dims->at[dims->count++] = (struct dot_dim){size, {lhs, rhs, out}};
}

/* `out` are the strides of the result's dimensions: batches, rows, columns. */
static struct product product_of(const struct op *dot, const int64_t *out)
{
    struct product p = {.batch.count = 0};
    const struct attrs_dot *at = &dot->attrs.dot;
    const struct type *lhs = dot->operands[0]->type, *rhs = dot->operands[1]->type;
    int64_t left[SHAPE_MAX_RANK], right[SHAPE_MAX_RANK];
    type_strides(lhs, left);
    type_strides(rhs, right);
    for (int64_t i = 0; i < at->lhs_batching_dimensions.count; i++) {
        int64_t l = at->lhs_batching_dimensions.at[i], r = at->rhs_batching_dimensions.at[i];
        add_dim(&p.batch, lhs->shape.dims[l], left[l], right[r], *out++);
    }
    for (int64_t i = 0; i < at->lhs_contracting_dimensions.count; i++) {
        int64_t l = at->lhs_contracting_dimensions.at[i], r = at->rhs_contracting_dimensions.at[i];
        add_dim(&p.k, lhs->shape.dims[l], left[l], right[r], 0);
    }
    for (int i = 0; i < lhs->shape.rank; i++)
        if (!dims_contain(at->lhs_batching_dimensions, i) &&
            !dims_contain(at->lhs_contracting_dimensions, i))
            add_dim(&p.m, lhs->shape.dims[i], left[i], 0, *out++);
    for (int i = 0; i < rhs->shape.rank; i++)
        if (!dims_contain(at->rhs_batching_dimensions, i) &&
            !dims_contain(at->rhs_contracting_dimensions, i))
            add_dim(&p.n, rhs->shape.dims[i], 0, right[i], *out++);
    return p;
}

/* Merges dimensions that are nested in all arrays. Their order is irrelevant, so they are sorted by
 * their strides in the array `by`. */
static void merge_dims(struct dot_dims *dims, int by)
{
    for (int i = 1; i < dims->count; i++)
        for (int j = i; j > 0 && dims->at[j - 1].stride[by] < dims->at[j].stride[by]; j--) {
            struct dot_dim moved = dims->at[j];
            dims->at[j] = dims->at[j - 1];
            dims->at[j - 1] = moved;
        }
    int count = 0;
    for (int i = 0; i < dims->count; i++) {
        struct dot_dim *last = count ? &dims->at[count - 1] : NULL;
        const struct dot_dim next = dims->at[i];
        bool inside = last != NULL;
        for (int a = 0; a < 3 && inside; a++)
            inside = last->stride[a] == next.stride[a] * next.size;
        if (inside)
            *last = (struct dot_dim){last->size * next.size,
                                     {next.stride[0], next.stride[1], next.stride[2]}};
        else
            dims->at[count++] = next;
    }
    dims->count = count;
}

static bool has_unit_stride(const struct dot_dim *dim)
{
    return dim->stride[LHS] == 1 || dim->stride[RHS] == 1 || dim->stride[OUT] == 1;
}

/* The place of the outermost of two dimensions of rows or columns: the smaller one, if no array has
 * either one adjacent, and otherwise the one with the larger stride, which is the first. */
static int outer_of(const struct dot_dim *two)
{
    return two[1].size < two[0].size && !has_unit_stride(&two[0]) && !has_unit_stride(&two[1]);
}

/* Sets one dimension of each kind and at most one additional, outermost dimension; false if there
 * are more. */
static bool product_spec(struct product *p, struct dot_spec *out)
{
    struct dot_dims *all[] = {&p->batch, &p->m, &p->n, &p->k};
    struct dot_dim one[4], outer = {1, {0, 0, 0}};
    static const int by[] = {LHS, LHS, RHS, LHS};
    bool has_outer = false;
    for (int i = 0; i < 4; i++) {
        merge_dims(all[i], by[i]);
        int more = all[i]->count > 1;
        if (all[i]->count > 2 || (more && (has_outer || i == 3)))
            return false;
        int first = more && i > 0 ? outer_of(all[i]->at) : 0;
        if (more)
            outer = all[i]->at[first];
        has_outer |= more;
        one[i] = all[i]->count ? all[i]->at[more && !first] : (struct dot_dim){1, {1, 1, 1}};
    }
    out->batch = one[0].size, out->m = one[1].size, out->n = one[2].size, out->k = one[3].size;
    out->lhs_batch_stride = one[0].stride[LHS], out->rhs_batch_stride = one[0].stride[RHS];
    out->out_batch_stride = one[0].stride[OUT];
    out->lhs_m_stride = one[1].stride[LHS], out->out_m_stride = one[1].stride[OUT];
    out->rhs_n_stride = one[2].stride[RHS], out->out_n_stride = one[2].stride[OUT];
    out->lhs_k_stride = one[3].stride[LHS], out->rhs_k_stride = one[3].stride[RHS];
    out->outer = outer.size, out->lhs_outer_stride = outer.stride[LHS];
    out->rhs_outer_stride = outer.stride[RHS], out->out_outer_stride = outer.stride[OUT];
    return true;
}

/* The strides of the dimensions of a product in the result of the transpose that follows it. */
static void transposed_strides(const struct op *transpose, int64_t *out)
{
    int64_t strides[SHAPE_MAX_RANK];
    const struct dims permutation = transpose->attrs.transpose.permutation;
    type_strides(transpose->results[0].type, strides);
    for (int64_t i = 0; i < permutation.count; i++)
        out[permutation.at[i]] = strides[i];
}

enum dtype library_spec_dtype(enum dtype dtype)
{
    return dtype_is_integer(dtype) && dtype_info(dtype)->bits < CHAR_BIT ? DTYPE_S8 : dtype;
}

bool library_spec_dot_transposed(const struct op *dot, const struct op *transpose,
                                 struct dot_spec *out)
{
    int64_t strides[SHAPE_MAX_RANK];
    if (transpose)
        transposed_strides(transpose, strides);
    else
        type_strides(dot->results[0].type, strides);
    struct product p = product_of(dot, strides);
    *out = (struct dot_spec){.lhs = library_spec_dtype(dot->operands[0]->type->shape.dtype),
                             .rhs = library_spec_dtype(dot->operands[1]->type->shape.dtype),
                             .out = dot->results[0].type->shape.dtype,
                             .rhs_constant = constants_literal(dot->operands[1]) != NULL};
    return product_spec(&p, out);
}

void library_spec_swap(struct dot_spec *spec)
{
    const struct dot_spec s = *spec;
    spec->lhs = s.rhs, spec->rhs = s.lhs;
    spec->m = s.n, spec->n = s.m;
    spec->lhs_batch_stride = s.rhs_batch_stride, spec->rhs_batch_stride = s.lhs_batch_stride;
    spec->lhs_m_stride = s.rhs_n_stride, spec->lhs_k_stride = s.rhs_k_stride;
    spec->rhs_n_stride = s.lhs_m_stride, spec->rhs_k_stride = s.lhs_k_stride;
    spec->out_m_stride = s.out_n_stride, spec->out_n_stride = s.out_m_stride;
    spec->lhs_outer_stride = s.rhs_outer_stride, spec->rhs_outer_stride = s.lhs_outer_stride;
    spec->rhs_constant = false;
}

static const struct op *transpose_in(const struct op *fusion)
{
    return fusion->regions[0]->last->operands[0]->def;
}

bool library_spec_is_product(const struct op *op)
{
    return op && (op->code == OP_dot_general ||
                  (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_DOT));
}

bool library_spec_dot(const struct op *op, struct dot_spec *out)
{
    if (op->code == OP_dot_general)
        return library_spec_dot_transposed(op, NULL, out);
    const struct op *transpose = transpose_in(op);
    return library_spec_dot_transposed(transpose->operands[0]->def, transpose, out);
}

const struct value *library_spec_dot_operand(const struct op *op, int which)
{
    if (op->code == OP_dot_general)
        return op->operands[which];
    return op->operands[transpose_in(op)->operands[0]->def->operands[which]->index];
}

/* The number of elements that negative padding removes at one end of an input. */
static int64_t dropped(int64_t padding, int64_t dilation)
{
    return padding < 0 ? (-padding + dilation - 1) / dilation : 0;
}

/* Whether the input is that of a strided convolution whose kernel's gradient is computed, and the
 * elements removed at its end are those that the stride leaves, less than one step. */
static bool is_rest_of_stride(const struct convolution_spec *s, int i)
{
    return s->lhs_dilation[i] == 1 && s->stride[i] == 1 && s->out_size[i] < s->kernel[i] &&
           s->pad_low[i] >= 0 && -s->pad_high[i] < s->rhs_dilation[i];
}

/* Replaces negative padding by a smaller input and padding of at least 0, except for the rest of a
 * stride, which libraries ignore: they have better kernels for the whole input. Returns the offset
 * of the smaller input. */
static int64_t trim(struct convolution_spec *out, int i)
{
    int64_t dilation = out->lhs_dilation[i];
    int64_t low = dropped(out->pad_low[i], dilation), high = dropped(out->pad_high[i], dilation);
    if (is_rest_of_stride(out, i))
        return 0;
    out->in[i] -= low + high;
    out->pad_low[i] += low * dilation;
    out->pad_high[i] += high * dilation;
    return low * out->lhs_stride[i];
}

static void fill_spatial(const struct op *op, const int64_t strides[3][SHAPE_MAX_RANK], int i,
                         struct convolution_spec *out)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    int64_t in = at->input_spatial_dimensions.at[i], kernel = at->kernel_spatial_dimensions.at[i];
    int64_t result = at->output_spatial_dimensions.at[i];
    out->in[i] = op->operands[0]->type->shape.dims[in];
    out->kernel[i] = op->operands[1]->type->shape.dims[kernel];
    out->out_size[i] = op->results[0].type->shape.dims[result];
    out->stride[i] = dims_at(at->window_strides, i, 1);
    out->pad_low[i] = pairs_at(at->padding, i, 0);
    out->pad_high[i] = pairs_at(at->padding, i, 1);
    out->lhs_dilation[i] = dims_at(at->lhs_dilation, i, 1);
    out->rhs_dilation[i] = dims_at(at->rhs_dilation, i, 1);
    out->reverse[i] = dims_at(at->window_reversal, i, 0) != 0;
    out->lhs_stride[i] = strides[0][in];
    out->rhs_stride[i] = strides[1][kernel];
    out->out_stride[i] = strides[2][result];
}

/* A spatial dimension of size 1. */
static void add_spatial(struct convolution_spec *out)
{
    out->spatial = 1;
    out->in[0] = out->kernel[0] = out->out_size[0] = out->stride[0] = 1;
    out->lhs_dilation[0] = out->rhs_dilation[0] = 1;
    out->lhs_stride[0] = out->rhs_stride[0] = out->out_stride[0] = 1;
}

static bool is_above_default(const struct attrs_convolution *at)
{
    return at->precision_config.lhs != PRECISION_DEFAULT ||
           at->precision_config.rhs != PRECISION_DEFAULT;
}

int64_t library_spec_convolution(const struct op *op, struct convolution_spec *out)
{
    int64_t first = 0;
    const struct attrs_convolution *at = &op->attrs.convolution;
    const struct type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type,
                      *to = op->results[0].type;
    int64_t strides[3][SHAPE_MAX_RANK];
    type_strides(lhs, strides[0]);
    type_strides(rhs, strides[1]);
    type_strides(to, strides[2]);
    *out = (struct convolution_spec){.lhs = lhs->shape.dtype,
                                     .rhs = rhs->shape.dtype,
                                     .out = to->shape.dtype,
                                     .spatial = (int)at->input_spatial_dimensions.count,
                                     .batch = lhs->shape.dims[at->input_batch_dimension],
                                     .in_features = lhs->shape.dims[at->input_feature_dimension],
                                     .out_features =
                                         rhs->shape.dims[at->kernel_output_feature_dimension],
                                     .feature_groups = at->feature_group_count,
                                     .batch_groups = at->batch_group_count,
                                     .rhs_constant = constants_literal(op->operands[1]) != NULL,
                                     .above_default_precision = is_above_default(at)};
    for (int i = 0; i < out->spatial; i++) {
        fill_spatial(op, strides, i, out);
        first += trim(out, i);
    }
    if (out->spatial == 0) /* a matrix product */
        add_spatial(out);
    out->lhs_batch_stride = strides[0][at->input_batch_dimension];
    out->lhs_feature_stride = strides[0][at->input_feature_dimension];
    out->rhs_in_stride = strides[1][at->kernel_input_feature_dimension];
    out->rhs_out_stride = strides[1][at->kernel_output_feature_dimension];
    out->out_batch_stride = strides[2][at->output_batch_dimension];
    out->out_feature_stride = strides[2][at->output_feature_dimension];
    return first;
}
