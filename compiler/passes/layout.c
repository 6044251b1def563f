/* layout.c: see layout.h. */
#include "compiler/passes/layout.h"
#include "compiler/ir/build.h"

static bool any_above_one(struct dims dims)
{
    for (int64_t i = 0; i < dims.count; i++)
        if (dims.at[i] > 1)
            return true;
    return false;
}

/* What the libraries do: no batch groups, no strides together with a dilated input, padding of 0 or more. */
static bool convolution_is_plain(const struct attrs_convolution *at)
{
    for (int64_t i = 0; i < at->padding.rows * 2; i++)
        if (at->padding.at[i] < 0)
            return false;
    return at->input_spatial_dimensions.count <= CONVOLUTION_MAX_SPATIAL && at->batch_group_count == 1 &&
           !(any_above_one(at->lhs_dilation) && any_above_one(at->window_strides));
}

bool layout_library_serves(const struct op *op, const struct target *target)
{
    enum dtype lhs = op->operands[0]->type->dtype, rhs = op->operands[1]->type->dtype;
    enum dtype out = op->results[0].type->dtype;
    if (type_elements(op->operands[0]->type) == 0 || type_elements(op->operands[1]->type) == 0 ||
        type_elements(op->results[0].type) == 0)
        return false;
    if (op->code == OP_dot_general)
        return target->serves_dot && target->serves_dot(lhs, rhs, out);
    return convolution_is_plain(&op->attrs.convolution) && target->serves_convolution &&
           target->serves_convolution(lhs, rhs, out);
}

/* ---- matrix products ------------------------------------------------------------------------------- */
struct side { /* one operand of a matrix product */
    const struct type *type;
    int64_t strides[TYPE_MAX_RANK];
    int free_count, batch_count, contract_count;
    int64_t free[TYPE_MAX_RANK], batch[TYPE_MAX_RANK], contract[TYPE_MAX_RANK];
};

static void row_major(const struct type *type, int64_t *strides)
{
    int64_t stride = 1;
    for (int i = type->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= type->dims[i];
    }
}

static bool contains(struct dims dims, int64_t dim)
{
    for (int64_t i = 0; i < dims.count; i++)
        if (dims.at[i] == dim)
            return true;
    return false;
}

static struct side side_of(const struct type *type, struct dims batch, struct dims contract)
{
    struct side side = {.type = type};
    row_major(type, side.strides);
    for (int64_t i = 0; i < batch.count; i++)
        side.batch[side.batch_count++] = batch.at[i];
    for (int64_t i = 0; i < contract.count; i++)
        side.contract[side.contract_count++] = contract.at[i];
    for (int i = 0; i < type->rank; i++)
        if (!contains(batch, i) && !contains(contract, i))
            side.free[side.free_count++] = i;
    return side;
}

/* Several dimensions as one: its size and stride; false when they do not lie one inside the other. */
static bool collapse(const struct side *side, int count, const int64_t *dims, int64_t *size, int64_t *stride)
{
    *size = 1;
    *stride = 1;
    bool any = false;
    for (int i = count - 1; i >= 0; i--) {
        int64_t length = side->type->dims[dims[i]];
        if (length == 1)
            continue;
        if (any && side->strides[dims[i]] != *stride * *size)
            return false;
        if (!any)
            *stride = side->strides[dims[i]];
        *size *= length;
        any = true;
    }
    return true;
}

/* Contracted dimensions may come in any order, the same on both sides: take that of the left operand. */
static void sort_contracted(struct side *lhs, struct side *rhs)
{
    for (int i = 1; i < lhs->contract_count; i++)
        for (int j = i; j > 0 && lhs->contract[j - 1] > lhs->contract[j]; j--) {
            int64_t left = lhs->contract[j], right = rhs->contract[j];
            lhs->contract[j] = lhs->contract[j - 1];
            rhs->contract[j] = rhs->contract[j - 1];
            lhs->contract[j - 1] = left;
            rhs->contract[j - 1] = right;
        }
}

static void sides_of(const struct op *dot, struct side *lhs, struct side *rhs)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    *lhs = side_of(dot->operands[0]->type, at->lhs_batching_dimensions, at->lhs_contracting_dimensions);
    *rhs = side_of(dot->operands[1]->type, at->rhs_batching_dimensions, at->rhs_contracting_dimensions);
    sort_contracted(lhs, rhs);
}

static bool is_constant(const struct value *value) { return value->def && value->def->code == OP_constant; }

