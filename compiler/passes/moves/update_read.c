/* update_read.c: see update_read.h. */
#include "compiler/passes/moves/update_read.h"

#include <string.h>

#include "compiler/analysis/scatter_window.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/lift_body.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/schedule/access.h"

enum {
    MOST_READS = 8,    /* of an updated array */
    MOST_UPDATES = 64, /* of one array, each of the last one's result */
    COPY_COST = 3 /* of an element, in comparisons whether an element that is read is updated */
};

/* The operands of a dynamic_update_slice. */
enum { WHOLE, PART, STARTS };

static const struct shape *shape_of(const struct value *value)
{
    return &value->type->shape;
}

/* ---- positions ------------------------------------------------------------------------------- */
/* The positions, scalars or not, as the operation uses them: from 0 to `most`. */
static struct value *clamped(struct builder *b, struct value *position, int64_t most)
{
    enum dtype dtype = shape_of(position)->dtype == DTYPE_U64 ? DTYPE_U64 : DTYPE_S64;
    position = build_convert(b, position, dtype);
    struct value *low = build_splat(b, position->type, 0),
                 *high = build_splat(b, position->type, (double)most);
    position = build_declared(b, OP_clamp, 3, (struct value *[]){low, position, high},
                              position->type, NULL);
    return build_convert(b, position, DTYPE_S64);
}

/* Where a read or an update of `size` elements of dimension i begins. */
static struct value *start_of(struct builder *b, const struct op *op, int first, int i,
                              int64_t size)
{
    if (op->code == OP_slice)
        return build_scalar(b, DTYPE_S64, (double)op->attrs.slice.start_indices.at[i]);
    return clamped(b, op->operands[first + i], shape_of(op->operands[WHOLE])->dims[i] - size);
}

/* ---- slices ---------------------------------------------------------------------------------- */
static bool is_slice(const struct op *read)
{
    if (read->code == OP_dynamic_slice)
        return true;
    return read->code == OP_slice && access_is_dense(read);
}

/* `part`: the sizes of the window that is updated. */
static bool may_slice(const struct op *read, const int64_t *part)
{
    const struct shape *whole = shape_of(read->operands[WHOLE]),
                       *result = shape_of(&read->results[0]);
    for (int i = 0; i < whole->rank; i++)
        if (part[i] != whole->dims[i] && result->dims[i] != whole->dims[i] && result->dims[i] != 1)
            return false;
    return true;
}

/* What a slice of an updated array reads, for each dimension. */
struct read {
    struct builder b;
    struct value *starts[SHAPE_MAX_RANK]; /* in the array */
    struct value *from[SHAPE_MAX_RANK];   /* in the update */
    struct value *to[SHAPE_MAX_RANK];     /* where that is in what is read */
    int64_t sizes[SHAPE_MAX_RANK];        /* of that */
    struct value *is_inside;              /* NULL: always */
    bool is_partial; /* what is in the update is a part of what is read, not all or nothing */
};

static void add_condition(struct read *r, enum comparison direction, struct value *value,
                          int64_t limit)
{
    struct value *test =
        build_compare(&r->b, direction, value, build_scalar(&r->b, DTYPE_S64, (double)limit));
    r->is_inside = r->is_inside ? build_binary(&r->b, OP_and, r->is_inside, test) : test;
}

static void add_dimension(struct read *r, const struct op *read, const struct op *update, int i)
{
    struct builder *b = &r->b;
    int64_t whole = shape_of(update->operands[WHOLE])->dims[i],
            part = shape_of(update->operands[PART])->dims[i],
            result = shape_of(&read->results[0])->dims[i];
    struct value *start = start_of(b, read, 1, i, result), *zero = build_scalar(b, DTYPE_S64, 0);
    struct value *begin = start_of(b, update, STARTS, i, part);
    r->starts[i] = start, r->from[i] = start, r->to[i] = zero, r->sizes[i] = result;
    if (part == whole)
        return;
    if (result == whole) {
        r->from[i] = zero, r->to[i] = begin, r->sizes[i] = part;
        r->is_partial = true;
        return;
    }
    r->from[i] = build_binary(b, OP_subtract, start, begin);
    add_condition(r, COMPARE_GE, r->from[i], 0);
    add_condition(r, COMPARE_LT, r->from[i], part);
}

