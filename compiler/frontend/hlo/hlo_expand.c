#include "compiler/frontend/hlo/hlo_expand.h"

#include <string.h>

#include "compiler/frontend/functions/functions.h"
#include "compiler/frontend/hlo/hlo_fields.h"
#include "compiler/frontend/hlo/hlo_groups.h"
#include "compiler/ir/along_dim.h"
#include "compiler/ir/build.h"

/* Operand i, which must be a tensor. */
static struct error *tensor_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                                    struct value **out)
{
    const struct hlo_node *node;
    TRY(hlo_body_operand(f, in, i, &node));
    *out = node->value;
    return *out && (*out)->type->kind == TYPE_TENSOR
               ? NULL
               : ERROR(INVALID_ARGUMENT, "operand %zu must be an array", i);
}

static struct error *carry_mismatch(void)
{
    return ERROR(INVALID_ARGUMENT,
                 "the types of initial carries, the computation's results and the shape differ");
}

/* ---- functions ------------------------------------------------------------------------------- */

struct error *hlo_expand_function(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out)
{
    struct builder b = hlo_body_builder(f, in);
    struct value **operands = ARENA_ARRAY(f->hlo->arena, struct value *, in->n_operands), *value;
    for (size_t i = 0; i < in->n_operands; i++)
        TRY(tensor_operand(f, in, i, &operands[i]));
    TRY(functions_apply(&b, in->opcode, (int)in->n_operands, operands, &value));
    return hlo_body_built(f, value, out);
}

/* ---- comparisons of complex numbers ---------------------------------------------------------- */

bool hlo_expand_is_complex_order(struct hlo_frame *f, const hlo_instruction *in)
{
    const struct hlo_node *node;
    if (strcmp(in->opcode, "compare") != 0 || in->n_operands != 2 ||
        strcmp(in->comparison_direction, "EQ") == 0 || strcmp(in->comparison_direction, "NE") == 0)
        return false;
    struct error *error = hlo_body_operand(f, in, 0, &node);
    bool is_tensor = !error && node->value && node->value->type->kind == TYPE_TENSOR;
    error_free(error);
    return is_tensor && dtype_is_complex(node->value->type->shape.dtype);
}

struct error *hlo_expand_complex_order(struct hlo_frame *f, const hlo_instruction *in,
                                       const struct hlo_node **out)
{
    struct builder b = hlo_body_builder(f, in);
    struct value *operands[2], *re[2], *im[2];
    union attrs attrs = {0};
    TRY(hlo_fields_compare(f, in, &attrs));
    for (size_t i = 0; i < 2; i++) {
        TRY(tensor_operand(f, in, i, &operands[i]));
        re[i] = build_unary(&b, OP_real, operands[i]);
        im[i] = build_unary(&b, OP_imag, operands[i]);
    }
    enum comparison direction = attrs.compare.comparison_direction;
    struct value *equal = build_compare(&b, COMPARE_EQ, re[0], re[1]);
    return hlo_body_built(f,
                          build_select(&b, equal, build_compare(&b, direction, im[0], im[1]),
                                       build_compare(&b, direction, re[0], re[1])),
                          out);
}

/* ---- all-to-all of tuples -------------------------------------------------------------------- */

bool hlo_expand_is_all_to_all(const hlo_instruction *in)
{
    return strcmp(in->opcode, "all-to-all") == 0 && in->n_dimensions == 0 && in->n_operands > 0;
}

/* Operand i as a row of one array. */
static struct error *stack_operands(struct hlo_frame *f, const hlo_instruction *in,
                                    struct builder *b, struct value **out)
{
    struct value **rows = ARENA_ARRAY(f->hlo->arena, struct value *, in->n_operands);
    for (size_t i = 0; i < in->n_operands; i++) {
        int64_t dims[SHAPE_MAX_RANK + 1] = {1};
        TRY(tensor_operand(f, in, i, &rows[i]));
        const struct shape *shape = &rows[i]->type->shape;
        memcpy(dims + 1, shape->dims, (size_t)shape->rank * sizeof *dims);
        rows[i] = build_reshape(b, rows[i], shape->rank + 1, dims);
    }
    *out = build_concatenate(b, (int)in->n_operands, rows, 0);
    return build_check(f->hlo->module, *out);
}

