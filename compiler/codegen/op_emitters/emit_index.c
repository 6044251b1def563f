/* emit_index.c: operations that only move elements. Each maps an index of its result to an index of
 * an operand. */
#include <string.h>

#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/element/element_convert.h"
#include "compiler/codegen/op_emitters/computed_index.h"
#include "compiler/codegen/op_emitters/moved_index.h"
#include "compiler/codegen/op_emitters/op_emitters.h"
#include "compiler/schedule/access.h"

enum {
    VIEWS = 16,        /* most slices and reshapes above each other that are looked through */
    WHOLE_VECTORS = 16 /* to a seam, from which on it is rare */
};

struct error *emit_moved(struct emitter *e, const struct op *op, const struct index *index,
                         struct element *out)
{
    struct index operand = moved_index(e, op, index);
    return expression_emit(e, op->operands[0], &operand, out);
}

/* Where there is an operand under a padding; NULL: everywhere. With padding between elements, the
 * condition is in parts besides, which hold together: processors without masks of lanes have no
 * short way to join them. */
struct inside {
    LLVMValueRef all;
    LLVMValueRef whole; /* the same for all lanes */
    LLVMValueRef known; /* a constant for each lane */
    LLVMValueRef lanes;
    bool is_rare; /* `whole` is false for most vectors, for which a branch leaves out all work */
};

static void inside_add(struct emitter *e, struct inside *inside, LLVMValueRef condition)
{
    LLVMValueRef *part = &inside->lanes;
    if (!condition)
        return;
    if (element_of(condition).lanes == 1)
        part = &inside->whole;
    else if (LLVMIsConstant(condition))
        part = &inside->known;
    *part = expression_and(e, *part, condition);
    inside->all = expression_and(e, inside->all, condition);
}

static struct element inside_select(struct emitter *e, const struct inside *inside,
                                    const struct element *operand, const struct element *padding)
{
    const LLVMValueRef joined[] = {inside->all, NULL, NULL},
                       parts[] = {inside->known, inside->lanes, inside->whole},
                       *conditions = inside->is_rare ? parts : joined;
    struct element selected = *operand;
    for (int i = 0; i < 3; i++)
        if (conditions[i]) {
            struct element condition = element_of(conditions[i]);
            selected = element_select(e, &condition, &selected, padding);
        }
    return selected;
}

/* The operand's position along dimension i, and the condition that there is one. Without padding
 * there always is: the index may then be that of a loop over this dimension and the one around. */
static struct affine unpad(struct emitter *e, const struct op *op, int i, const struct affine *at,
                           struct inside *inside)
{
    const struct access access = access_of(op, 0, i);
    int lanes;
    int64_t step = access.divisor, size = op->operands[0]->type->shape.dims[i];
    if (!access.guarded)
        return *at;
    struct affine from = affine_offset(at, access.offset), quotient, rest;
    inside_add(e, inside, affine_inside(e, &from, 0, (size - 1) * step + 1, &lanes));
    if (size == 1)
        return affine_constant(0);
    if (step == 1)
        return from;
    affine_divide(e, &from, step, &quotient, &rest);
    inside_add(e, inside, affine_inside(e, &rest, 0, 1, &lanes));
    inside->is_rare |= lanes == 1;
    return quotient;
}

struct error *emit_pad(struct emitter *e, const struct op *op, const struct index *index,
                       struct element *out)
{
    const struct type *from = op->operands[0]->type;
    struct affine *at = affine_array(e, index->rank);
    struct element padding, operand;
    struct inside inside = {0};
    TRY(expression_scalar(e, op->operands[1], &padding));
    if (!type_elements(from)) {
        *out = padding;
        return NULL;
    }
    for (int i = 0; i < index->rank; i++)
        at[i] = unpad(e, op, i, &index->at[i], &inside);
    struct index position = affine_index(index->rank, at);
    TRY(expression_guarded(e, op->operands[0], &position, inside.all, &operand));
    *out = inside_select(e, &inside, &operand, &padding);
    return NULL;
}

/* Emits one piece of a concatenation: in a branch if `branch`, taken if some lane needs the piece,
 * unless one certainly does. In one that all lanes take, loads need no mask. */
