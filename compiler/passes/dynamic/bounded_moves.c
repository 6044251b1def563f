/* bounded_moves.c: operations that move elements. See bounded_rules.h. */
#include "compiler/passes/dynamic/bounded_rules.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/schedule/access.h"

static int64_t bound_of(const struct value *value, int64_t dimension)
{
    return value->type->shape.dims[dimension];
}

/* Replaces op by a value that has its sizes. */
static struct error *replace(struct sized *s, struct op *op, struct value *value)
{
    if (sized_any(s, &op->results[0]))
        sized_copy(s, value, &op->results[0]);
    return rewrite_with(s->module, op, value);
}

/* Operations that read each element of the operand at its own index, in a dimension of another
 * number: transpose, broadcast_in_dim. */
struct error *bounded_moves_follow(struct sized *s, struct op *op)
{
    for (int d = 0; d < op->operands[0]->type->shape.rank; d++) {
        struct value *size = sized_of(s, op->operands[0], d);
        struct access access = access_of(op, 0, d);
        if (size && !access_is_same(&access))
            return sized_refuse(s, op);
        if (size)
            sized_set(s, &op->results[0], access.dim, size);
    }
    return NULL;
}

/* The array from index `begin` along a dimension, then anything. */
static struct value *shift(struct builder *b, struct value *value, int dimension,
                           struct value *begin)
{
    int64_t size = bound_of(value, dimension);
    struct value *extended = along_dim_pad(b, value, dimension, 0, size, 0, NULL);
    return along_dim_take(b, extended, dimension, begin, size);
}

/* The padding comes first in the reversed array: it is moved behind the elements. */
struct error *bounded_moves_reverse(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    const struct value *operand = op->operands[0];
    struct value *made = build_declared(&b, OP_reverse, 1, op->operands, NULL, &op->attrs);
    for (int d = 0; d < operand->type->shape.rank; d++) {
        struct value *size = sized_of(s, operand, d);
        sized_set(s, &op->results[0], d, size);
        if (!size || !dims_contain(op->attrs.dimensions.dimensions, d))
            continue;
        struct value *bound = build_scalar(&b, DTYPE_S32, (double)bound_of(operand, d));
        made = shift(&b, made, d, build_binary(&b, OP_subtract, bound, size));
    }
    return replace(s, op, made);
}

/* Limits are relative to the bound; elements from the size on do not exist. */
struct error *bounded_moves_slice(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    const struct attrs_slice *slice = &op->attrs.slice;
    for (int d = 0; d < op->operands[0]->type->shape.rank; d++) {
        struct value *size = sized_of(s, op->operands[0], d);
        int64_t start = slice->start_indices.at[d], limit = slice->limit_indices.at[d];
        int64_t stride = slice->strides.count ? slice->strides.at[d] : 1;
        if (!size)
            continue;
        if (limit < bound_of(op->operands[0], d))
            size = sized_with(&b, OP_minimum, size, limit);
        if (start || stride != 1) {
            size = sized_with(&b, OP_add, size, stride - 1 - start);
            size = sized_with(&b, OP_divide, sized_with(&b, OP_maximum, size, 0), stride);
        }
        sized_set(s, &op->results[0], d, size);
    }
    return NULL;
}

/* ---- concatenate ----------------------------------------------------------------------------- */

static bool joins_sized(const struct sized *s, const struct op *op, int64_t dimension)
{
    for (int i = 0; i < op->operand_count; i++)
        if (sized_of(s, op->operands[i], dimension))
            return true;
    return false;
}

/* Each operand is written where the one before it ends, over that one's padding. */
static struct error *join(struct sized *s, struct op *op, int64_t dimension)
{
    struct builder b = rewrite_before(s->module, op);
    struct value *made = build_splat(&b, type_plain(s->module->arena, op->results[0].type), 0);
    struct value *end = build_scalar(&b, DTYPE_S32, 0);
    for (int i = 0; i < op->operand_count; i++) {
        made = along_dim_update(&b, made, (int)dimension, op->operands[i], end);
        end = build_binary(&b, OP_add, end, sized_value(s, &b, op->operands[i], dimension));
    }
    sized_set(s, &op->results[0], dimension, end);
    return replace(s, op, made);
}