static struct value *slice_of_update(struct module *module, const struct op *read,
                                     const struct op *update)
{
    struct read r = {.b = rewrite_before(module, read)};
    int rank = shape_of(update->operands[WHOLE])->rank;
    for (int i = 0; i < rank; i++)
        add_dimension(&r, read, update, i);
    struct value *kept = build_dynamic_slice(&r.b, update->operands[WHOLE], r.starts,
                                             shape_of(&read->results[0])->dims);
    struct value *part = build_dynamic_slice(&r.b, update->operands[PART], r.from, r.sizes);
    if (r.is_inside) {
        struct value *below = r.is_partial ? build_dynamic_slice(&r.b, kept, r.to, r.sizes) : kept;
        part = build_select(&r.b, rewrite_broadcast_scalar(&r.b, r.is_inside, part->type), part,
                            below);
    }
    return r.is_partial ? build_update(&r.b, kept, part, r.to) : part;
}

/* ---- gathers --------------------------------------------------------------------------------- */
/* Whether a gather reads whole rows: all of the array but for one dimension, of which it reads an
 * element for each index. */
static bool gathers_rows(const struct op *read)
{
    const struct attrs_gather *g = &read->attrs.gather;
    if (read->code != OP_gather || g->start_index_map.count != 1 ||
        g->collapsed_slice_dims.count != 1 || g->operand_batching_dims.count ||
        g->collapsed_slice_dims.at[0] != g->start_index_map.at[0])
        return false;
    for (int64_t i = 0; i < g->slice_sizes.count; i++)
        if (i != g->start_index_map.at[0] &&
            g->slice_sizes.at[i] != shape_of(read->operands[0])->dims[i])
            return false;
    return true;
}

/* Whether a window is the same part of every row. */
static bool is_columns(const struct op *read, const int64_t *part)
{
    int64_t dim = read->attrs.gather.start_index_map.at[0];
    return part[dim] == shape_of(read->operands[WHOLE])->dims[dim];
}

/* Columns, or one row. */
static bool may_gather(const struct op *read, const int64_t *part)
{
    const struct shape *whole = shape_of(read->operands[WHOLE]);
    if (is_columns(read, part))
        return true;
    for (int64_t i = 0; i < whole->rank; i++)
        if (part[i] != (i == read->attrs.gather.start_index_map.at[0] ? 1 : whole->dims[i]))
            return false;
    return true;
}

/* Broadcasts a value whose dimensions, but one of size 1, `without`, if that is one, are those of
 * the result that are (not) in `offsets`. */
static struct value *spread(struct builder *b, struct value *value, int64_t without,
                            const struct op *read, bool in_offsets)
{
    const struct type *type = read->results[0].type;
    int64_t dims[SHAPE_MAX_RANK], at[SHAPE_MAX_RANK];
    int rank = 0, count = 0;
    for (int i = 0; i < shape_of(value)->rank; i++)
        if (i != without)
            dims[rank++] = shape_of(value)->dims[i];
    for (int i = 0; i < type->shape.rank; i++)
        if (dims_contain(read->attrs.gather.offset_dims, i) == in_offsets)
            at[count++] = i;
    type = type_with_dims(b->module->arena, value->type, type->shape.rank, type->shape.dims);
    return build_broadcast(b, build_reshape(b, value, rank, dims), type, count, at);
}

/* The rows of what is updated, in which the rows of the update replace its columns. */
static struct value *gather_of_columns(struct module *module, const struct op *read,
                                       const struct op *update)
{
    struct builder b = rewrite_before(module, read);
    const struct attrs_gather *g = &read->attrs.gather;
    const struct type *type = read->results[0].type;
    int64_t sizes[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK], row = g->start_index_map.at[0];
    struct value *kept[] = {update->operands[WHOLE], read->operands[1]},
                 *part[] = {update->operands[PART], read->operands[1]}, *starts[SHAPE_MAX_RANK];
    for (int i = 0, dim = 0; i < type->shape.rank; i++) {
        bool in_row = dims_contain(g->offset_dims, i);
        dim += in_row && dim == row;
        int64_t many = in_row ? shape_of(part[0])->dims[dim] : 0;
        dims[i] = in_row ? many : type->shape.dims[i];
        starts[i] =
            in_row ? start_of(&b, update, STARTS, dim++, many) : build_scalar(&b, DTYPE_S64, 0);
    }
    for (int i = 0; i < shape_of(part[0])->rank; i++)
        sizes[i] = i == row ? 1 : shape_of(part[0])->dims[i];
    union attrs attrs = read->attrs;
    attrs.gather.slice_sizes = rewrite_dims(module, sizes, shape_of(part[0])->rank);
    struct value *whole = build_declared(&b, OP_gather, 2, kept, type, &read->attrs);
    type = type_with_dims(module->arena, type, type->shape.rank, dims);
    return build_update(&b, whole, build_declared(&b, OP_gather, 2, part, type, &attrs), starts);
}

