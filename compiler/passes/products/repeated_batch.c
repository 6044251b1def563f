/* repeated_batch.c: see repeated_batch.h. */
#include "compiler/passes/products/repeated_batch.h"

#include "compiler/analysis/product_side.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { FEW_COLUMNS = 16 /* fewer leave a library's vectors almost empty */ };

/* An operand, before transposes, and its free dimensions in the order that the product has. */
struct operand {
    struct product_side side;
    struct dims free;
};

/* The operand that is repeated: each of its dimensions is some of those of a broadcast. */
struct repeated {
    const struct op *broadcast;
    int first[SHAPE_MAX_RANK + 1]; /* the first one of each dimension; then their number */
    bool is_new[SHAPE_MAX_RANK];   /* whether the broadcast repeats its operand along one */
};

/* An operand of the new product. */
struct split {
    struct value *value;
    int rank;
    int64_t dims[SHAPE_MAX_RANK];
    int start[SHAPE_MAX_RANK + 1]; /* the first of them of each dimension there was */
    int64_t place[SHAPE_MAX_RANK]; /* in the new product, unless it is summed */
};

/* ---- operands -------------------------------------------------------------------------------- */
static struct operand operand_of(struct module *module, const struct op *dot, int which)
{
    struct operand o = {.side = product_side_of(dot, which)};
    o.free = product_side_free_dims(module->arena, &o.side);
    const struct op *transpose = o.side.value->def;
    if (!transpose || transpose->code != OP_transpose)
        return o;
    const int64_t *permutation = transpose->attrs.transpose.permutation.at;
    o.side.value = transpose->operands[0];
    o.side.batch = rewrite_permuted(module, o.side.batch, permutation);
    o.side.contracted = rewrite_permuted(module, o.side.contracted, permutation);
    o.free = rewrite_permuted(module, o.free, permutation);
    return o;
}

/* Finds the dimensions of `from` that each one of `to` consists of, as many of size 1 as there are;
 * false if one of them is divided. */
static bool find_groups(const struct shape *to, const struct shape *from, int *first)
{
    int next = 0;
    for (int i = 0; i < to->rank; i++) {
        int64_t size = 1;
        first[i] = next;
        if (size == to->dims[i] && next < from->rank && from->dims[next] == 1)
            next++;
        while (size < to->dims[i] && next < from->rank)
            size *= from->dims[next++];
        if (size != to->dims[i])
            return false;
    }
    first[to->rank] = next;
    return next == from->rank;
}

/* Marks the dimensions along which a broadcast repeats its operand, unless it also moves others. */
static bool find_new(const struct op *broadcast, bool *is_new)
{
    const struct dims to = broadcast->attrs.broadcast_in_dim.broadcast_dimensions;
    const struct shape *shape = &broadcast->results[0].type->shape;
    for (int i = 0; i < shape->rank; i++)
        is_new[i] = shape->dims[i] > 1;
    for (int64_t i = 0; i < to.count; i++) {
        if (i > 0 && to.at[i - 1] >= to.at[i])
            return false;
        if (broadcast->operands[0]->type->shape.dims[i] > 1)
            is_new[to.at[i]] = false;
    }
    return true;
}

/* Whether an operand is repeated along a batching dimension. */
static bool is_repeated(const struct product_side *side, struct repeated *out)
{
    const struct op *def = side->value->def;
    if (def && def->code == OP_reshape)
        def = def->operands[0]->def;
    if (!def || def->code != OP_broadcast_in_dim || !type_elements(def->operands[0]->type))
        return false;
    out->broadcast = def;
    if (!find_groups(&side->value->type->shape, &def->results[0].type->shape, out->first) ||
        !find_new(def, out->is_new))
        return false;
    for (int64_t i = 0; i < side->batch.count; i++)
        for (int k = out->first[side->batch.at[i]]; k < out->first[side->batch.at[i] + 1]; k++)
            if (out->is_new[k])
                return true;
    return false;
}

/* ---- the product without repetition ---------------------------------------------------------- */
/* The place of a dimension among the batching ones; -1: it is not one of them. */
static int64_t batch_place(const struct product_side *side, int64_t dim)
{
    for (int64_t i = 0; i < side->batch.count; i++)
        if (side->batch.at[i] == dim)
            return i;
    return -1;
}

static void add(struct split *split, int64_t size)
{
    if (split->rank < SHAPE_MAX_RANK)
        split->dims[split->rank] = size;
    split->rank++;
}

/* Divides batching dimensions into those of the broadcast, of which the repeated operand, `same`,
 * keeps only those along which it differs. False if there are too many. */