static struct value *row_of(struct builder *b, struct value *all, int64_t row)
{
    return along_dim_element(b, all, 0, row);
}

struct error *hlo_expand_all_to_all(struct hlo_frame *f, const hlo_instruction *in,
                                    const struct hlo_node **out)
{
    struct builder b = hlo_body_builder(f, in);
    int64_t count = (int64_t)in->n_operands;
    union attrs attrs = {.all_to_all = {.split_count = count, .channel_id = in->channel_id}};
    struct value *all, **rows = ARENA_ARRAY(f->hlo->arena, struct value *, in->n_operands);
    hlo_types types = {0};
    TRY(hlo_shape_types(f->hlo->arena, in->shape, &types));
    if (types.count != in->n_operands)
        return ERROR(INVALID_ARGUMENT,
                     "has %zu operands and %zu results; the numbers must be equal", in->n_operands,
                     types.count);
    TRY(hlo_groups_read(f->hlo, in, &attrs.all_to_all.replica_groups));
    TRY(stack_operands(f, in, &b, &all));
    all = build_declared(&b, OP_all_to_all, 1, &all, all->type, &attrs);
    TRY(build_check(f->hlo->module, all));
    for (int64_t i = 0; i < count; i++)
        rows[i] = row_of(&b, all, i);
    size_t at = 0;
    *out = hlo_shape_node(f->hlo->arena, in->shape, rows, &at);
    return hlo_shape_fits(in->shape, *out)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "the types of its operands and results differ");
}

/* ---- indices --------------------------------------------------------------------------------- */

struct error *hlo_expand_indices(struct hlo_frame *f, const hlo_instruction *in,
                                 hlo_values *operands)
{
    size_t last = strcmp(in->opcode, "dynamic-slice") == 0 ? 1 : 2;
    if (operands->count != last + 1 || operands->items[last]->type->kind != TYPE_TENSOR ||
        operands->items[last]->type->shape.rank != 1)
        return NULL;
    struct builder b = hlo_body_builder(f, in);
    struct value *indices = operands->items[last];
    int64_t count = indices->type->shape.dims[0];
    int rank = operands->items[0]->type->shape.rank;
    if (count != rank)
        return ERROR(INVALID_ARGUMENT,
                     "has %lld indices for an array of rank %d; the numbers must be equal",
                     (long long)count, rank);
    operands->count = last;
    for (int64_t i = 0; i < count; i++)
        VEC_PUSH(f->hlo->arena, operands, along_dim_element(&b, indices, 0, i));
    return NULL;
}

/* ---- scan ------------------------------------------------------------------------------------ */

struct scan {
    struct hlo_frame *f;
    const hlo_instruction *in;
    size_t inputs, outputs, carries;
    int64_t length, dimension;
    struct value **operands; /* inputs, then carries */
    hlo_types types;         /* of outputs, then carries */
};

static struct error *read_scan(struct scan *s)
{
    struct arena *arena = s->f->hlo->arena;
    const hlo_instruction *in = s->in;
    TRY(hlo_shape_types(arena, in->shape, &s->types));
    if (in->n_computations != 1 || in->n_dimensions != 1 || in->carries < 0 ||
        (uint64_t)in->carries > in->n_operands || (uint64_t)in->carries > s->types.count)
        return ERROR(
            INVALID_ARGUMENT,
            "has %lld carries, %zu operands, %zu results, %zu dimensions and %zu "
            "computations; it must have one dimension, one computation, and at most as many "
            "carries as operands and results",
            (long long)in->carries, in->n_operands, s->types.count, in->n_dimensions,
            in->n_computations);
    s->carries = (size_t)in->carries;
    s->inputs = in->n_operands - s->carries;
    s->outputs = s->types.count - s->carries;
    s->dimension = in->dimensions[0];
    s->operands = ARENA_ARRAY(arena, struct value *, in->n_operands);
    for (size_t i = 0; i < in->n_operands; i++)
        TRY(tensor_operand(s->f, in, i, &s->operands[i]));
    for (size_t i = 0; i < s->inputs + s->outputs; i++) {
        const struct type *type =
            i < s->inputs ? s->operands[i]->type : s->types.items[i - s->inputs];
        if (type->kind != TYPE_TENSOR || s->dimension < 0 || s->dimension >= type->shape.rank ||
            (i > 0 && type->shape.dims[s->dimension] != s->length))
            return ERROR(INVALID_ARGUMENT, "%s cannot be scanned along dimension %lld",
                         type_text(arena, type), (long long)s->dimension);
        s->length = type->shape.dims[s->dimension];
    }
    return NULL;
}