bool layout_dot_spec(const struct op *dot, struct dot_spec *out)
{
    struct side lhs, rhs;
    int64_t size;
    sides_of(dot, &lhs, &rhs);
    *out = (struct dot_spec){.lhs = lhs.type->dtype, .rhs = rhs.type->dtype,
                             .out = dot->results[0].type->dtype, .rhs_constant = is_constant(dot->operands[1])};
    if (!collapse(&lhs, lhs.batch_count, lhs.batch, &out->batch, &out->lhs_batch_stride) ||
        !collapse(&lhs, lhs.free_count, lhs.free, &out->m, &out->lhs_m_stride) ||
        !collapse(&lhs, lhs.contract_count, lhs.contract, &out->k, &out->lhs_k_stride) ||
        !collapse(&rhs, rhs.batch_count, rhs.batch, &size, &out->rhs_batch_stride) ||
        !collapse(&rhs, rhs.free_count, rhs.free, &out->n, &out->rhs_n_stride) ||
        !collapse(&rhs, rhs.contract_count, rhs.contract, &size, &out->rhs_k_stride))
        return false;
    out->out_n_stride = 1;
    out->out_m_stride = out->n;
    out->out_batch_stride = out->m * out->n;
    return true;
}

static bool side_collapses(const struct side *side)
{
    int64_t size, stride;
    return collapse(side, side->batch_count, side->batch, &size, &stride) &&
           collapse(side, side->free_count, side->free, &size, &stride) &&
           collapse(side, side->contract_count, side->contract, &size, &stride);
}

static struct dims dims_of(struct arena *arena, int count, int first)
{
    int64_t *at = ARENA_ARRAY(arena, int64_t, count + 1);
    for (int i = 0; i < count; i++)
        at[i] = first + i;
    return (struct dims){count, at};
}

/* Transposes operand `which` to batch, free, contracted. */
static void transpose_side(struct module *module, struct op *dot, int which, const struct side *side)
{
    struct builder b = {module, dot->block, dot, dot->location};
    int64_t permutation[TYPE_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < side->batch_count; i++)
        permutation[rank++] = side->batch[i];
    for (int i = 0; i < side->free_count; i++)
        permutation[rank++] = side->free[i];
    for (int i = 0; i < side->contract_count; i++)
        permutation[rank++] = side->contract[i];
    struct value *value = build_transpose(&b, dot->operands[which], permutation);
    ir_set_operand(module, dot, which, value);
    struct dims batch = dims_of(module->arena, side->batch_count, 0);
    struct dims contract = dims_of(module->arena, side->contract_count, rank - side->contract_count);
    struct attrs_dot *at = &dot->attrs.dot;
    *(which ? &at->rhs_batching_dimensions : &at->lhs_batching_dimensions) = batch;
    *(which ? &at->rhs_contracting_dimensions : &at->lhs_contracting_dimensions) = contract;
}

static struct dims through(struct arena *arena, struct dims dims, const int64_t *permutation)
{
    int64_t *at = ARENA_ARRAY(arena, int64_t, dims.count + 1);
    for (int64_t i = 0; i < dims.count; i++)
        at[i] = permutation[dims.at[i]];
    return (struct dims){dims.count, at};
}

/* Whether the free dimensions stand in the same order without the transpose: the result's follow theirs. */
static bool keeps_free_order(const struct side *side, const int64_t *permutation)
{
    int64_t last = -1;
    for (int i = 0; i < side->free_count; i++) {
        if (side->type->dims[side->free[i]] == 1)
            continue;
        if (permutation[side->free[i]] < last)
            return false;
        last = permutation[side->free[i]];
    }
    return true;
}

/* A product reads its operand as it lies before a transpose, when strides can say that. */
static void fold_transpose(struct module *module, struct op *dot, int which)
{
    struct op *transpose = dot->operands[which]->def;
    if (!transpose || transpose->code != OP_transpose)
        return;
    struct attrs_dot *at = &dot->attrs.dot;
    struct dims *batch = which ? &at->rhs_batching_dimensions : &at->lhs_batching_dimensions;
    struct dims *contract = which ? &at->rhs_contracting_dimensions : &at->lhs_contracting_dimensions;
    const int64_t *permutation = transpose->attrs.transpose.permutation.at;
    struct side side = side_of(dot->operands[which]->type, *batch, *contract);
    struct dims new_batch = through(module->arena, *batch, permutation);
    struct dims new_contract = through(module->arena, *contract, permutation);
    struct side folded = side_of(transpose->operands[0]->type, new_batch, new_contract);
    if (!keeps_free_order(&side, permutation) || !side_collapses(&folded))
        return;
    *batch = new_batch;
    *contract = new_contract;
    ir_set_operand(module, dot, which, transpose->operands[0]);
}

