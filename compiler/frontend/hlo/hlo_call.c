#include "compiler/frontend/hlo/hlo_call.h"

#include <string.h>

#include "compiler/frontend/hlo/hlo_groups.h"
#include "compiler/frontend/hlo/hlo_sharding.h"
#include "compiler/frontend/text/mlir_text.h"

enum { TYPED = 4 }; /* API_VERSION_TYPED_FFI */

struct string hlo_call_string(struct arena *arena, ProtobufCBinaryData data)
{
    return (struct string){data.len, arena_string(arena, (const char *)data.data, data.len)};
}

static struct string text_of(const char *text)
{
    return (struct string){strlen(text), text};
}

/* ---- dictionaries ---------------------------------------------------------------------------- */

/* A copy of `to` (may be NULL) with an additional attribute. */
static const struct dict *with(struct arena *arena, const struct dict *to, const char *name,
                               const struct dict *value)
{
    size_t count = to ? (size_t)to->count : 0;
    struct string *names = ARENA_ARRAY(arena, struct string, count + 1);
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, count + 1);
    struct dict *dict = ARENA_NEW(arena, struct dict);
    for (size_t i = 0; i < count; i++) {
        names[i] = to->names[i];
        values[i] = to->values[i];
    }
    names[count] = text_of(name);
    values[count].kind = DICT_DICT;
    values[count].dict = value;
    *dict = (struct dict){(int64_t)count + 1, names, values};
    return dict;
}

const struct dict *hlo_call_frontend(struct arena *arena,
                                     const Gantry__Hlo__FrontendAttributes *from)
{
    size_t count = from ? from->n_entries : 0;
    if (count == 0)
        return NULL;
    struct string *names = ARENA_ARRAY(arena, struct string, count);
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, count);
    struct dict *dict = ARENA_NEW(arena, struct dict);
    for (size_t i = 0; i < count; i++) {
        names[i] = text_of(from->entries[i]->key);
        values[i].kind = DICT_STRING;
        values[i].string = text_of(from->entries[i]->value);
    }
    *dict = (struct dict){(int64_t)count, names, values};
    return dict;
}

const struct dict *hlo_call_discardable(struct arena *arena, const hlo_instruction *in)
{
    const struct dict *dict = hlo_call_frontend(arena, in->frontend_attributes);
    return dict ? with(arena, NULL, "mhlo.frontend_attributes", dict) : NULL;
}

/* {replica_groups = dense<...> : tensor<AxBxi64>, channel_id = N}, without groups if there are
 * none: all participants are one. */
static struct error *ragged_config(struct hlo *h, const hlo_instruction *in, struct op *op)
{
    static const struct string names[] = {{10, "channel_id"}, {14, "replica_groups"}};
    struct dict_value *values = ARENA_ARRAY(h->arena, struct dict_value, 2);
    struct dict *config = ARENA_NEW(h->arena, struct dict);
    struct pairs groups;
    TRY(hlo_groups_read(h, in, &groups));
    int64_t dims[] = {groups.rows, groups.columns};
    values[0] =
        (struct dict_value){.kind = DICT_INT, .dtype = DTYPE_S64, .integer = in->channel_id};
    values[1].kind = DICT_LITERAL;
    values[1].literal =
        literal_dense(h->arena, type_tensor(h->arena, DTYPE_S64, 2, dims), groups.at);
    *config = (struct dict){groups.rows ? 2 : 1, names, values};
    op->discardable = with(h->arena, op->discardable, "mhlo.backend_config", config);
    return NULL;
}

struct error *hlo_call_config(struct hlo *h, const hlo_instruction *in, struct op *op)
{
    const struct dict *config;
    struct arena *arena = h->arena;
    const char *text = (const char *)in->backend_config.data;
    size_t size = in->backend_config.len, begin = 0;
    while (begin < size && strchr(" \t\r\n", text[begin]))
        begin++;
    if (strcmp(in->opcode, "custom-call") != 0)
        return ragged_config(h, in, op);
    if (in->api_version != TYPED || begin == size || text[begin] != '{')
        return NULL;
    struct error *error = mlir_text_read_dict(arena, text, size, &config);
    if (error)
        return error_prefix(error, "backend_config");
    op->discardable = with(arena, op->discardable, "mhlo.backend_config", config);
    return NULL;
}