static struct error *emit_piece(struct emitter *e, const struct value *piece,
                                const struct index *index, LLVMValueRef inside, bool branch,
                                struct element *out)
{
    struct element value, condition = element_of(inside), before = *out;
    int parts = out->part[1] ? 2 : 1;
    branch = branch && !emitter_is_certain(inside, condition.lanes);
    struct branch *body =
        branch ? emitter_branch_begin(e, emitter_any(e, inside, condition.lanes)) : NULL;
    if (body && condition.lanes == 1)
        condition = element_of(LLVMConstInt(e->i1, 1, false));
    TRY(expression_guarded(e, piece, index, condition.part[0], &value));
    *out = element_select(e, &condition, &value, out);
    *out = element_widen(e, out, before.lanes);
    if (body)
        emitter_branch_end(e, body, parts, out->part, before.part);
    return NULL;
}

/* Whether an element is loaded from a buffer, with no operation on it. */
static bool is_load(const struct emitter *e, const struct value *value)
{
    for (int i = 0; i < VIEWS && !map_get_pointer(e->buffers, value) && value->def &&
                    (value->def->code == OP_slice || value->def->code == OP_reshape);
         i++)
        value = value->def->operands[0];
    return map_get_pointer(e->buffers, value);
}

/* Whether the operands of a concatenation are slices of one value that differ only in where they
 * begin along its dimension, as those of a roll. */
static bool is_shift(const struct op *op)
{
    const struct op *first = op->operands[0]->def;
    int dim = (int)op->attrs.dimension.dimension;
    for (int i = 0; i < op->operand_count; i++) {
        const struct op *slice = op->operands[i]->def;
        if (!slice || slice->code != OP_slice || slice->operands[0] != first->operands[0])
            return false;
        const struct attrs_slice *at = &slice->attrs.slice, *other = &first->attrs.slice;
        for (int k = 0; k < at->strides.count; k++)
            if (at->strides.at[k] != other->strides.at[k] ||
                (k != dim && at->start_indices.at[k] != other->start_indices.at[k]))
                return false;
    }
    return true;
}

/* The index in a slice's operand along dimension `dim`, if that in a concatenation which it is an
 * operand of, after `before` elements, is `at`. */
static struct affine sliced_at(const struct affine *at, const struct op *slice, int dim,
                               int64_t before)
{
    const struct attrs_slice *slice_attrs = &slice->attrs.slice;
    struct affine from = affine_offset(at, -before);
    from = affine_scale(&from, slice_attrs->strides.at[dim]);
    return affine_offset(&from, slice_attrs->start_indices.at[dim]);
}

/* The index in the slices' operand along the dimension of a shift, whose result's index there is
 * `at`, the same for all lanes. */
static LLVMValueRef select_shifted(struct emitter *e, const struct op *op, const struct affine *at)
{
    int dim = (int)op->attrs.dimension.dimension, lanes;
    struct affine from = sliced_at(at, op->operands[0]->def, dim, 0);
    LLVMValueRef selected = affine_scalar(e, &from);
    int64_t before = 0, min, max, size = op->results[0].type->shape.dims[dim];
    for (int i = 1; i < op->operand_count; i++) {
        before += op->operands[i - 1]->type->shape.dims[dim];
        from = sliced_at(at, op->operands[i]->def, dim, before);
        LLVMValueRef inside = affine_inside(e, at, INT64_MIN, before, &lanes);
        if (inside)
            selected = LLVMBuildSelect(e->builder, inside, selected, affine_scalar(e, &from), "");
    }
    affine_range(e, at, &min, &max);
    if (min >= 0 && max < size)
        return selected;
    int64_t last = op->operands[0]->def->operands[0]->type->shape.dims[dim] - 1;
    selected = emitter_binary(e, "llvm.smin", selected, emitter_i64(e, last));
    return emitter_binary(e, "llvm.smax", selected, emitter_i64(e, 0));
}

/* Emits an element of a shift across the lanes: its index is selected, outside of the loop over
 * the lanes, and not the element. */
static struct error *emit_shift(struct emitter *e, const struct op *op, const struct index *index,
                                struct element *out)
{
    int dim = (int)op->attrs.dimension.dimension;
    const struct op *slice = op->operands[0]->def;
    int64_t last = slice->operands[0]->type->shape.dims[dim] - 1;
    int depth = affine_depth(e, &index->at[dim]);
    struct scope *back = emitter_enter(e, emitter_scope(e, depth));
    int var = emitter_var(e, select_shifted(e, op, &index->at[dim]), 1, 0, last, depth);
    emitter_leave(e, back);
    struct affine *at = affine_array(e, index->rank);
    for (int i = 0; i < index->rank; i++)
        at[i] = i == dim ? affine_var(var) : sliced_at(&index->at[i], slice, i, 0);
    struct index position = affine_index(index->rank, at);
    return expression_emit(e, slice->operands[0], &position, out);
}

