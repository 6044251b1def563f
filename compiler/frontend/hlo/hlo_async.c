#include "compiler/frontend/hlo/hlo_async.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/hlo/hlo_call.h"
#include "compiler/ir/build.h"

/* Element i of operand 0. */
static struct error *part(struct hlo_frame *f, const hlo_instruction *in, size_t i,
                          const struct hlo_node **out)
{
    const struct hlo_node *node;
    TRY(hlo_body_operand(f, in, 0, &node));
    if (i >= node->count)
        return ERROR(INVALID_ARGUMENT,
                     "needs element %zu of its operand, which has %zu; the operand must be the "
                     "matching start",
                     i, node->count);
    *out = node->elements[i];
    return NULL;
}

static struct error *element_shape(const hlo_instruction *in, size_t i, hlo_shape **out)
{
    if (!in->shape || i >= in->shape->n_elements)
        return ERROR(INVALID_ARGUMENT, "its shape must be a tuple with an element %zu", i);
    *out = in->shape->elements[i];
    return NULL;
}

/* The context of a transfer, which only a scheduler uses. */
static const struct hlo_node *context(struct hlo_frame *f)
{
    struct builder b = {f->hlo->module, f->block, NULL, NULL};
    return hlo_shape_leaf(f->hlo->arena, build_scalar(&b, DTYPE_U32, 0));
}

/* ---- computations and collectives ------------------------------------------------------------ */

struct error *hlo_async_start(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out)
{
    const struct hlo_node **operands =
        ARENA_ARRAY(f->hlo->arena, const struct hlo_node *, in->n_operands);
    const struct hlo_node *parts[2] = {NULL};
    if (in->n_computations != 1)
        return ERROR(INVALID_ARGUMENT, "calls %zu computations; it must call 1",
                     in->n_computations);
    for (size_t i = 0; i < in->n_operands; i++)
        TRY(hlo_body_operand(f, in, i, &operands[i]));
    TRY(hlo_body_inline(f, in->computations[0], f->block, in->n_operands, operands, &parts[1]));
    TRY(hlo_shape_group(f->hlo->arena, in->n_operands, operands, &parts[0]));
    return hlo_shape_group(f->hlo->arena, 2, parts, out);
}

struct error *hlo_async_done(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out)
{
    return part(f, in, 1, out);
}

struct error *hlo_async_collective(struct hlo_frame *f, const hlo_instruction *in,
                                   const struct hlo_node **out)
{
    hlo_instruction plain = *in;
    const struct hlo_node *parts[2] = {NULL};
    size_t size = strlen(in->opcode) - strlen("-start");
    plain.opcode = (char *)(uintptr_t)arena_string(f->hlo->arena, in->opcode, size);
    if (strcmp(plain.opcode, "all-reduce") == 0)
        return f->hlo->convert(f, &plain, out);
    TRY(element_shape(in, 1, &plain.shape));
    TRY(f->hlo->convert(f, &plain, &parts[1]));
    TRY(hlo_body_operand(f, in, 0, &parts[0]));
    return hlo_shape_group(f->hlo->arena, 2, parts, out);
}

struct error *hlo_async_collective_done(struct hlo_frame *f, const hlo_instruction *in,
                                        const struct hlo_node **out)
{
    return part(f, in, 1, out);
}

struct error *hlo_async_copy(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out)
{
    const struct hlo_node *parts[3] = {NULL};
    TRY(hlo_body_operand(f, in, 0, &parts[0]));
    parts[1] = parts[0];
    parts[2] = context(f);
    return hlo_shape_group(f->hlo->arena, 3, parts, out);
}

struct error *hlo_async_copy_done(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out)
{
    return part(f, in, 0, out);
}

/* ---- the host -------------------------------------------------------------------------------- */

static struct op *append(struct hlo_frame *f, const hlo_instruction *in, enum op_code code,
                         const hlo_values *operands, const hlo_types *types)
{
    struct op *op = ir_op(f->hlo->module, code, (int)operands->count, operands->items,
                          (int)types->count, types->items, 0);
    op->location = hlo_module_location(f->hlo, in);
    op->discardable = hlo_call_discardable(f->hlo->arena, in);
    ir_append(f->block, op);
    return op;
}

/* XLA has the pairs of a transfer between devices as text, "{{0,1},{1,2}}". */
static struct error *read_pairs(struct hlo_frame *f, const hlo_instruction *in, struct pairs *out)
{
    const struct dict *dict = hlo_call_frontend(f->hlo->arena, in->frontend_attributes);
    const char *text = NULL;
    for (int64_t i = 0; dict && i < dict->count; i++)
        if (!strcmp(dict->names[i].data, "_xla_send_recv_source_target_pairs"))
            text = dict->values[i].string.data;
    size_t size = text ? strlen(text) : 0, count = 0;
    int64_t *at = ARENA_ARRAY(f->hlo->arena, int64_t, size + 1);
    for (const char *end = text; end && *end;) {
        char *next = (char *)(uintptr_t)end + 1;
        if (*end >= '0' && *end <= '9')
            at[count++] = strtoll(end, &next, 10);
        else if (!strchr("{}, ", *end))
            break;
        end = next;
        text = end;
    }
    if (text && (*text || count % 2))
        return ERROR(INVALID_ARGUMENT, "its source_target_pairs are malformed at '%s'", text);
    *out = (struct pairs){(int64_t)count / 2, 2, at};
    return NULL;
}