static bool divide(const struct operand *o, const struct operand *same, const struct repeated *r,
                   struct split *out)
{
    const struct shape *shape = &o->side.value->type->shape;
    out->rank = 0;
    for (int i = 0; i < shape->rank; i++) {
        int64_t batch = batch_place(&o->side, i);
        out->start[i] = out->rank;
        if (batch < 0) {
            add(out, shape->dims[i]);
            continue;
        }
        int64_t group = same->side.batch.at[batch];
        for (int k = r->first[group]; k < r->first[group + 1]; k++)
            if (o != same || !r->is_new[k])
                add(out, r->broadcast->results[0].type->shape.dims[k]);
    }
    out->start[shape->rank] = out->rank;
    return out->rank <= SHAPE_MAX_RANK;
}

/* A value with these dimensions, which may be those that it has: a transpose that it is stays the
 * product's operand. */
static struct value *shaped(struct builder *b, struct value *value, int rank, const int64_t *dims)
{
    const struct shape *shape = &value->type->shape;
    bool is_same = shape->rank == rank;
    for (int i = 0; i < rank && is_same; i++)
        is_same = shape->dims[i] == dims[i];
    return is_same ? value : build_reshape(b, value, rank, dims);
}

/* The operand of the broadcast, repeated only along dimensions that are not batching ones. */
static struct value *repeat_less(struct builder *b, const struct operand *o,
                                 const struct repeated *r)
{
    struct value *from = r->broadcast->operands[0];
    const struct dims to = r->broadcast->attrs.broadcast_in_dim.broadcast_dimensions;
    const struct shape *shape = &r->broadcast->results[0].type->shape;
    int64_t sizes[SHAPE_MAX_RANK], kept[SHAPE_MAX_RANK], place[SHAPE_MAX_RANK],
        dims[SHAPE_MAX_RANK];
    int count = 0, rank = 0;
    bool is_gone[SHAPE_MAX_RANK] = {false};
    for (int64_t i = 0; i < o->side.batch.count; i++)
        for (int k = r->first[o->side.batch.at[i]]; k < r->first[o->side.batch.at[i] + 1]; k++)
            is_gone[k] = r->is_new[k];
    for (int i = 0; i < shape->rank; i++) {
        place[i] = rank;
        if (!is_gone[i])
            dims[rank++] = shape->dims[i];
    }
    for (int64_t i = 0; i < to.count; i++)
        if (!is_gone[to.at[i]]) {
            sizes[count] = from->type->shape.dims[i];
            kept[count++] = place[to.at[i]];
        }
    const struct type *type = type_with_dims(b->module->arena, from->type, rank, dims);
    from = shaped(b, from, count, sizes);
    return type_elements(type) == type_elements(from->type)
               ? from
               : build_broadcast(b, from, type, count, kept);
}

/* Lists the batching dimensions of both new operands, and sets their dimensions' places in the new
 * product's result. */
static void place_dims(struct module *module, const struct operand *o, const struct repeated *r,
                       int same, struct split *splits, struct attrs_dot *attrs)
{
    int64_t batch[2][SHAPE_MAX_RANK], count = 0;
    for (int64_t i = 0; i < o[0].side.batch.count; i++) {
        int64_t group = o[same].side.batch.at[i], kept = splits[same].start[group];
        for (int k = r->first[group]; k < r->first[group + 1]; k++)
            if (!r->is_new[k]) {
                batch[same][count] = kept++;
                batch[!same][count++] =
                    splits[!same].start[o[!same].side.batch.at[i]] + k - r->first[group];
            }
    }
    struct dims *batches[] = {&attrs->lhs_batching_dimensions, &attrs->rhs_batching_dimensions};
    struct dims *sums[] = {&attrs->lhs_contracting_dimensions, &attrs->rhs_contracting_dimensions};
    int64_t next = count;
    for (int s = 0; s < 2; s++) {
        int64_t contracted[SHAPE_MAX_RANK];
        for (int64_t i = 0; i < o[s].side.contracted.count; i++)
            contracted[i] = splits[s].start[o[s].side.contracted.at[i]];
        *batches[s] = rewrite_dims(module, batch[s], count);
        *sums[s] = rewrite_dims(module, contracted, o[s].side.contracted.count);
        for (int i = 0; i < splits[s].rank; i++)
            if (!dims_contain(*batches[s], i) && !dims_contain(*sums[s], i))
                splits[s].place[i] = next++;
        for (int64_t i = 0; i < count; i++)
            splits[s].place[batch[s][i]] = i;
    }
}