static struct value *gather_of_update(struct module *module, const struct op *read,
                                      const struct op *update)
{
    struct builder b = rewrite_before(module, read);
    const struct attrs_gather *g = &read->attrs.gather;
    if (is_columns(read, shape_of(update->operands[PART])->dims))
        return gather_of_columns(module, read, update);
    int64_t dim = g->start_index_map.at[0];
    struct value *rows = clamped(&b, read->operands[1], shape_of(read->operands[0])->dims[dim] - 1);
    struct value *row = start_of(&b, update, STARTS, (int)dim, 1);
    struct value *is_updated =
        build_compare(&b, COMPARE_EQ, rows, rewrite_broadcast_scalar(&b, row, rows->type));
    struct value *operands[] = {update->operands[WHOLE], read->operands[1]};
    struct value *kept =
        build_declared(&b, OP_gather, 2, operands, read->results[0].type, &read->attrs);
    return build_select(&b, spread(&b, is_updated, g->index_vector_dim, read, false),
                        spread(&b, update->operands[PART], dim, read, true), kept);
}

/* ---- scatters -------------------------------------------------------------------------------- */
/* Whether op updates one window of one array; its sizes. */
static bool updates_window(const struct op *op, int64_t *sizes)
{
    if (op->code == OP_dynamic_update_slice) {
        memcpy(sizes, shape_of(op->operands[PART])->dims,
               (size_t)shape_of(op->operands[PART])->rank * sizeof *sizes);
        return true;
    }
    if (op->code != OP_scatter || op->result_count != 1)
        return false;
    int64_t positions = op->attrs.scatter.scatter_dims_to_operand_dims.count;
    return positions && type_elements(op->operands[1]->type) == positions &&
           lift_body_possible(op->regions[0]) && scatter_window_sizes(op, sizes);
}

/* Where a scatter's window begins, and whether it is inside of the array: NULL if it always is. */
static struct value *find_starts(struct builder *b, const struct op *scatter, const int64_t *sizes,
                                 struct value **starts)
{
    struct dims to = scatter->attrs.scatter.scatter_dims_to_operand_dims;
    struct value *indices = build_reshape(b, scatter->operands[1], 1, &to.count), *inside = NULL;
    for (int i = 0; i < shape_of(scatter->operands[0])->rank; i++)
        starts[i] = build_scalar(b, DTYPE_S64, 0);
    for (int64_t i = 0; i < to.count; i++) {
        int64_t dim = to.at[i];
        struct value *index = build_convert(b, along_dim_element(b, indices, 0, i), DTYPE_S64);
        starts[dim] = clamped(b, index, shape_of(scatter->operands[0])->dims[dim] - sizes[dim]);
        struct value *test = build_compare(b, COMPARE_EQ, starts[dim], index);
        inside = inside ? build_binary(b, OP_and, inside, test) : test;
    }
    return inside;
}

/* Replaces a scatter of one window, which is skipped unless it is inside, by an update; sets
 * *update to that. */
static struct error *replace_scatter(struct module *module, struct op *scatter,
                                     const int64_t *sizes, struct op **update)
{
    struct builder b = rewrite_before(module, scatter);
    struct value *starts[SHAPE_MAX_RANK], *part;
    int rank = shape_of(scatter->operands[0])->rank;
    struct value *inside = find_starts(&b, scatter, sizes, starts);
    struct value *below = build_dynamic_slice(&b, scatter->operands[0], starts, sizes);
    struct value *arguments[] = {below, build_reshape(&b, scatter->operands[2], rank, sizes)};
    TRY(lift_body_apply(module, scatter, below->type, arguments, &part));
    if (inside)
        part = build_select(&b, rewrite_broadcast_scalar(&b, inside, part->type), part, below);
    struct value *updated = build_update(&b, scatter->operands[0], part, starts);
    *update = updated->def;
    return rewrite_with(module, scatter, updated);
}

