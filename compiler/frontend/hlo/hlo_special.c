#include "compiler/frontend/hlo/hlo_special.h"

#include <string.h>

#include "compiler/frontend/functions/functions.h"
#include "compiler/frontend/hlo/hlo_async.h"
#include "compiler/frontend/hlo/hlo_expand.h"
#include "compiler/frontend/hlo/hlo_literal.h"
#include "compiler/ir/build.h"

/* Operand i, which must not be a tuple. */
static struct error *leaf_operand(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                                  struct value **out)
{
    const struct hlo_node *node;
    TRY(hlo_body_operand(f, in, i, &node));
    *out = node->value;
    return *out ? NULL : ERROR(INVALID_ARGUMENT, "operand %zu is a tuple; it must be an array", i);
}

static struct error *append(struct hlo_frame *f, const hlo_instruction *in, enum op_code code,
                            const hlo_values *operands, int regions, struct op **op,
                            const struct hlo_node **out)
{
    struct arena *arena = f->hlo->arena;
    hlo_types types = {0};
    size_t at = 0;
    TRY(hlo_shape_types(arena, in->shape, &types));
    *op = ir_op(f->hlo->module, code, (int)operands->count, operands->items, (int)types.count,
                types.items, regions);
    (*op)->location = hlo_module_location(f->hlo, in);
    ir_append(f->block, *op);
    struct value **values = ARENA_ARRAY(arena, struct value *, types.count);
    for (size_t i = 0; i < types.count; i++)
        values[i] = &(*op)->results[i];
    *out = hlo_shape_node(arena, in->shape, values, &at);
    return NULL;
}

/* ---- values and tuples ----------------------------------------------------------------------- */

static struct error *parameter(struct hlo_frame *f, const hlo_instruction *in,
                               const struct hlo_node **out)
{
    *out = f->arguments[in->parameter_number]; /* hlo_module_prepare() checked it */
    return NULL;
}

static struct error *constant(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out)
{
    const struct literal *literal;
    struct builder b = hlo_body_builder(f, in);
    if (!in->literal)
        return ERROR(INVALID_ARGUMENT, "must have a literal");
    TRY(hlo_literal_read(f->hlo->arena, in->literal, &literal));
    struct value *value = build_constant(&b, literal);
    TRY(build_check(f->hlo->module, value));
    *out = hlo_shape_leaf(f->hlo->arena, value);
    return NULL;
}

static struct error *tuple(struct hlo_frame *f, const hlo_instruction *in,
                           const struct hlo_node **out)
{
    const struct hlo_node **elements =
        ARENA_ARRAY(f->hlo->arena, const struct hlo_node *, in->n_operands);
    for (size_t i = 0; i < in->n_operands; i++)
        TRY(hlo_body_operand(f, in, i, &elements[i]));
    return hlo_shape_group(f->hlo->arena, in->n_operands, elements, out);
}

static struct error *get_tuple_element(struct hlo_frame *f, const hlo_instruction *in,
                                       const struct hlo_node **out)
{
    const struct hlo_node *node;
    TRY(hlo_body_operand(f, in, 0, &node));
    if (in->tuple_index < 0 || (uint64_t)in->tuple_index >= node->count)
        return ERROR(INVALID_ARGUMENT, "its index is %lld; the tuple has %zu elements",
                     (long long)in->tuple_index, node->count);
    *out = node->elements[in->tuple_index];
    return NULL;
}

/* copy (values are immutable), domain (only affects sharding), add-dependency. */
static struct error *forward(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out)
{
    return hlo_body_operand(f, in, 0, out);
}

/* ---- computations ---------------------------------------------------------------------------- */