/* The new product; its result's dimensions are at splits[...].place. */
static struct value *multiply(struct builder *b, const struct op *dot, const struct operand *o,
                              const struct repeated *r, int same, struct split *splits)
{
    union attrs attrs = dot->attrs;
    struct value *operands[2];
    int64_t dims[SHAPE_MAX_RANK], rank = 0;
    place_dims(b->module, o, r, same, splits, &attrs.dot);
    for (int s = 0; s < 2; s++) {
        struct value *value = s == same ? repeat_less(b, &o[s], r) : o[s].side.value;
        operands[s] = shaped(b, value, splits[s].rank, splits[s].dims);
        struct dims sums =
            s ? attrs.dot.rhs_contracting_dimensions : attrs.dot.lhs_contracting_dimensions;
        for (int i = 0; i < splits[s].rank; i++)
            if (!dims_contain(sums, i)) {
                dims[splits[s].place[i]] = splits[s].dims[i];
                rank = splits[s].place[i] >= rank ? splits[s].place[i] + 1 : rank;
            }
    }
    const struct type *type =
        type_with_dims(b->module->arena, dot->results[0].type, (int)rank, dims);
    return build_declared(b, OP_dot_general, 2, operands, type, &attrs);
}

/* Transposes the new product to the order of the old one's dimensions, `order`. */
static struct value *arrange(struct builder *b, struct value *product, const struct operand *o,
                             int same, const struct split *splits, struct dims order)
{
    int64_t permutation[SHAPE_MAX_RANK], count = 0, batches = o[0].side.batch.count;
    bool is_moved = false;
    for (int64_t i = 0; i < order.count; i++) {
        int64_t at = order.at[i], free = at - batches;
        int side = at < batches ? !same : free >= o[0].free.count;
        int64_t dim = at < batches ? o[side].side.batch.at[at]
                                   : o[side].free.at[free - (side ? o[0].free.count : 0)];
        for (int k = splits[side].start[dim]; k < splits[side].start[dim + 1]; k++) {
            is_moved |= splits[side].place[k] != count;
            permutation[count++] = splits[side].place[k];
        }
    }
    return is_moved ? build_transpose(b, product, permutation) : product;
}

/* The transpose that alone uses a result; NULL: there is none. */
static struct op *transpose_of(const struct op *dot)
{
    struct op *next = ir_has_one_use(&dot->results[0]) ? dot->results[0].uses->user : NULL;
    return next && next->code == OP_transpose ? next : NULL;
}

static void rewrite(struct module *module, struct op *dot, const struct operand *o,
                    const struct repeated *r, int same)
{
    struct split splits[2];
    if (!divide(&o[0], &o[same], r, &splits[0]) || !divide(&o[1], &o[same], r, &splits[1]) ||
        splits[0].rank + splits[1].rank > SHAPE_MAX_RANK)
        return;
    struct builder b = rewrite_before(module, dot);
    struct op *transpose = transpose_of(dot), *last = transpose ? transpose : dot;
    const struct shape *shape = &last->results[0].type->shape;
    struct dims order =
        transpose ? transpose->attrs.transpose.permutation : rewrite_range(module, 0, shape->rank);
    struct value *product = multiply(&b, dot, o, r, same, splits);
    product = arrange(&b, product, o, same, splits, order);
    ir_replace_uses(module, &last->results[0], shaped(&b, product, shape->rank, shape->dims));
    ir_remove(last);
    if (transpose)
        ir_remove(dot);
}

/* Whether it pays to have additional rows instead: those of vectors are a matrix. Products of
 * matrices are calls of the library or parts of attention, which are faster as they are. */
static bool is_worthwhile(const struct product_side *repeated, const struct product_side *other)
{
    return repeated->free >= FEW_COLUMNS && other->free == 1;
}

static struct error *rewrite_op(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    if (op->code != OP_dot_general || !op->attrs.dot.lhs_batching_dimensions.count ||
        !op->attrs.dot.lhs_contracting_dimensions.count)
        return NULL;
    struct operand o[2] = {operand_of(module, op, 0), operand_of(module, op, 1)};
    for (int same = 0; same < 2; same++) {
        struct repeated r;
        if (is_worthwhile(&o[same].side, &o[!same].side) && is_repeated(&o[same].side, &r)) {
            rewrite(module, op, o, &r, same);
            return NULL;
        }
    }
    return NULL;
}

struct error *repeated_batch_run(struct module *module, const struct target *target)
{
    return each_op_again(module, target, rewrite_op);
}