/* ---- the pass -------------------------------------------------------------------------------- */
static bool may_read(const struct op *read, const struct op *update, const int64_t *part)
{
    if (read->block != update->block || !(is_slice(read) || gathers_rows(read)) ||
        read->operands[WHOLE] != &update->results[0])
        return false;
    for (int i = 1; i < read->operand_count; i++)
        if (read->operands[i] == &update->results[0])
            return false;
    return is_slice(read) ? may_slice(read, part) : may_gather(read, part);
}

/* What reads of updates of updates will read of the innermost one. */
struct chain {
    int reads;
    int64_t elements;
    double compared; /* elements, for all updates so far */
};

/* Whether all that uses an update, but for `next`, an update of it, is reads; adds these. */
static bool add_reads(struct chain *chain, const struct op *update, const int64_t *part,
                      const struct op *next)
{
    for (const struct use *use = update->results[0].uses; use; use = use->next) {
        if (use->user == next)
            continue;
        if (++chain->reads > MOST_READS || !may_read(use->user, update, part))
            return false;
        chain->elements += type_elements(use->user->results[0].type);
    }
    return true;
}

/* The elements that a scatter combines are read, too. */
static void add_update(struct chain *chain, const struct op *update, const int64_t *part)
{
    chain->compared += (double)chain->elements;
    if (update->code != OP_scatter)
        return;
    int64_t elements = 1;
    for (int i = 0; i < shape_of(&update->results[0])->rank; i++)
        elements *= part[i];
    chain->reads++;
    chain->elements += elements;
}

/* The operation of the same block whose result an update changes; NULL: none, or one that tells
 * where. */
static const struct op *updated_before(const struct op *update)
{
    const struct op *op = update->operands[WHOLE]->def;
    for (int i = 1; i < update->operand_count; i++)
        if (update->operands[i] == update->operands[WHOLE])
            return NULL;
    return op && op->block == update->block ? op : NULL;
}

/* Whether reads of the last of a chain of updates, and of those before it, cost less than a copy of
 * the array. All of them look through the chain, or none: else it would be copied for the rest. */
static bool is_cheaply_read(const struct op *update)
{
    const double size = (double)type_elements(update->results[0].type);
    struct chain chain = {0};
    const struct op *next = NULL;
    int64_t part[SHAPE_MAX_RANK];
    for (int i = 0; update && updates_window(update, part); i++) {
        if (!add_reads(&chain, update, part, next))
            break;
        add_update(&chain, update, part);
        if (i == MOST_UPDATES || chain.compared > COPY_COST * size)
            return false;
        next = update;
        update = updated_before(update);
    }
    return chain.reads <= MOST_READS;
}

/* Whether all that uses an update is reads that add up to less than the array. */
static bool is_only_read(const struct op *update, const int64_t *part)
{
    struct chain chain = {0};
    return update->results[0].uses && add_reads(&chain, update, part, NULL) &&
           chain.elements <= type_elements(update->results[0].type) && is_cheaply_read(update);
}

static struct error *replace_reads(struct module *module, struct op *update)
{
    while (update->results[0].uses) {
        struct op *read = update->results[0].uses->user;
        TRY(rewrite_with(module, read,
                         is_slice(read) ? slice_of_update(module, read, update)
                                        : gather_of_update(module, read, update)));
    }
    ir_remove(update);
    return NULL;
}

static struct error *look_through(struct module *module, struct op *op, const struct target *target)
{
    int64_t sizes[SHAPE_MAX_RANK];
    (void)target;
    if (!updates_window(op, sizes) || !is_only_read(op, sizes))
        return NULL;
    if (op->code == OP_scatter)
        TRY(replace_scatter(module, op, sizes, &op));
    return replace_reads(module, op);
}

struct error *update_read_run(struct module *module, const struct target *target)
{
    /* Backward: a read of an update of an update reads through both. */
    return each_op_backward(module, target, look_through);
}