static struct error *emit_pieces(struct emitter *e, const struct op *op, const struct index *index,
                                 struct element *out)
{
    int dim = (int)op->attrs.dimension.dimension, lanes;
    int64_t before = 0, min, max;
    affine_range(e, &index->at[dim], &min, &max);
    *out = element_from_double(e, op->results[0].type->shape.dtype, 0); /* if in no piece */
    *out = element_widen(e, out, expression_lanes(e, index));
    for (int i = 0; i < op->operand_count; i++) {
        const struct type *type = op->operands[i]->type;
        int64_t size = type->shape.dims[dim];
        if (size == 0 || min >= before + size || max < before) {
            before += size;
            continue;
        }
        struct affine *at = arena_copy(e->arena, index->at, (size_t)index->rank * sizeof *at);
        at[dim] = affine_offset(&at[dim], -before);
        LLVMValueRef inside = affine_inside(e, &at[dim], 0, size, &lanes);
        if (size == 1) /* the same for all lanes */
            at[dim] = affine_constant(0);
        struct index position = affine_index(index->rank, at);
        if (!inside)
            return expression_emit(e, op->operands[i], &position, out);
        bool branch = lanes == 1 || op->operand_count > 2 || !is_load(e, op->operands[i]);
        TRY(emit_piece(e, op->operands[i], &position, inside, branch, out));
        before += size;
    }
    return NULL;
}

/* Whether hardly any vector has elements of both operands, and masks for it would take several
 * registers, as those of bytes do. */
static bool has_rare_seam(const struct emitter *e, const struct op *op, const struct affine *at)
{
    int64_t min, max, stride, size = op->results[0].type->shape.dims[op->attrs.dimension.dimension];
    if (op->operand_count != 2 || e->lanes * 4 <= e->target->isa.vector_bytes || e->guard ||
        e->tail || !affine_lane_stride(e, at, &stride) || stride != 1)
        return false;
    affine_range(e, at, &min, &max);
    return min >= 0 && max < size && size >= (int64_t)WHOLE_VECTORS * e->lanes &&
           is_load(e, op->operands[0]) && is_load(e, op->operands[1]);
}

/* Whether all lanes, from index `at` on, are in operand `i` of two, of which the second begins at
 * `seam`; for i == 2, whether both have some. */
static LLVMValueRef is_on_side(struct emitter *e, const struct affine *at, int64_t seam, int i)
{
    LLVMValueRef first = affine_scalar(e, at), both = emitter_i64(e, seam - e->lanes + 1);
    if (i == 0)
        return LLVMBuildICmp(e->builder, LLVMIntSLT, first, both, "");
    if (i == 1)
        return LLVMBuildICmp(e->builder, LLVMIntSGE, first, emitter_i64(e, seam), "");
    first = LLVMBuildSub(e->builder, first, both, "");
    return LLVMBuildICmp(e->builder, LLVMIntULT, first, emitter_i64(e, e->lanes - 1), "");
}

/* Emits a concatenation with a rare seam: only the vector at the seam has masks. The guard is true
 * and keeps loads in their branch: elsewhere they would access memory outside of the operand. */
static struct error *emit_beside_seam(struct emitter *e, const struct op *op,
                                      const struct index *index, struct element *out)
{
    int dim = (int)op->attrs.dimension.dimension;
    int parts = dtype_is_complex(op->results[0].type->shape.dtype) ? 2 : 1;
    int64_t seam = op->operands[0]->type->shape.dims[dim];
    LLVMValueRef always = LLVMConstInt(e->i1, 1, false);
    *out = element_from_double(e, op->results[0].type->shape.dtype, 0);
    *out = element_widen(e, out, e->lanes);
    for (int i = 0; i < 3; i++) {
        struct element before = *out;
        struct affine *at = arena_copy(e->arena, index->at, (size_t)index->rank * sizeof *at);
        struct index position = affine_index(index->rank, at);
        struct branch *body = emitter_branch_begin(e, is_on_side(e, &index->at[dim], seam, i));
        at[dim] = affine_offset(&at[dim], i == 1 ? -seam : 0);
        TRY(i == 2 ? emit_pieces(e, op, &position, out)
                   : expression_guarded(e, op->operands[i], &position, always, out));
        *out = element_widen(e, out, before.lanes);
        emitter_branch_end(e, body, parts, out->part, before.part);
    }
    return NULL;
}