struct error *bounded_moves_concatenate(struct sized *s, struct op *op)
{
    int64_t dimension = op->attrs.dimension.dimension;
    for (int d = 0; d < op->results[0].type->shape.rank; d++)
        for (int i = 0; d != dimension && i < op->operand_count; i++)
            if (!sized_of(s, &op->results[0], d))
                sized_set(s, &op->results[0], d, sized_of(s, op->operands[i], d));
    return joins_sized(s, op, dimension) ? join(s, op, dimension) : NULL;
}

/* ---- pad ------------------------------------------------------------------------------------- */

/* The padding of the operand becomes the padding value, which is what follows the elements. */
struct error *bounded_moves_pad(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    const struct attrs_pad *pad = &op->attrs.pad;
    struct value *operand = op->operands[0], *masked = operand;
    if (sized_any(s, op->operands[1]))
        return sized_refuse(s, op);
    for (int d = 0; d < operand->type->shape.rank; d++) {
        struct value *size = sized_of(s, operand, d);
        int64_t gap = pad->interior_padding.at[d];
        int64_t edges = pad->edge_padding_low.at[d] + pad->edge_padding_high.at[d];
        if (!size)
            continue;
        masked = sized_mask_by(&b, masked, d, size, op->operands[1]);
        if (gap) { /* n elements have n - 1 gaps, none have none */
            struct value *gaps = sized_with(&b, OP_subtract, size, 1);
            gaps = sized_with(&b, OP_maximum, gaps, 0);
            size = build_binary(&b, OP_add, size, sized_with(&b, OP_multiply, gaps, gap));
        }
        if (edges)
            size = sized_with(&b, OP_maximum, sized_with(&b, OP_add, size, edges), 0);
        sized_set(s, &op->results[0], d, size);
    }
    ir_set_operand(s->module, op, 0, masked);
    return NULL;
}

/* Starts of slices of `count` elements that are at most where the last `count` of `size` begin. */
static struct value *limit_starts(struct builder *b, struct value *starts, struct value *size,
                                  struct value *count)
{
    const enum dtype own = starts->type->shape.dtype, wide = own == DTYPE_U64 ? own : DTYPE_S64;
    struct value *last = sized_with(b, OP_maximum, build_binary(b, OP_subtract, size, count), 0);
    struct value *wider = build_convert(b, starts, wide);
    last = build_broadcast(b, build_convert(b, last, wide),
                           type_plain(b->module->arena, wider->type), 0, NULL);
    return build_convert(b, build_binary(b, OP_minimum, wider, last), own);
}

/* ---- gather and scatter ---------------------------------------------------------------------- */

/* The dimension of the indices of which `number` is the position among batch dimensions. */
static int64_t batch_dimension(int64_t index_vector_dim, int64_t number)
{
    return number >= index_vector_dim ? number + 1 : number;
}

/* The indices, of which component i is limited to where slices have elements that exist. */
static struct value *limit_component(const struct sized *s, struct builder *b, const struct op *op,
                                     struct value *indices, int64_t i)
{
    const struct attrs_gather *g = &op->attrs.gather;
    const int64_t dimension = g->start_index_map.at[i], count = g->slice_sizes.at[dimension];
    struct value *size = sized_of(s, op->operands[0], dimension);
    if (!size || count == bound_of(op->operands[0], dimension))
        return indices;
    struct value *limited =
        limit_starts(b, indices, size, build_scalar(b, DTYPE_S32, (double)count));
    if (g->index_vector_dim == indices->type->shape.rank)
        return limited;
    struct value *component = sized_index(b, indices->type, g->index_vector_dim);
    struct value *is_it =
        build_compare(b, COMPARE_EQ, component, build_splat(b, component->type, (double)i));
    return build_select(b, is_it, limited, indices);
}

static void limit_indices(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    struct value *indices = op->operands[1];
    for (int64_t i = 0; i < op->attrs.gather.start_index_map.count; i++)
        indices = limit_component(s, &b, op, indices, i);
    ir_set_operand(s->module, op, 1, indices);
}

/* Whole dimensions of the operand and batches of the indices keep their sizes. */
struct error *bounded_moves_gather(struct sized *s, struct op *op)
{
    const struct attrs_gather *g = &op->attrs.gather;
    const struct value *operand = op->operands[0], *indices = op->operands[1];
    int64_t batch = 0;
    if (sized_of(s, indices, g->index_vector_dim))
        return sized_refuse(s, op);
    for (int d = 0; d < op->results[0].type->shape.rank; d++)
        if (!dims_contain(g->offset_dims, d))
            sized_set(s, &op->results[0], d,
                      sized_of(s, indices, batch_dimension(g->index_vector_dim, batch++)));
    for (int d = 0; d < operand->type->shape.rank; d++) {
        struct access access = access_of(op, 0, d);
        if (access.kind == ACCESS_INDEX && g->slice_sizes.at[d] == bound_of(operand, d))
            sized_set(s, &op->results[0], access.dim, sized_of(s, operand, d));
    }
    limit_indices(s, op);
    return NULL;
}