/* call and fusion. */
static struct error *call(struct hlo_frame *f, const hlo_instruction *in,
                          const struct hlo_node **out)
{
    struct hlo_computation *callee;
    struct func *func;
    hlo_values operands = {0};
    struct op *op;
    if (in->n_computations != 1)
        return ERROR(INVALID_ARGUMENT, "calls %zu computations; it must call 1",
                     in->n_computations);
    TRY(hlo_module_find(f->hlo, in->computations[0], &callee));
    TRY(hlo_body_func(f->hlo, callee, callee->proto->name, &func));
    for (size_t i = 0; i < in->n_operands; i++) {
        const struct hlo_node *node;
        TRY(hlo_body_operand(f, in, i, &node));
        TRY(hlo_module_flatten(f->hlo, node, &operands));
    }
    TRY(append(f, in, OP_call, &operands, 0, &op, out));
    op->attrs.call.callee = func;
    return NULL;
}

/* In HLO, each branch has an operand; in the IR, branches capture values. */
static struct error *conditional(struct hlo_frame *f, const hlo_instruction *in,
                                 const struct hlo_node **out)
{
    struct value *index;
    struct op *op;
    hlo_values operands = {0};
    TRY(leaf_operand(f, in, 0, &index));
    VEC_PUSH(f->hlo->arena, &operands, index);
    if (in->n_computations == 0 || in->n_operands != in->n_computations + 1)
        return ERROR(INVALID_ARGUMENT,
                     "has %zu branches and %zu operands for them; the numbers must be equal",
                     in->n_computations, in->n_operands - 1);
    bool is_if = index->type->shape.dtype == DTYPE_PRED;
    if (is_if && in->n_computations != 2)
        return ERROR(INVALID_ARGUMENT, "has %zu branches; with a predicate it must have 2",
                     in->n_computations);
    TRY(append(f, in, is_if ? OP_if : OP_case, &operands, (int)in->n_computations, &op, out));
    for (size_t i = 0; i < in->n_computations; i++) {
        const struct hlo_node *argument;
        TRY(hlo_body_operand(f, in, i + 1, &argument));
        TRY(hlo_body_branch(f, in->computations[i], argument, op, (int)i));
    }
    return NULL;
}

/* ---- instructions that become several operations --------------------------------------------- */

/* The dimensions of `type` in the order of `layout`, major first. */
static void physical(const struct type *type, struct dims layout, int64_t *order, int64_t *dims)
{
    for (int i = 0; i < type->shape.rank; i++) {
        order[i] = layout.at[type->shape.rank - 1 - i];
        dims[i] = type->shape.dims[order[i]];
    }
}

/* Reinterprets the bytes of the operand: transposes to the operand's physical order, reshapes to
 * the result's physical sizes, and transposes to the result's logical order. */
static struct error *bitcast(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out)
{
    struct builder b = hlo_body_builder(f, in);
    struct value *value;
    const struct type *type;
    struct dims from, to;
    int64_t order[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK], back[SHAPE_MAX_RANK];
    TRY(leaf_operand(f, in, 0, &value));
    TRY(hlo_shape_type(f->hlo->arena, in->shape, &type));
    TRY(hlo_shape_layout(f->hlo->arena, hlo_body_source(f, in, 0)->shape, &from));
    TRY(hlo_shape_layout(f->hlo->arena, in->shape, &to));
    if (value->type->shape.dtype != type->shape.dtype || from.count != value->type->shape.rank)
        return ERROR(UNIMPLEMENTED,
                     "a bitcast from %s to %s is unsupported; element types must be equal",
                     type_text(f->hlo->arena, value->type), type_text(f->hlo->arena, type));
    physical(value->type, from, order, dims);
    if (!hlo_shape_is_row_major(from))
        value = build_transpose(&b, value, order);
    physical(type, to, order, dims);
    value = build_reshape(&b, value, type->shape.rank, dims);
    for (int i = 0; i < type->shape.rank; i++)
        back[order[i]] = i;
    if (value && !hlo_shape_is_row_major(to))
        value = build_transpose(&b, value, back);
    return hlo_body_built(f, value, out);
}