struct error *emit_concatenate(struct emitter *e, const struct op *op, const struct index *index,
                               struct element *out)
{
    const struct affine *at = &index->at[op->attrs.dimension.dimension];
    if (is_shift(op) && type_elements(op->results[0].type) && affine_is_uniform(e, at))
        return emit_shift(e, op, index, out);
    if (has_rare_seam(e, op, at))
        return emit_beside_seam(e, op, index, out);
    return emit_pieces(e, op, index, out);
}

struct error *emit_iota(struct emitter *e, const struct op *op, const struct index *index,
                        struct element *out)
{
    const struct affine *at = &index->at[op->attrs.iota.iota_dimension];
    enum dtype dtype = op->results[0].type->shape.dtype, to = dtype_real_part(dtype);
    int64_t min, max;
    affine_range(e, at, &min, &max);
    /* LLVM knows that the upper halves of integers that were extended with zeros are zero. */
    enum dtype narrowed = dtype_is_float(to) || min < 0 ? DTYPE_S32 : DTYPE_U32;
    bool narrow = min > INT32_MIN && max < INT32_MAX, uniform = affine_is_uniform(e, at);
    LLVMValueRef value;
    if (uniform)
        value = narrow ? LLVMBuildTrunc(e->builder, affine_scalar(e, at), e->i32, "")
                       : affine_scalar(e, at);
    else
        value = narrow ? affine_vector32(e, at) : affine_vector(e, at);
    value = element_convert(e, value, narrow ? narrowed : DTYPE_S64, to);
    *out = element_of(value);
    if (dtype_is_complex(dtype))
        out->part[1] = LLVMConstNull(LLVMTypeOf(value));
    return NULL;
}

/* A splat is an immediate; other literals are in the object's constant section. */
struct error *emit_constant(struct emitter *e, const struct op *op, const struct index *index,
                            struct element *out)
{
    const struct literal *literal = op->attrs.constant.value;
    const struct type *type = op->results[0].type;
    int64_t count = type_elements(type);
    if (!count || literal->splat || count == 1) {
        *out = count ? element_constant(e, type->shape.dtype, literal->bytes)
                     : element_from_double(e, type->shape.dtype, 0);
        return NULL;
    }
    LLVMValueRef bytes = map_get_pointer(e->buffers, op);
    if (!bytes) {
        bytes = emitter_constant_bytes(e, literal->bytes, type_bytes(type));
        map_put_pointer(e->buffers, op, bytes);
    }
    struct affine offset = affine_linear(e, index, type->shape.dims);
    *out = element_load(e, bytes, type->shape.dtype, &offset, count);
    return NULL;
}

/* Start positions of a dynamic slice or update, clamped so that the slice is in bounds. */
static struct error *read_starts(struct emitter *e, const struct op *op, int first,
                                 const int64_t *sizes, struct affine *starts)
{
    const struct type *type = op->operands[0]->type;
    for (int i = 0; i < type->shape.rank; i++) {
        struct element start;
        starts[i] = affine_constant(0);
        if (sizes[i] == type->shape.dims[i])
            continue;
        TRY(expression_scalar(e, op->operands[first + i], &start));
        bool is_signed = element_is_signed(op->operands[first + i]->type->shape.dtype);
        struct scope *back = emitter_enter(e, emitter_scope(e, e->binding ? e->scope->depth : 0));
        starts[i] = affine_from_value(e, start.part[0], is_signed, type->shape.dims[i] - sizes[i],
                                      e->scope->depth);
        emitter_leave(e, back);
    }
    return NULL;
}

/* The starts of an operation are the same in every lane and iteration, so they are read once. */
struct error *emit_starts(struct emitter *e, const struct op *op, int first, const int64_t *sizes,
                          struct affine **starts)
{
    *starts = map_get_pointer(e->buffers, op);
    if (*starts)
        return NULL;
    const struct guard *guard = e->guard;
    *starts = affine_array(e, op->operands[0]->type->shape.rank);
    e->guard = NULL;
    struct error *error = read_starts(e, op, first, sizes, *starts);
    e->guard = guard;
    if (!error && !e->binding)
        map_put_pointer(e->buffers, op, *starts);
    return error;
}

