/* layout.c: see layout.h. */
#include "compiler/passes/layout/layout.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/library_spec.h"
#include "compiler/ir/build.h"
#include "compiler/passes/layout/convolution_layout.h"
#include "compiler/passes/library/library_fft.h"
#include "compiler/passes/library/library_step.h"
#include "compiler/passes/library/library_top_k.h"
#include "compiler/passes/rewrite/dot_operand.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    MANY_CALLS = 4,       /* calls of a library for one product, from which their number matters */
    SMALL_CALL = 1 << 15, /* multiply-adds of a call that cost less than moving its operands */
    THIN = 8,             /* fewer rows or columns leave a library's registers unused */
    MANY = 1 << 16 /* elements of an operand: worth a transpose, which takes 6 ms to compile */
};

/* ---- matrix products ------------------------------------------------------------------------- */
static bool is_free(struct op *dot, int which, int64_t dim)
{
    return !dims_contain(*dot_operand_dims(dot, which, true), dim) &&
           !dims_contain(*dot_operand_dims(dot, which, false), dim);
}

/* Whether the free dimensions, which determine the dimensions of the result, have the same order
 * without the transpose. Dimensions of size 1 may move if the shape of the result is the same. */
static bool keeps_free_order(struct op *dot, int which, const int64_t *permutation)
{
    const struct type *type = dot->operands[which]->type;
    int64_t position[SHAPE_MAX_RANK], last = -1;
    for (int i = 0; i < type->shape.rank; i++)
        position[permutation[i]] = i;
    for (int i = 0, before = 0; i < type->shape.rank; i++) {
        if (!is_free(dot, which, i))
            continue;
        while (!is_free(dot, which, position[before]))
            before++;
        int64_t size = type->shape.dims[i];
        if (type->shape.dims[position[before++]] != size || (size != 1 && permutation[i] < last))
            return false;
        last = size == 1 ? last : permutation[i];
    }
    return true;
}

static bool has_unit(int64_t size_a, int64_t stride_a, int64_t size_b, int64_t stride_b)
{
    return size_a == 1 || size_b == 1 || stride_a == 1 || stride_b == 1;
}

static bool operand_has_unit(const struct dot_spec *s, int which)
{
    return which ? has_unit(s->k, s->rhs_k_stride, s->n, s->rhs_n_stride)
                 : has_unit(s->m, s->lhs_m_stride, s->k, s->lhs_k_stride);
}

/* Whether each matrix has unit stride in its rows or in its columns; libraries would copy other
 * matrices element by element. */
static bool has_unit_strides(const struct dot_spec *s)
{
    return operand_has_unit(s, 0) && operand_has_unit(s, 1) &&
           has_unit(s->m, s->out_m_stride, s->n, s->out_n_stride);
}

/* Whether a dimension of an operand that is not nested in the others makes the product a sequence
 * of calls that cost more than moving the operand: small ones, or ones with few rows or columns. */
static bool is_many_small(const struct dot_spec *s)
{
    bool is_batch = s->lhs_outer_stride && s->rhs_outer_stride;
    bool is_thin = (s->lhs_outer_stride ? s->m : s->n) < THIN;
    return s->outer >= MANY_CALLS && !is_batch &&
           (is_thin || (double)s->batch * s->m * s->n * s->k <= SMALL_CALL);
}

/* Whether a specification describes the product, and executes it well. */
static bool is_good(const struct op *dot, struct dot_spec *spec)
{
    return library_spec_dot(dot, spec) && !is_many_small(spec);
}

/* Replaces a transposed operand by the operand of the transpose, if a specification can describe
 * the product. */
static void fold_transpose(struct module *module, struct op *dot, int which)
{
    struct op *transpose = dot->operands[which]->def;
    struct dot_spec spec;
    if (!transpose || transpose->code != OP_transpose)
        return;
    const int64_t *permutation = transpose->attrs.transpose.permutation.at;
    if (!keeps_free_order(dot, which, permutation))
        return;
    struct dims *batch = dot_operand_dims(dot, which, true),
                *contract = dot_operand_dims(dot, which, false);
    struct dims old_batch = *batch, old_contract = *contract;
    *batch = rewrite_permuted(module, old_batch, permutation);
    *contract = rewrite_permuted(module, old_contract, permutation);
    ir_set_operand(module, dot, which, transpose->operands[0]);
    if (is_good(dot, &spec) && has_unit_strides(&spec))
        return;
    *batch = old_batch;
    *contract = old_contract;
    ir_set_operand(module, dot, which, &transpose->results[0]);
}