/* Indices beyond a size become -1: out of bounds, where a scatter ignores them. */
static struct value *hide(struct builder *b, struct value *indices, int64_t dimension,
                          struct value *size)
{
    const bool is_signed = dtype_info(indices->type->shape.dtype)->class == CLASS_SIGNED;
    struct value *numbers = is_signed ? indices : build_convert(b, indices, DTYPE_S64);
    const struct type *type = type_plain(b->module->arena, numbers->type);
    struct value *inside = sized_inside(b, type, dimension, size);
    return build_select(b, inside, numbers, build_splat(b, type, -1));
}

/* Hides the indices of updates beyond the size of dimension d of the updates. */
static struct error *hide_updates(struct sized *s, struct op *op, int64_t d, struct value *size,
                                  struct value **indices)
{
    struct builder b = rewrite_before(s->module, op);
    const struct attrs_scatter *scatter = &op->attrs.scatter;
    int64_t number = 0;
    if (dims_contain(scatter->update_window_dims, d))
        return sized_refuse(s, op);
    for (int64_t i = 0; i < d; i++)
        number += !dims_contain(scatter->update_window_dims, i);
    *indices = hide(&b, *indices, batch_dimension(scatter->index_vector_dim, number), size);
    return NULL;
}

struct error *bounded_moves_scatter(struct sized *s, struct op *op)
{
    int inputs = op->result_count;
    struct builder b = rewrite_before(s->module, op);
    struct value *indices = op->operands[inputs], *masked = indices;
    for (int d = 0; d < indices->type->shape.rank; d++)
        if (sized_of(s, indices, d) && d == op->attrs.scatter.index_vector_dim)
            return sized_refuse(s, op);
        else if (sized_of(s, indices, d))
            masked = hide(&b, masked, d, sized_of(s, indices, d));
    for (int i = inputs + 1; i < op->operand_count; i++)
        for (int d = 0; d < op->operands[i]->type->shape.rank; d++)
            if (sized_of(s, op->operands[i], d))
                TRY(hide_updates(s, op, d, sized_of(s, op->operands[i], d), &masked));
    for (int i = 0; i < inputs; i++)
        if (sized_any(s, op->operands[i]))
            sized_copy(s, &op->results[i], op->operands[i]);
    ir_set_operand(s->module, op, inputs, masked);
    return NULL;
}

/* ---- slices at computed indices -------------------------------------------------------------- */

/* Whole dimensions keep their sizes; slices of others are elements that exist. */
struct error *bounded_moves_dynamic_slice(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    struct dims sizes = op->attrs.dynamic_slice.slice_sizes;
    for (int d = 0; d < sizes.count; d++) {
        struct value *size = sized_of(s, op->operands[0], d);
        if (sizes.at[d] == bound_of(op->operands[0], d))
            sized_set(s, &op->results[0], d, size);
        else if (size)
            ir_set_operand(s->module, op, d + 1,
                           limit_starts(&b, op->operands[d + 1], size,
                                        build_scalar(&b, DTYPE_S32, (double)sizes.at[d])));
    }
    return NULL;
}

/* An update with sizes, whose padding is what the operand has there. The operand is extended, so
 * that the padding of an update at its end has a place. */
static struct value *update_with_sizes(struct sized *s, struct builder *b, struct op *op)
{
    struct value *update = op->operands[1], *masked = update;
    const struct shape *shape = &op->operands[0]->type->shape;
    int64_t high[SHAPE_MAX_RANK] = {0}, zeros[SHAPE_MAX_RANK] = {0};
    struct value *const *starts = op->operands + 2;
    for (int d = 0; d < shape->rank; d++)
        high[d] = sized_of(s, update, d) ? bound_of(update, d) : 0;
    struct value *extended = build_pad(b, op->operands[0], NULL, zeros, high, zeros);
    struct value *before = build_dynamic_slice(b, extended, starts, update->type->shape.dims);
    for (int d = 0; d < shape->rank; d++)
        if (sized_of(s, update, d))
            masked = build_select(b, sized_inside(b, update->type, d, sized_of(s, update, d)),
                                  masked, before);
    return build_slice(b, build_update(b, extended, masked, starts), zeros, shape->dims, NULL);
}