static struct value *put(struct scan *s, struct builder *b, struct value *output,
                         struct value *slice, struct value *index)
{
    int dim = (int)s->dimension;
    const struct type *one = along_dim_type(b, output->type, dim, 1);
    slice = build_reshape(b, slice, one->shape.rank, one->shape.dims);
    return along_dim_update(b, output, dim, slice, index);
}

/* One iteration. The block's arguments are the counter, the outputs so far and the carries. */
static struct error *scan_body(struct scan *s, struct block *block)
{
    struct arena *arena = s->f->hlo->arena;
    struct builder b = {s->f->hlo->module, block, NULL, hlo_module_location(s->f->hlo, s->in)};
    struct value *counter = &block->arguments[0], *index = counter;
    const struct hlo_node **arguments =
        ARENA_ARRAY(arena, const struct hlo_node *, s->in->n_operands);
    const struct hlo_node *root;
    hlo_values returned = {0}, next = {0};
    if (s->in->is_reverse)
        index = build_binary(&b, OP_subtract, build_scalar(&b, DTYPE_S64, (double)(s->length - 1)),
                             counter);
    for (size_t i = 0; i < s->in->n_operands; i++) {
        struct value *value = i < s->inputs
                                  ? along_dim_take_one(&b, s->operands[i], (int)s->dimension, index)
                                  : &block->arguments[1 + s->outputs + i - s->inputs];
        TRY(build_check(s->f->hlo->module, value));
        arguments[i] = hlo_shape_leaf(arena, value);
    }
    TRY(hlo_body_inline(s->f, s->in->computations[0], block, s->in->n_operands, arguments, &root));
    TRY(hlo_module_flatten(s->f->hlo, root, &returned));
    if (returned.count != s->types.count)
        return ERROR(INVALID_ARGUMENT, "its computation returns %zu values; it must return %zu",
                     returned.count, s->types.count);
    VEC_PUSH(arena, &next, build_binary(&b, OP_add, counter, build_scalar(&b, DTYPE_S64, 1)));
    for (size_t i = 0; i < returned.count; i++)
        VEC_PUSH(arena, &next,
                 i < s->outputs ? put(s, &b, &block->arguments[1 + i], returned.items[i], index)
                                : returned.items[i]);
    for (size_t i = 0; i < next.count; i++)
        if (!type_same(next.items[i]->type, block->arguments[i].type))
            return carry_mismatch();
    build_return(&b, (int)next.count, next.items);
    return NULL;
}