/* ---- aliases --------------------------------------------------------------------------------- */

static struct dict_value indices(struct arena *arena, size_t count, const int64_t *at)
{
    struct dict_value list = {.kind = DICT_LIST},
                      *values = ARENA_ARRAY(arena, struct dict_value, count);
    for (size_t i = 0; i < count; i++)
        values[i] = (struct dict_value){.kind = DICT_INT, .dtype = DTYPE_S64, .integer = at[i]};
    list.list.count = (int64_t)count;
    list.list.at = values;
    return list;
}

/* {"0" = {output_tuple_indices, operand_index, operand_tuple_indices}, "1" ...} */
static const struct dict *aliases(struct arena *arena, const hlo_instruction *in)
{
    static const struct string names[] = {
        {20, "output_tuple_indices"}, {13, "operand_index"}, {21, "operand_tuple_indices"}};
    size_t count = in->n_output_aliases;
    if (count == 0)
        return NULL;
    struct string *numbers = ARENA_ARRAY(arena, struct string, count);
    struct dict_value *all = ARENA_ARRAY(arena, struct dict_value, count);
    for (size_t i = 0; i < count; i++) {
        const Gantry__Hlo__OutputAlias *from = in->output_aliases[i];
        struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, 3);
        struct dict *alias = ARENA_NEW(arena, struct dict);
        values[0] = indices(arena, from->n_output_index, from->output_index);
        values[1] =
            (struct dict_value){.kind = DICT_INT, .dtype = DTYPE_S64, .integer = from->operand};
        values[2] = indices(arena, from->n_operand_index, from->operand_index);
        *alias = (struct dict){3, names, values};
        numbers[i] = text_of(arena_format(arena, "%zu", i));
        all[i].kind = DICT_DICT;
        all[i].dict = alias;
    }
    struct dict *dict = ARENA_NEW(arena, struct dict);
    *dict = (struct dict){(int64_t)count, numbers, all};
    return dict;
}

/* ---- custom calls ---------------------------------------------------------------------------- */

void hlo_call_place(const hlo_instruction *in, struct op *op)
{
    const Gantry__Hlo__Sharding *sharding = hlo_sharding_leaf(in->sharding, 0);
    if (!sharding || sharding->type != TILES_MAXIMAL || sharding->n_tile_devices != 1)
        return;
    ir_set_device(op, sharding->tile_devices[0]);
}

struct error *hlo_call_fields(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    struct arena *arena = f->hlo->arena;
    struct attrs_custom_call *call = &attrs->custom_call;
    hlo_layouts operands = {0}, results = {0};
    call->call_target_name = text_of(in->custom_call_target);
    call->has_side_effect = in->has_side_effect;
    call->api_version = in->api_version ? in->api_version : 1;
    call->backend_config = hlo_call_string(arena, in->backend_config);
    call->output_operand_aliases = aliases(arena, in);
    if (!in->constrain_layout)
        return NULL;
    for (size_t i = 0; i < in->n_operand_layouts; i++)
        TRY(hlo_shape_layouts(arena, in->operand_layouts[i], &operands));
    TRY(hlo_shape_layouts(arena, in->shape, &results));
    call->operand_layouts = (struct layouts){(int64_t)operands.count, operands.items};
    call->result_layouts = (struct layouts){(int64_t)results.count, results.items};
    return NULL;
}

struct error *hlo_call_ragged(struct hlo_frame *f, const hlo_instruction *in, union attrs *attrs)
{
    (void)f, (void)in;
    attrs->custom_call.call_target_name = text_of("ragged_all_to_all");
    attrs->custom_call.api_version = TYPED;
    return NULL;
}