static void set_contracted(struct module *module, struct op *dot, const struct side *lhs, const struct side *rhs)
{
    struct attrs_dot *at = &dot->attrs.dot;
    at->lhs_contracting_dimensions.at = arena_copy(module->arena, lhs->contract, sizeof lhs->contract);
    at->rhs_contracting_dimensions.at = arena_copy(module->arena, rhs->contract, sizeof rhs->contract);
}

static void prepare_dot(struct module *module, struct op *dot)
{
    struct side lhs, rhs;
    fold_transpose(module, dot, 0);
    fold_transpose(module, dot, 1);
    sides_of(dot, &lhs, &rhs);
    bool left = side_collapses(&lhs), right = side_collapses(&rhs);
    if (left && right)
        return;
    set_contracted(module, dot, &lhs, &rhs);
    if (!left)
        transpose_side(module, dot, 0, &lhs);
    /* The left side's new order of contracted dimensions is the order the right side is sorted by. */
    if (!right)
        transpose_side(module, dot, 1, &rhs);
}

/* ---- convolutions ---------------------------------------------------------------------------------- */
static int64_t at_or(struct dims dims, int i, int64_t otherwise) { return i < dims.count ? dims.at[i] : otherwise; }

static void fill_spatial(const struct op *op, const int64_t strides[3][TYPE_MAX_RANK], int i,
                         struct convolution_spec *out)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    int64_t in = at->input_spatial_dimensions.at[i], kernel = at->kernel_spatial_dimensions.at[i];
    int64_t result = at->output_spatial_dimensions.at[i];
    out->in[i] = op->operands[0]->type->dims[in];
    out->kernel[i] = op->operands[1]->type->dims[kernel];
    out->out_size[i] = op->results[0].type->dims[result];
    out->stride[i] = at_or(at->window_strides, i, 1);
    out->pad_low[i] = i < at->padding.rows ? at->padding.at[2 * i] : 0;
    out->pad_high[i] = i < at->padding.rows ? at->padding.at[2 * i + 1] : 0;
    out->lhs_dilation[i] = at_or(at->lhs_dilation, i, 1);
    out->rhs_dilation[i] = at_or(at->rhs_dilation, i, 1);
    out->reverse[i] = at_or(at->window_reversal, i, 0) != 0;
    out->lhs_stride[i] = strides[0][in];
    out->rhs_stride[i] = strides[1][kernel];
    out->out_stride[i] = strides[2][result];
}

void layout_convolution_spec(const struct op *op, struct convolution_spec *out)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    const struct type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type, *to = op->results[0].type;
    int64_t strides[3][TYPE_MAX_RANK];
    row_major(lhs, strides[0]);
    row_major(rhs, strides[1]);
    row_major(to, strides[2]);
    *out = (struct convolution_spec){.lhs = lhs->dtype, .rhs = rhs->dtype, .out = to->dtype,
                                     .spatial = (int)at->input_spatial_dimensions.count,
                                     .batch = lhs->dims[at->input_batch_dimension],
                                     .in_features = lhs->dims[at->input_feature_dimension],
                                     .out_features = rhs->dims[at->kernel_output_feature_dimension],
                                     .feature_groups = at->feature_group_count,
                                     .batch_groups = at->batch_group_count,
                                     .rhs_constant = is_constant(op->operands[1])};
    for (int i = 0; i < out->spatial; i++)
        fill_spatial(op, strides, i, out);
    if (out->spatial == 0) { /* a matrix product: one dimension of size 1 */
        out->spatial = 1;
        out->in[0] = out->kernel[0] = out->out_size[0] = out->stride[0] = 1;
        out->lhs_dilation[0] = out->rhs_dilation[0] = 1;
        out->lhs_stride[0] = out->rhs_stride[0] = out->out_stride[0] = 1;
    }
    out->lhs_batch_stride = strides[0][at->input_batch_dimension];
    out->lhs_feature_stride = strides[0][at->input_feature_dimension];
    out->rhs_in_stride = strides[1][at->kernel_input_feature_dimension];
    out->rhs_out_stride = strides[1][at->kernel_output_feature_dimension];
    out->out_batch_stride = strides[2][at->output_batch_dimension];
    out->out_feature_stride = strides[2][at->output_feature_dimension];
}

/* ---- the pass -------------------------------------------------------------------------------------- */
static void prepare_block(struct module *module, const struct target *target, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_dot_general && layout_library_serves(op, target))
            prepare_dot(module, op);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                prepare_block(module, target, op->regions[i]);
    }
}

struct error *layout_run(struct module *module, const struct target *target)
{
    for (struct func *func = module->first; func; func = func->next)
        prepare_block(module, target, func->body);
    return NULL;
}