/* Starts are limited to where the update fits, as far as operand and update have elements. */
struct error *bounded_moves_update(struct sized *s, struct op *op)
{
    struct builder b = rewrite_before(s->module, op);
    struct value *operand = op->operands[0], *update = op->operands[1];
    for (int d = 0; d < operand->type->shape.rank; d++)
        if (sized_of(s, operand, d) || sized_of(s, update, d))
            ir_set_operand(s->module, op, d + 2,
                           limit_starts(&b, op->operands[d + 2], sized_value(s, &b, operand, d),
                                        sized_value(s, &b, update, d)));
    if (sized_any(s, operand))
        sized_copy(s, &op->results[0], operand);
    return sized_any(s, update) ? replace(s, op, update_with_sizes(s, &b, op)) : NULL;
}

/* ---- sort ------------------------------------------------------------------------------------ */

/* Puts "an element before one of the padding" in front of a comparator, whose additional arguments
 * are the positions of both: l < size != r < size ? l < size : comparison. */
static void compare_positions(struct builder *b, struct block *region, struct value *size)
{
    struct op *last = region->last;
    int count = region->argument_count;
    *b = (struct builder){b->module, region, last, b->location};
    struct value *left = build_compare(b, COMPARE_LT, &region->arguments[count - 2], size);
    struct value *right = build_compare(b, COMPARE_LT, &region->arguments[count - 1], size);
    struct value *differ = build_binary(b, OP_xor, left, right);
    ir_set_operand(b->module, last, 0, build_select(b, differ, left, last->operands[0]));
}

static struct block *copy_comparator(struct module *module, struct op *owner,
                                     const struct block *from)
{
    int count = from->argument_count;
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, (size_t)count + 2);
    struct map *values = map_create(module->arena);
    for (int i = 0; i < count; i++)
        types[i] = from->arguments[i].type;
    types[count] = types[count + 1] = type_scalar(module->arena, DTYPE_S32);
    struct block *region = ir_block(module, owner->block->func, owner, count + 2, types);
    for (int i = 0; i < count; i++)
        map_put_pointer(values, &from->arguments[i], &region->arguments[i]);
    for (const struct op *op = from->first; op; op = op->next)
        ir_append(region, ir_clone(module, op, values));
    return region;
}

/* Sorts the padding behind the elements: with the positions as an additional key. */
static struct error *sort_padding_last(struct sized *s, struct op *op, struct value *size)
{
    struct builder b = rewrite_before(s->module, op);
    int count = op->operand_count;
    struct value **operands = ARENA_ARRAY(s->module->arena, struct value *, (size_t)count + 1);
    const struct type **types =
        ARENA_ARRAY(s->module->arena, const struct type *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        operands[i] = op->operands[i], types[i] = op->results[i].type;
    operands[count] = sized_index(&b, op->operands[0]->type, op->attrs.sort.dimension);
    types[count] = operands[count]->type;
    struct op *made = ir_op(s->module, OP_sort, count + 1, operands, count + 1, types, 1);
    made->attrs = op->attrs;
    made->location = op->location;
    ir_insert_before(op, made);
    made->regions[0] = copy_comparator(s->module, made, op->regions[0]);
    compare_positions(&b, made->regions[0], size);
    for (int i = 0; i < count; i++) {
        if (sized_any(s, &op->results[i]))
            sized_copy(s, &made->results[i], &op->results[i]);
        ir_replace_uses(s->module, &op->results[i], &made->results[i]);
    }
    ir_remove(op);
    return NULL;
}

struct error *bounded_moves_sort(struct sized *s, struct op *op)
{
    struct value *size = NULL;
    for (int i = 0; i < op->operand_count && !size; i++)
        size = sized_of(s, op->operands[i], op->attrs.sort.dimension);
    for (int i = 0; i < op->result_count; i++) {
        for (int k = 0; k < op->operand_count; k++)
            if (sized_any(s, op->operands[k]))
                sized_copy(s, &op->results[i], op->operands[k]);
        sized_set(s, &op->results[i], op->attrs.sort.dimension, size);
    }
    return size ? sort_padding_last(s, op, size) : NULL;
}