struct error *hlo_expand_scan(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out)
{
    struct arena *arena = f->hlo->arena;
    struct module *module = f->hlo->module;
    struct builder b = hlo_body_builder(f, in);
    struct scan s = {.f = f, .in = in};
    hlo_values begin = {0};
    hlo_types types = {0};
    size_t at = 1;
    TRY(read_scan(&s));
    VEC_PUSH(arena, &begin, build_scalar(&b, DTYPE_S64, 0));
    for (size_t i = 0; i < s.types.count; i++)
        VEC_PUSH(arena, &begin,
                 i < s.outputs ? build_splat(&b, s.types.items[i], 0)
                               : s.operands[s.inputs + i - s.outputs]);
    for (size_t i = 0; i < begin.count; i++) {
        if (i > s.outputs && !type_same(begin.items[i]->type, s.types.items[i - 1]))
            return carry_mismatch();
        VEC_PUSH(arena, &types, begin.items[i]->type);
    }
    struct op *loop =
        ir_op(module, OP_while, (int)begin.count, begin.items, (int)types.count, types.items, 2);
    loop->location = b.location;
    ir_append(f->block, loop);
    for (int i = 0; i < 2; i++)
        loop->regions[i] = ir_block(module, f->func, loop, (int)types.count, types.items);
    struct builder test = {module, loop->regions[0], NULL, b.location};
    struct value *more = build_compare(&test, COMPARE_LT, &loop->regions[0]->arguments[0],
                                       build_scalar(&test, DTYPE_S64, (double)s.length));
    build_return(&test, 1, &more);
    TRY(scan_body(&s, loop->regions[1]));
    struct value **values = ARENA_ARRAY(arena, struct value *, types.count);
    for (size_t i = 0; i < types.count; i++)
        values[i] = &loop->results[i];
    *out = hlo_shape_node(arena, in->shape, values, &at);
    return NULL;
}

/* ---- ragged dots ----------------------------------------------------------------------------- */

struct ragged {
    struct builder b;
    struct arena *arena;
    struct value *lhs, *rhs, *sizes;
    const Gantry__Hlo__DotNumbers *dot;
    int64_t dimension; /* the ragged dimension of the left operand */
};

static bool holds(size_t count, const int64_t *at, int64_t number)
{
    for (size_t i = 0; i < count; i++)
        if (at[i] == number)
            return true;
    return false;
}

/* A mask [groups, rows]: true when the row is in the group. Group i ends at the sum of the first
 * i + 1 sizes. */
static struct value *members(struct ragged *r)
{
    struct builder *b = &r->b;
    int64_t groups = r->sizes->type->shape.dims[0], one = 1, zero = 0;
    enum dtype dtype = r->sizes->type->shape.dtype;
    const struct type *square = type_tensor(r->arena, dtype, 2, (int64_t[]){groups, groups});
    const struct type *table = type_tensor(
        r->arena, dtype, 2, (int64_t[]){groups, r->lhs->type->shape.dims[r->dimension]});
    struct value *first = build_iota(b, square, 0), *second = build_iota(b, square, 1);
    struct value *counted =
        build_select(b, build_compare(b, COMPARE_LE, second, first),
                     build_broadcast(b, r->sizes, square, 1, &one), build_splat(b, square, 0));
    struct value *ends = build_reduce(b, counted, build_scalar(b, dtype, 0), OP_add, 1, &one);
    struct value *begins = build_binary(b, OP_subtract, ends, r->sizes);
    struct value *row = build_iota(b, table, 1);
    return build_binary(
        b, OP_and, build_compare(b, COMPARE_GE, row, build_broadcast(b, begins, table, 1, &zero)),
        build_compare(b, COMPARE_LT, row, build_broadcast(b, ends, table, 1, &zero)));
}

/* The left operand with an additional leading dimension of groups; rows of other groups are
 * zero. */
static struct value *expand_groups(struct ragged *r)
{
    struct builder *b = &r->b;
    const struct type *from = r->lhs->type;
    int64_t dims[SHAPE_MAX_RANK], all[SHAPE_MAX_RANK];
    dims[0] = r->sizes->type->shape.dims[0];
    for (int i = 0; i < from->shape.rank; i++) {
        dims[i + 1] = from->shape.dims[i];
        all[i] = i + 1;
    }
    const struct type *type = type_tensor(r->arena, from->shape.dtype, from->shape.rank + 1, dims);
    struct value *mask = build_broadcast(b, members(r), type_with_dtype(r->arena, type, DTYPE_PRED),
                                         2, (int64_t[]){0, r->dimension + 1});
    return build_select(b, mask, build_broadcast(b, r->lhs, type, from->shape.rank, all),
                        build_splat(b, type, 0));
}

/* A list with `by` added to each number, preceded by `first` unless that is negative. */
static struct dims shifted(struct arena *arena, int64_t first, size_t count, const int64_t *at,
                           int64_t by)
{
    int64_t *list = ARENA_ARRAY(arena, int64_t, count + 1), size = 0;
    if (first >= 0)
        list[size++] = first;
    for (size_t i = 0; i < count; i++)
        list[size++] = at[i] + by;
    return (struct dims){size, list};
}