static struct error *set_channel(struct hlo_frame *f, const hlo_instruction *in, int host_type,
                                 struct op *op)
{
    enum { BETWEEN_DEVICES = 1 };
    struct attrs_channel *out = &op->attrs.channel;
    hlo_call_place(in, op);
    out->channel_id = in->channel_id;
    out->is_host_transfer = in->is_host_transfer;
    out->channel_type = in->is_host_transfer ? host_type : BETWEEN_DEVICES;
    return in->is_host_transfer ? NULL : read_pairs(f, in, &out->source_target_pairs);
}

/* The leaves of all operands. */
static struct error *values_of(struct hlo_frame *f, const hlo_instruction *in, hlo_values *out)
{
    for (size_t i = 0; i < in->n_operands; i++) {
        const struct hlo_node *node;
        TRY(hlo_body_operand(f, in, i, &node));
        TRY(hlo_module_flatten(f->hlo, node, out));
    }
    return NULL;
}

struct error *hlo_async_send(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out)
{
    enum { DEVICE_TO_HOST = 2 };
    struct arena *arena = f->hlo->arena;
    const struct hlo_node *parts[3] = {NULL};
    hlo_values operands = {0};
    hlo_types types = {0};
    TRY(values_of(f, in, &operands));
    TRY(hlo_body_operand(f, in, 0, &parts[0]));
    VEC_PUSH(arena, &types, type_token(arena));
    struct op *op = append(f, in, OP_send, &operands, &types);
    TRY(set_channel(f, in, DEVICE_TO_HOST, op));
    parts[1] = context(f);
    parts[2] = hlo_shape_leaf(arena, &op->results[0]);
    return hlo_shape_group(f->hlo->arena, 3, parts, out);
}

struct error *hlo_async_send_done(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out)
{
    return part(f, in, 2, out);
}

/* Appends an operation with a token operand that returns the leaves of a shape and a token. */
static struct error *receive(struct hlo_frame *f, const hlo_instruction *in, enum op_code code,
                             const hlo_shape *shape, struct op **op, const struct hlo_node **data,
                             const struct hlo_node **token)
{
    struct arena *arena = f->hlo->arena;
    hlo_values operands = {0};
    hlo_types types = {0};
    size_t at = 0;
    TRY(values_of(f, in, &operands));
    if (operands.count != 1 || operands.items[0]->type->kind != TYPE_TOKEN)
        return ERROR(INVALID_ARGUMENT, "has %zu operands; its only operand must be a token",
                     operands.count);
    TRY(hlo_shape_types(arena, shape, &types));
    VEC_PUSH(arena, &types, type_token(arena));
    *op = append(f, in, code, &operands, &types);
    struct value **values = ARENA_ARRAY(arena, struct value *, types.count);
    for (size_t i = 0; i < types.count; i++)
        values[i] = &(*op)->results[i];
    *data = hlo_shape_node(arena, shape, values, &at);
    *token = hlo_shape_leaf(arena, values[types.count - 1]);
    return NULL;
}

struct error *hlo_async_recv(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out)
{
    enum { HOST_TO_DEVICE = 3 };
    const struct hlo_node *parts[3] = {NULL};
    hlo_shape *shape = NULL;
    struct op *op;
    TRY(element_shape(in, 0, &shape));
    TRY(receive(f, in, OP_recv, shape, &op, &parts[0], &parts[2]));
    TRY(set_channel(f, in, HOST_TO_DEVICE, op));
    parts[1] = context(f);
    return hlo_shape_group(f->hlo->arena, 3, parts, out);
}

struct error *hlo_async_recv_done(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out)
{
    const struct hlo_node *parts[2] = {NULL};
    TRY(part(f, in, 0, &parts[0]));
    TRY(part(f, in, 2, &parts[1]));
    return hlo_shape_group(f->hlo->arena, 2, parts, out);
}

struct error *hlo_async_infeed(struct hlo_frame *f, const hlo_instruction *in,
                               const struct hlo_node **out)
{
    const struct hlo_node *parts[2] = {NULL};
    hlo_shape *shape = NULL;
    struct op *op;
    TRY(element_shape(in, 0, &shape));
    TRY(receive(f, in, OP_infeed, shape, &op, &parts[0], &parts[1]));
    op->attrs.infeed.infeed_config = hlo_call_string(f->hlo->arena, in->infeed_config);
    return hlo_shape_group(f->hlo->arena, 2, parts, out);
}

struct error *hlo_async_outfeed(struct hlo_frame *f, const hlo_instruction *in,
                                const struct hlo_node **out)
{
    hlo_values operands = {0};
    hlo_types types = {0};
    TRY(values_of(f, in, &operands));
    VEC_PUSH(f->hlo->arena, &types, type_token(f->hlo->arena));
    struct op *op = append(f, in, OP_outfeed, &operands, &types);
    op->attrs.outfeed.outfeed_config = hlo_call_string(f->hlo->arena, in->outfeed_config);
    *out = hlo_shape_leaf(f->hlo->arena, &op->results[0]);
    return NULL;
}