/* Whether an operation computes each element from one element of a value, and constants. */
static bool is_scaling(const struct op *op, const struct value *value)
{
    const int rank = value->type->shape.rank;
    if (!(op_info(op->code)->traits & OP_ELEMENTWISE) || op->result_count != 1 ||
        op->results[0].type->shape.rank != rank)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i] != value &&
            (!constants_is_splat(op->operands[i]) || op->operands[i]->type->shape.rank != rank))
            return false;
    return true;
}

/* The transpose of a product, or of what scales its elements, if they have no other users. */
static struct op *transpose_of(const struct op *dot)
{
    const struct value *value = &dot->results[0];
    while (ir_has_one_use(value) && value->uses->user->block == dot->block) {
        struct op *user = value->uses->user;
        if (user->code == OP_transpose)
            return user;
        if (!is_scaling(user, value))
            return NULL;
        value = &user->results[0];
    }
    return NULL;
}

/* Moves a transpose above the operation that scales what it reads; returns the new one. */
static struct op *raise_transpose(struct module *module, struct op *transpose)
{
    struct op *scaling = transpose->operands[0]->def;
    const struct type *type = transpose->results[0].type;
    struct builder b = rewrite_before(module, scaling);
    struct value **operands = ARENA_ARRAY(module->arena, struct value *, scaling->operand_count);
    struct value *raised = NULL;
    for (int i = 0; i < scaling->operand_count; i++) {
        struct value *from = scaling->operands[i];
        if (constants_is_splat(from))
            operands[i] = build_splat_like(&b, from, &type->shape);
        else
            operands[i] = raised =
                build_transpose(&b, from, transpose->attrs.transpose.permutation.at);
    }
    struct value *result =
        build_declared(&b, scaling->code, scaling->operand_count, operands, type, &scaling->attrs);
    ir_replace_uses(module, &transpose->results[0], result);
    ir_remove(transpose);
    ir_remove(scaling);
    return raised->def;
}

/* Fuses a product with the transpose of its (scaled) result. Returns the fusion; NULL if
 * they cannot be fused. */
static struct op *fuse_transpose(struct module *module, const struct target *target, struct op *dot)
{
    struct dot_spec spec;
    struct op *transpose = transpose_of(dot);
    if (!transpose || !library_spec_dot_transposed(dot, transpose, &spec) ||
        !has_unit_strides(&spec) || is_many_small(&spec) || !target->supports_dot(&spec))
        return NULL;
    while (transpose->operands[0] != &dot->results[0])
        transpose = raise_transpose(module, transpose);
    struct value *result = &transpose->results[0];
    struct op *fusion =
        fusion_make(module, FUSION_DOT, dot, 2, (struct op *[]){dot, transpose}, 1, &result);
    fusion->location = dot->location;
    ir_replace_uses(module, result, &fusion->results[0]);
    ir_remove(transpose);
    ir_remove(dot);
    return fusion;
}

/* Whether a library reads an operand as it is, row by row or column by column; it gathers small
 * ones in less time than compiling a transpose is worth. */
static bool is_readable(const struct op *dot, int which)
{
    struct dot_spec spec;
    return is_good(dot, &spec) &&
           (operand_has_unit(&spec, which) || type_elements(dot->operands[which]->type) < MANY);
}

static struct op *prepare_dot(struct module *module, const struct target *target, struct op *dot)
{
    fold_transpose(module, dot, 0);
    fold_transpose(module, dot, 1);
    struct op *fusion = fuse_transpose(module, target, dot);
    if (fusion)
        return fusion;
    for (int which = 0; which < 2; which++)
        if (!is_readable(dot, which))
            dot_operand_transpose(module, dot, which);
    fusion = fuse_transpose(module, target, dot);
    return fusion ? fusion : dot;
}

/* ---- the pass -------------------------------------------------------------------------------- */
static struct error *prepare_block(struct module *module, const struct target *target,
                                   struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_fft)
            TRY(library_fft_make_call(module, target, op, &op));
        if (op->code == OP_sort && library_top_k_is_call(op, target))
            op = library_top_k_make_call(module, op);
        op = library_step_widen(module, target, op);
        if (op->code == OP_dot_general && library_step_may_be(op, target))
            op = prepare_dot(module, target, op);
        else if (op->code == OP_dot_general && library_step_is_thin_loop(op))
            dot_operand_transpose(module, op, 1);
        else if (op->code == OP_convolution)
            convolution_layout_arrange(module, target, op);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                TRY(prepare_block(module, target, op->regions[i]));
    }
    return NULL;
}

struct error *layout_run(struct module *module, const struct target *target)
{
    for (struct func *func = module->first; func; func = func->next)
        TRY(prepare_block(module, target, func->body));
    return NULL;
}