struct error *emit_dynamic_slice(struct emitter *e, const struct op *op, const struct index *index,
                                 struct element *out)
{
    struct affine *starts, *at = affine_array(e, index->rank);
    TRY(emit_starts(e, op, 1, op->attrs.dynamic_slice.slice_sizes.at, &starts));
    for (int i = 0; i < index->rank; i++)
        at[i] = affine_add(e, &index->at[i], &starts[i]);
    struct index operand = affine_index(index->rank, at);
    return expression_emit(e, op->operands[0], &operand, out);
}

struct error *emit_dynamic_update_slice(struct emitter *e, const struct op *op,
                                        const struct index *index, struct element *out)
{
    const struct type *update = op->operands[1]->type;
    struct affine *starts, *at = affine_array(e, index->rank);
    LLVMValueRef inside = NULL;
    struct element old, new;
    int lanes;
    TRY(expression_emit(e, op->operands[0], index, &old));
    *out = old;
    if (!type_elements(update))
        return NULL;
    TRY(emit_starts(e, op, 2, update->shape.dims, &starts));
    for (int i = 0; i < index->rank; i++) {
        struct affine minus = affine_scale(&starts[i], -1);
        at[i] = affine_add(e, &index->at[i], &minus);
        inside =
            expression_and(e, inside, affine_inside(e, &at[i], 0, update->shape.dims[i], &lanes));
    }
    struct index position = affine_index(index->rank, at);
    TRY(expression_guarded(e, op->operands[1], &position, inside, &new));
    struct element condition = inside ? element_of(inside) : new;
    *out = inside ? element_select(e, &condition, &new, &old) : new;
    return NULL;
}

/* ---- gather ---------------------------------------------------------------------------------- */
/* Extracts the batch dimensions of a gather's result index, in order. */
static int batch_index(const struct attrs_gather *gather, const struct index *index,
                       struct affine *batch)
{
    int count = 0;
    for (int i = 0; i < index->rank; i++)
        if (!dims_contain(gather->offset_dims, i))
            batch[count++] = index->at[i];
    return count;
}

/* Loads start_indices[batch with k at index_vector_dim], clamped. */
static struct error *read_start(struct emitter *e, const struct op *op, const struct affine *batch,
                                int k, int64_t limit, struct affine *start)
{
    const struct value *indices = op->operands[1];
    int vector_dim = (int)op->attrs.gather.index_vector_dim, rank = indices->type->shape.rank;
    struct affine *at = affine_array(e, rank);
    for (int i = 0, from = 0; i < rank; i++)
        at[i] = i == vector_dim ? affine_constant(k) : batch[from++];
    struct index index = affine_index(rank, at);
    struct element element;
    if (computed_index(e, indices, &index, limit, start))
        return NULL;
    TRY(expression_emit(e, indices, &index, &element));
    int depth = affine_index_depth(e, &index);
    depth = e->guard && e->guard->depth > depth ? e->guard->depth : depth;
    struct scope *back = emitter_enter(e, emitter_scope(e, depth));
    bool is_signed = element_is_signed(indices->type->shape.dtype);
    *start = affine_from_value(e, element.part[0], is_signed, limit, depth);
    emitter_leave(e, back);
    return NULL;
}

/* The position of batching dimension k among start_indices' dimensions without the index vector. */
static int batching_position(const struct attrs_gather *gather, int64_t k)
{
    int64_t dim = gather->start_indices_batching_dims.at[k];
    return (int)(dim - (dim > gather->index_vector_dim));
}

struct error *emit_gather(struct emitter *e, const struct op *op, const struct index *index,
                          struct element *out)
{
    const struct attrs_gather *gather = &op->attrs.gather;
    const struct type *from = op->operands[0]->type;
    const struct index within = moved_index(e, op, index);
    struct affine batch[SHAPE_MAX_RANK];
    struct affine *at = arena_copy(e->arena, within.at, (size_t)within.rank * sizeof *at);
    batch_index(gather, index, batch);
    for (int64_t k = 0; k < gather->operand_batching_dims.count; k++)
        at[gather->operand_batching_dims.at[k]] = batch[batching_position(gather, k)];
    for (int64_t k = 0; k < gather->start_index_map.count; k++) {
        int64_t dim = gather->start_index_map.at[k];
        struct affine start;
        TRY(read_start(e, op, batch, (int)k, from->shape.dims[dim] - gather->slice_sizes.at[dim],
                       &start));
        at[dim] = affine_add(e, &at[dim], &start);
    }
    struct index operand = affine_index(from->shape.rank, at);
    return expression_emit(e, op->operands[0], &operand, out);
}
