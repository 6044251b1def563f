/* infer_control.c: type inference of control flow, reducers, tuples and tokens. */
#include <inttypes.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/infer_check.h"

static struct error *check_result_count(struct arena *arena, const struct op *op, int count)
{
    if (op->result_count != count)
        return infer_check_bad(arena, op, "has %d results; it must have %d", op->result_count,
                               count);
    return NULL;
}

/* The arguments of region r have the types of the operands. */
static struct error *check_arguments_are_operands(struct arena *arena, const struct op *op, int r)
{
    const struct block *block = op->regions[r];
    if (block->argument_count != op->operand_count)
        return infer_check_bad(arena, op, "region %d has %d arguments; it must have %d", r,
                               block->argument_count, op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        if (!type_same(block->arguments[i].type, infer_check_type(op, i)))
            return infer_check_bad(arena, op, "argument %d of region %d is %s; it must be %s", i, r,
                                   type_text(arena, block->arguments[i].type),
                                   type_text(arena, infer_check_type(op, i)));
    return NULL;
}

/* Region r returns values of the result types. Results without a type get theirs from the first
 * region. */
static struct error *check_returns_are_results(struct arena *arena, struct op *op, int r)
{
    const struct op *ret = infer_check_return(op, r);
    if (ret->operand_count != op->result_count)
        return infer_check_bad(arena, op, "region %d returns %d values; it must return %d", r,
                               ret->operand_count, op->result_count);
    for (int i = 0; i < op->result_count; i++)
        TRY(infer_check_result(arena, op, i, infer_check_type(ret, i)));
    return NULL;
}

/* ---- control flow ---------------------------------------------------------------------------- */

/* if and case: the branches have no arguments and return the results. */
struct error *infer_control(struct arena *arena, struct op *op)
{
    bool is_if = op->code == OP_if;
    TRY(infer_check_scalar(arena, op, 0, is_if ? INFER_PRED : INFER_INTEGER));
    if (!is_if && infer_check_type(op, 0)->shape.dtype != DTYPE_S32)
        return infer_check_bad(arena, op, "the index is %s; it must be tensor<i32>",
                               type_text(arena, infer_check_type(op, 0)));
    if (op->region_count < 1)
        return infer_check_bad(arena, op, "has no branches; it must have at least one");
    TRY(infer_check_regions(arena, op, is_if ? 2 : op->region_count));
    for (int r = 0; r < op->region_count; r++) {
        if (op->regions[r]->argument_count != 0)
            return infer_check_bad(arena, op, "branch %d has arguments; it must have none", r);
        TRY(check_returns_are_results(arena, op, r));
    }
    return NULL;
}

static struct error *check_while(struct arena *arena, struct op *op)
{
    TRY(infer_check_regions(arena, op, 2));
    TRY(check_arguments_are_operands(arena, op, 0));
    TRY(check_arguments_are_operands(arena, op, 1));
    TRY(infer_check_returns_pred(arena, op, 0));
    return check_returns_are_results(arena, op, 1);
}

static struct error *check_sort(struct arena *arena, struct op *op)
{
    int64_t *dimension = &op->attrs.sort.dimension;
    if (op->operand_count < 1)
        return infer_check_bad(arena, op, "has no operands; it must have at least one");
    TRY(infer_check_regions(arena, op, 1));
    TRY(infer_check_scalar_arguments(arena, op, 0, 2 * op->operand_count));
    TRY(infer_check_returns_pred(arena, op, 0));
    for (int i = 0; i < op->operand_count; i++) {
        TRY(infer_check_tensor(arena, op, i));
        TRY(infer_check_same_shape(arena, op, 0, i));
        for (int k = 0; k < 2; k++)
            if (op->regions[0]->arguments[2 * i + k].type->shape.dtype !=
                infer_check_type(op, i)->shape.dtype)
                return infer_check_bad(arena, op,
                                       "arguments %d and %d of the comparator must be %s", 2 * i,
                                       2 * i + 1, dtype_name(infer_check_type(op, i)->shape.dtype));
    }
    int rank = infer_check_type(op, 0)->shape.rank;
    TRY(infer_check_range(arena, op, "dimension", *dimension, -rank, rank - 1));
    *dimension += *dimension < 0 ? rank : 0; /* negative: counted from the end */
    return NULL;
}

/* while, sort, optimization_barrier: result i has the type of operand i. */
struct error *infer_operands(struct arena *arena, struct op *op)
{
    TRY(check_result_count(arena, op, op->operand_count));
    for (int i = 0; i < op->operand_count; i++)
        TRY(infer_check_result(arena, op, i, infer_check_type(op, i)));
    if (op->code == OP_while)
        return check_while(arena, op);
    return op->code == OP_sort ? check_sort(arena, op) : NULL;
}

/* The result is the first operand; the others are what the copy reads. */
struct error *infer_copy_done(struct arena *arena, struct op *op)
{
    if (op->operand_count < 1)
        return infer_check_bad(arena, op, "has no operands");
    return infer_check_result(arena, op, 0, infer_check_type(op, 0));
}

/* The region's arguments are the operands. The result is a future: a tuple of the values that the
 * region returns. */
struct error *infer_async_start(struct arena *arena, struct op *op)
{
    TRY(infer_check_regions(arena, op, 1));
    TRY(check_arguments_are_operands(arena, op, 0));
    const struct op *ret = infer_check_return(op, 0);
    const struct type **types = ARENA_ARRAY(arena, const struct type *, (size_t)ret->operand_count);
    for (int i = 0; i < ret->operand_count; i++)
        types[i] = infer_check_type(ret, i);
    return infer_check_result(arena, op, 0, type_tuple(arena, ret->operand_count, types));
}

struct error *infer_async_done(struct arena *arena, struct op *op)
{
    const struct type *type = infer_check_type(op, 0);
    if (type->kind != TYPE_TUPLE)
        return infer_check_bad(arena, op, "operand 0 is %s; it must be a future",
                               type_text(arena, type));
    TRY(check_result_count(arena, op, type->element_count));
    for (int i = 0; i < op->result_count; i++)
        TRY(infer_check_result(arena, op, i, type->elements[i]));
    return NULL;
}

struct error *infer_fusion(struct arena *arena, struct op *op)
{
    TRY(infer_check_regions(arena, op, 1));
    TRY(check_arguments_are_operands(arena, op, 0));
    return check_returns_are_results(arena, op, 0);
}

struct error *infer_no_results(struct arena *arena, struct op *op)
{
    return check_result_count(arena, op, 0);
}

/* ---- reducers -------------------------------------------------------------------------------- */

/* N inputs of one shape and N scalars; the region has 2 N scalar arguments and returns N
 * scalars. */
static struct error *check_reducer(struct arena *arena, const struct op *op, int *count)
{
    *count = op->operand_count / 2;
    if (op->operand_count < 2 || op->operand_count % 2)
        return infer_check_bad(arena, op,
                               "has %d operands; there must be an initial value for each input",
                               op->operand_count);
    TRY(check_result_count(arena, op, *count));
    TRY(infer_check_regions(arena, op, 1));
    for (int i = 0; i < *count; i++) {
        TRY(infer_check_tensor(arena, op, i));
        TRY(infer_check_same_shape(arena, op, 0, i));
        TRY(infer_check_scalar(arena, op, *count + i, INFER_ANY));
    }
    TRY(infer_check_reducer(arena, op, 0, *count, *count));
    return infer_check_reducer(arena, op, 0, *count, 0);
}

/* The element type of result i: the region's, which may be wider than the input's. */
static enum dtype reduced_dtype(const struct op *op, int i)
{
    return op->regions[0]->arguments[i].type->shape.dtype;
}

struct error *infer_reduce(struct arena *arena, struct op *op)
{
    int count, rank = 0;
    int64_t dims[SHAPE_MAX_RANK];
    TRY(check_reducer(arena, op, &count));
    const struct type *type = infer_check_type(op, 0);
    struct dims reduced = op->attrs.dimensions.dimensions;
    TRY(infer_check_distinct(arena, op, "dimensions", reduced, type->shape.rank));
    for (int i = 0; i < type->shape.rank; i++)
        if (!dims_contain(reduced, i))
            dims[rank++] = type->shape.dims[i];
    for (int i = 0; i < count; i++)
        TRY(infer_check_result_dims(arena, op, i, reduced_dtype(op, i), rank, dims));
    return NULL;
}

static struct error *check_padding(struct arena *arena, const struct op *op, struct pairs padding,
                                   int rank)
{
    if (padding.rows != rank || (rank && padding.columns != 2))
        return infer_check_bad(arena, op,
                               "padding is %" PRId64 " by %" PRId64 "; it must be %d by 2",
                               padding.rows, padding.columns, rank);
    return NULL;
}

struct error *infer_reduce_window(struct arena *arena, struct op *op)
{
    int count;
    TRY(check_reducer(arena, op, &count));
    const struct type *type = infer_check_type(op, 0);
    struct attrs_window *w = &op->attrs.window;
    int64_t dims[SHAPE_MAX_RANK];
    infer_check_default(arena, &w->window_strides, type->shape.rank, 1);
    infer_check_default(arena, &w->base_dilations, type->shape.rank, 1);
    infer_check_default(arena, &w->window_dilations, type->shape.rank, 1);
    infer_check_default_pairs(arena, &w->padding, type->shape.rank);
    TRY(infer_check_list(arena, op, "window_dimensions", w->window_dimensions, type->shape.rank, 1,
                         INFER_MAX_SIZE));
    TRY(infer_check_list(arena, op, "window_strides", w->window_strides, type->shape.rank, 1,
                         INFER_MAX_SIZE));
    TRY(infer_check_list(arena, op, "base_dilations", w->base_dilations, type->shape.rank, 1,
                         INFER_MAX_SIZE));
    TRY(infer_check_list(arena, op, "window_dilations", w->window_dilations, type->shape.rank, 1,
                         INFER_MAX_SIZE));
    TRY(check_padding(arena, op, w->padding, type->shape.rank));
    for (int i = 0; i < type->shape.rank; i++) {
        struct infer_window window = {w->window_dimensions.at[i], w->window_strides.at[i],
                                      w->padding.at[2 * i],       w->padding.at[2 * i + 1],
                                      w->base_dilations.at[i],    w->window_dilations.at[i]};
        TRY(infer_check_window(arena, op, type->shape.dims[i], &window, &dims[i]));
    }
    for (int i = 0; i < count; i++)
        TRY(infer_check_result_dims(arena, op, i, reduced_dtype(op, i), type->shape.rank, dims));
    return NULL;
}

/* Operands: input, source (one element for each window), initial value. Regions: select,
 * scatter. */
struct error *infer_select_and_scatter(struct arena *arena, struct op *op)
{
    TRY(infer_check_regions(arena, op, 2));
    TRY(infer_check_scalar_arguments(arena, op, 0, 2));
    TRY(infer_check_returns_pred(arena, op, 0));
    TRY(infer_check_tensor(arena, op, 0));
    TRY(infer_check_tensor(arena, op, 1));
    TRY(infer_check_scalar(arena, op, 2, INFER_ANY));
    TRY(infer_check_reducer(arena, op, 1, 1, 1));
    TRY(infer_check_reducer(arena, op, 1, 1, 2));
    const struct type *type = infer_check_type(op, 0), *source = infer_check_type(op, 1);
    const struct block *select = op->regions[0];
    if (select->arguments[0].type->shape.dtype != type->shape.dtype ||
        select->arguments[1].type->shape.dtype != type->shape.dtype)
        return infer_check_bad(arena, op, "the arguments of region 0 must be %s",
                               dtype_name(type->shape.dtype));
    struct attrs_select_and_scatter *s = &op->attrs.select_and_scatter;
    infer_check_default(arena, &s->window_dimensions, type->shape.rank, 1);
    infer_check_default(arena, &s->window_strides, type->shape.rank, 1);
    infer_check_default_pairs(arena, &s->padding, type->shape.rank);
    TRY(infer_check_list(arena, op, "window_dimensions", s->window_dimensions, type->shape.rank, 1,
                         INFER_MAX_SIZE));
    TRY(infer_check_list(arena, op, "window_strides", s->window_strides, type->shape.rank, 1,
                         INFER_MAX_SIZE));
    TRY(check_padding(arena, op, s->padding, type->shape.rank));
    for (int i = 0; i < type->shape.rank; i++) {
        int64_t size;
        struct infer_window window = {s->window_dimensions.at[i],
                                      s->window_strides.at[i],
                                      s->padding.at[2 * i],
                                      s->padding.at[2 * i + 1],
                                      1,
                                      1};
        TRY(infer_check_window(arena, op, type->shape.dims[i], &window, &size));
        if (source->shape.rank != type->shape.rank || source->shape.dims[i] != size)
            return infer_check_bad(arena, op,
                                   "the source is %s; it must have an element for each of %" PRId64
                                   " windows of dimension %d",
                                   type_text(arena, source), size, i);
    }
    return infer_check_result_dims(arena, op, 0, op->regions[1]->arguments[0].type->shape.dtype,
                                   type->shape.rank, type->shape.dims);
}

/* ---- tuples and tokens ----------------------------------------------------------------------- */

struct error *infer_tuple(struct arena *arena, struct op *op)
{
    const struct type **types = ARENA_ARRAY(arena, const struct type *, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        types[i] = infer_check_type(op, i);
    return infer_check_result(arena, op, 0, type_tuple(arena, op->operand_count, types));
}

struct error *infer_get_tuple_element(struct arena *arena, struct op *op)
{
    const struct type *type = infer_check_type(op, 0);
    if (type->kind != TYPE_TUPLE)
        return infer_check_bad(arena, op, "operand 0 is %s; it must be a tuple",
                               type_text(arena, type));
    TRY(infer_check_range(arena, op, "index", op->attrs.index.index, 0, type->element_count - 1));
    return infer_check_result(arena, op, 0, type->elements[op->attrs.index.index]);
}

struct error *infer_token(struct arena *arena, struct op *op)
{
    return infer_check_result(arena, op, 0, type_token(arena));
}