/* `group`: the group dimension of the right operand, which is also contracted; -1: none. */
static struct value *product(struct ragged *r, struct value *lhs, int64_t group, bool spread,
                             const struct type *type)
{
    const Gantry__Hlo__DotNumbers *dot = r->dot;
    struct value *operands[] = {lhs, r->rhs};
    union attrs attrs = {{0}};
    struct attrs_dot *out = &attrs.dot;
    out->lhs_batching_dimensions = shifted(r->arena, -1, dot->n_lhs_batch, dot->lhs_batch, spread);
    out->rhs_batching_dimensions = shifted(r->arena, -1, dot->n_rhs_batch, dot->rhs_batch, 0);
    out->lhs_contracting_dimensions = shifted(r->arena, group >= 0 ? 0 : -1, dot->n_lhs_contracting,
                                              dot->lhs_contracting, spread);
    out->rhs_contracting_dimensions =
        shifted(r->arena, group, dot->n_rhs_contracting, dot->rhs_contracting, 0);
    return build_declared(&r->b, OP_dot_general, 2, operands, type, &attrs);
}

static struct error *read_ragged(struct hlo_frame *f, const hlo_instruction *in, struct ragged *r)
{
    if (!in->ragged_dot || !in->ragged_dot->dot || in->ragged_dot->n_lhs_ragged != 1)
        return ERROR(INVALID_ARGUMENT,
                     "must have dimension numbers with exactly one ragged dimension");
    TRY(tensor_operand(f, in, 0, &r->lhs));
    TRY(tensor_operand(f, in, 1, &r->rhs));
    TRY(tensor_operand(f, in, 2, &r->sizes));
    r->dot = in->ragged_dot->dot;
    r->dimension = in->ragged_dot->lhs_ragged[0];
    if (r->dimension < 0 || r->dimension >= r->lhs->type->shape.rank ||
        r->lhs->type->shape.rank >= SHAPE_MAX_RANK ||
        !dtype_is_integer(r->sizes->type->shape.dtype))
        return ERROR(
            INVALID_ARGUMENT,
            "the ragged dimension %lld of %s is out of range, or the group sizes %s are not "
            "integers",
            (long long)r->dimension, type_text(r->arena, r->lhs->type),
            type_text(r->arena, r->sizes->type));
    if (r->sizes->type->shape.rank != 1)
        return ERROR(UNIMPLEMENTED, "group sizes of rank %d are unsupported; the rank must be 1",
                     r->sizes->type->shape.rank);
    return NULL;
}

struct error *hlo_expand_ragged_dot(struct hlo_frame *f, const hlo_instruction *in,
                                    const struct hlo_node **out)
{
    struct ragged r = {.b = hlo_body_builder(f, in), .arena = f->hlo->arena};
    const struct type *type;
    struct value *lhs;
    TRY(read_ragged(f, in, &r));
    TRY(hlo_shape_type(r.arena, in->shape, &type));
    const Gantry__Hlo__RaggedDot *ragged = in->ragged_dot;
    if (holds(r.dot->n_lhs_batch, r.dot->lhs_batch, r.dimension))
        return hlo_body_built(f, product(&r, r.lhs, -1, false, type), out);
    bool contracting = holds(r.dot->n_lhs_contracting, r.dot->lhs_contracting, r.dimension);
    if (contracting && r.dot->n_lhs_batch)
        return ERROR(UNIMPLEMENTED,
                     "a contracted ragged dimension is unsupported with batch dimensions");
    if (ragged->n_rhs_group != (contracting ? 0 : 1))
        return ERROR(INVALID_ARGUMENT, "has %zu group dimensions; it must have %d",
                     ragged->n_rhs_group, contracting ? 0 : 1);
    lhs = expand_groups(&r);
    TRY(build_check(f->hlo->module, lhs));
    return hlo_body_built(f, product(&r, lhs, contracting ? -1 : ragged->rhs_group[0], true, type),
                          out);
}