/* StableHLO's rng has the shape as an operand. */
static struct error *rng(struct hlo_frame *f, const hlo_instruction *in,
                         const struct hlo_node **out)
{
    struct builder b = hlo_body_builder(f, in);
    struct value *operands[3];
    const struct type *type;
    TRY(leaf_operand(f, in, 0, &operands[0]));
    TRY(leaf_operand(f, in, 1, &operands[1]));
    TRY(hlo_shape_type(f->hlo->arena, in->shape, &type));
    int64_t rank = type->shape.rank;
    const struct type *list = type_tensor(f->hlo->arena, DTYPE_S64, 1, &rank);
    operands[2] = build_constant(&b, literal_dense(f->hlo->arena, list, type->shape.dims));
    union attrs attrs = {.rng = {.rng_distribution = (enum rng_distribution)in->distribution}};
    return hlo_body_built(f, build_declared(&b, OP_rng, 3, operands, type, &attrs), out);
}

static struct error *topk(struct hlo_frame *f, const hlo_instruction *in,
                          const struct hlo_node **out)
{
    struct builder b = hlo_body_builder(f, in);
    struct value *operand, *values[2];
    const struct hlo_node *elements[2] = {NULL};
    TRY(leaf_operand(f, in, 0, &operand));
    TRY(functions_top_k(&b, operand, in->k, in->largest, values));
    for (int i = 0; i < 2; i++)
        TRY(hlo_body_built(f, values[i], &elements[i]));
    return hlo_shape_group(f->hlo->arena, 2, elements, out);
}

/* ---- the table ------------------------------------------------------------------------------- */

struct row {
    const char *opcode;
    struct error *(*convert)(struct hlo_frame *, const hlo_instruction *, const struct hlo_node **);
    bool skips_shape_check; /* of a start, whose tuple may differ; the done checks its shape */
};

static const struct row rows[] = {
    {"parameter", parameter, false},
    {"constant", constant, false},
    {"tuple", tuple, false},
    {"get-tuple-element", get_tuple_element, false},
    {"call", call, false},
    {"fusion", call, false},
    {"conditional", conditional, false},
    {"copy", forward, false},
    {"domain", forward, false},
    {"add-dependency", forward, false},
    {"bitcast", bitcast, false},
    {"rng", rng, false},
    {"topk", topk, false},
    {"acos", hlo_expand_function, false},
    {"acosh", hlo_expand_function, false},
    {"asin", hlo_expand_function, false},
    {"asinh", hlo_expand_function, false},
    {"atanh", hlo_expand_function, false},
    {"cosh", hlo_expand_function, false},
    {"mulhi", hlo_expand_function, false},
    {"sinh", hlo_expand_function, false},
    {"ragged-dot", hlo_expand_ragged_dot, false},
    {"scan", hlo_expand_scan, false},
    {"async-start", hlo_async_start, true},
    {"async-update", forward, true},
    {"async-done", hlo_async_done, false},
    {"all-gather-start", hlo_async_collective, false},
    {"all-gather-done", hlo_async_collective_done, false},
    {"all-reduce-start", hlo_async_collective, false},
    {"all-reduce-done", forward, false},
    {"collective-permute-start", hlo_async_collective, true},
    {"collective-permute-done", hlo_async_collective_done, false},
    {"copy-start", hlo_async_copy, true},
    {"copy-done", hlo_async_copy_done, false},
    {"send", hlo_async_send, true},
    {"send-done", hlo_async_send_done, false},
    {"recv", hlo_async_recv, true},
    {"recv-done", hlo_async_recv_done, false},
    {"infeed", hlo_async_infeed, false},
    {"outfeed", hlo_async_outfeed, false},
};

struct error *hlo_special_convert(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out)
{
    const struct row *row = NULL;
    for (size_t i = 0; !row && i < sizeof rows / sizeof *rows; i++)
        row = strcmp(rows[i].opcode, in->opcode) == 0 ? &rows[i] : NULL;
    if (!row)
        return ERROR(UNIMPLEMENTED, "this operation is unsupported");
    TRY(row->convert(f, in, out));
    return row->skips_shape_check || hlo_shape_fits(in->shape, *out)
               ? NULL
               : ERROR(INVALID_ARGUMENT, "its value does not have the declared shape");
}
