/* lower_call.c: see lower_call.h. */
#include "compiler/lower/lower_call.h"

#include <stdlib.h>
#include <string.h>

/* ---- attributes ------------------------------------------------------------------------------ */
static struct error *attributes_of(struct arena *arena, const struct dict *dict, int *count,
                                   struct call_attribute **out);

static void set_scalar(struct arena *arena, enum dtype dtype, const void *element,
                       struct call_attribute *out)
{
    out->kind = CALL_SCALAR;
    out->dtype = dtype;
    out->elements = 1;
    out->size = (size_t)dtype_bytes(dtype);
    out->data = arena_copy(arena, element, out->size);
}

static void set_bytes(const struct dict_value *value, char out[16])
{
    memset(out, 0, 16);
    if (value->kind == DICT_BOOL)
        out[0] = value->boolean;
    else if (value->kind == DICT_INT)
        memcpy(out, &value->integer,
               sizeof value->integer); /* little-endian: the low bytes come first */
    else
        dtype_from_double(value->dtype, value->real, out);
}

static enum dtype dtype_of(const struct dict_value *value)
{
    if (value->kind == DICT_BOOL)
        return DTYPE_PRED;
    return value->kind == DICT_INT || value->kind == DICT_REAL ? value->dtype : DTYPE_INVALID;
}

static void set_literal(struct arena *arena, const struct literal *literal,
                        struct call_attribute *out)
{
    size_t bytes = (size_t)dtype_bytes(literal->type->shape.dtype);
    out->kind = CALL_ARRAY;
    out->dtype = literal->type->shape.dtype;
    out->elements = (size_t)type_elements(literal->type);
    out->size = out->elements * bytes;
    char *data = out->data = arena_array(arena, out->elements, bytes);
    for (size_t i = 0; i < out->elements; i++)
        memcpy(data + i * bytes, literal_at(literal, (int64_t)i), bytes);
}

/* True for a list of numbers of one type. Other lists become dictionaries with the names "0", "1"
 * ... */
static bool is_array(const struct dict_value *list)
{
    if (!list->list.count)
        return true;
    enum dtype dtype = dtype_of(&list->list.at[0]);
    for (int64_t i = 0; i < list->list.count; i++)
        if (dtype_of(&list->list.at[i]) != dtype)
            return false;
    return dtype != DTYPE_INVALID;
}

static void set_array(struct arena *arena, const struct dict_value *list,
                      struct call_attribute *out)
{
    char bytes[16];
    out->kind = CALL_ARRAY;
    out->dtype = list->list.count ? dtype_of(&list->list.at[0]) : DTYPE_S64;
    size_t each = (size_t)dtype_bytes(out->dtype);
    out->elements = (size_t)list->list.count;
    out->size = out->elements * each;
    char *data = out->data = arena_array(arena, out->elements, each);
    for (size_t i = 0; i < out->elements; i++) {
        set_bytes(&list->list.at[i], bytes);
        memcpy(data + i * each, bytes, each);
    }
}

static const struct dict *numbered(struct arena *arena, const struct dict_value *list)
{
    struct dict *dict = ARENA_NEW(arena, struct dict);
    struct string *names = ARENA_ARRAY(arena, struct string, list->list.count);
    for (int64_t i = 0; i < list->list.count; i++) {
        names[i].data = arena_format(arena, "%lld", (long long)i);
        names[i].size = strlen(names[i].data);
    }
    *dict = (struct dict){.count = list->list.count, .names = names, .values = list->list.at};
    return dict;
}

static struct error *set_value(struct arena *arena, const struct dict_value *value,
                               struct call_attribute *out)
{
    char bytes[16];
    switch (value->kind) {
    case DICT_BOOL:
    case DICT_INT:
    case DICT_REAL:
        set_bytes(value, bytes);
        set_scalar(arena, dtype_of(value), bytes, out);
        return NULL;
    case DICT_STRING:
        out->kind = CALL_STRING;
        out->size = value->string.size;
        out->data = arena_string(arena, value->string.data, value->string.size);
        return NULL;
    case DICT_LITERAL: set_literal(arena, value->literal, out); return NULL;
    case DICT_LIST:
        if (is_array(value)) {
            set_array(arena, value, out);
            return NULL;
        }
        out->kind = CALL_DICTIONARY;
        return attributes_of(arena, numbered(arena, value), &out->count, &out->entries);
    case DICT_DICT:
        out->kind = CALL_DICTIONARY;
        return attributes_of(arena, value->dict, &out->count, &out->entries);
    case DICT_NONE: break;
    }
    return ERROR(UNIMPLEMENTED,
                 "the kind of attribute %s is unsupported in custom calls; supported are booleans, "
                 "numbers, strings, tensors, lists and dictionaries",
                 out->name);
}

static int compare_names(const void *left, const void *right)
{
    const struct call_attribute *x = left, *y = right;
    size_t shorter = x->name_size < y->name_size ? x->name_size : y->name_size;
    int order = memcmp(x->name, y->name, shorter);
    return order ? order : (x->name_size > y->name_size) - (x->name_size < y->name_size);
}

static struct error *attributes_of(struct arena *arena, const struct dict *dict, int *count,
                                   struct call_attribute **out)
{
    *count = (int)dict->count;
    struct call_attribute *list = *out = ARENA_ARRAY(arena, struct call_attribute, dict->count + 1);
    for (int i = 0; i < *count; i++) {
        list[i].name = arena_string(arena, dict->names[i].data, dict->names[i].size);
        list[i].name_size = dict->names[i].size;
        TRY(set_value(arena, &dict->values[i], &list[i]));
    }
    qsort(list, (size_t)*count, sizeof *list, compare_names);
    return NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */
/* If canonicalize has transposed a value to the layout that the call requests (`laid_out`), the
 * sizes of its type are in physical order, major to minor; restores the logical order. */
static struct error *value_of(struct arena *arena, const struct type *type, struct layouts layouts,
                              int64_t index, bool laid_out, struct call_value *out)
{
    if (type->kind != TYPE_TENSOR && type->kind != TYPE_TOKEN)
        return ERROR(UNIMPLEMENTED,
                     "tuples and buffers as operands or results of a custom call are unsupported; "
                     "use arrays");
    *out = (struct call_value){.shape = shape_copy(arena, &type->shape), .slice = -1};
    int rank = type->shape.rank;
    if (!laid_out || index >= layouts.count || layouts.at[index].count != rank)
        return NULL;
    int64_t *dims = ARENA_ARRAY(arena, int64_t, (size_t)rank);
    for (int p = 0; p < rank; p++)
        dims[layouts.at[index].at[rank - 1 - p]] = type->shape.dims[p];
    out->shape.dims = dims;
    return NULL;
}

static struct error *values_of(struct arena *arena, const struct op *op, struct call_spec *out)
{
    const struct attrs_custom_call *at = &op->attrs.custom_call;
    int slice = 0;
    out->operand_count = op->operand_count;
    out->value_count = op->operand_count + op->result_count;
    out->values = ARENA_ARRAY(arena, struct call_value, out->value_count + 1);
    for (int i = 0; i < op->operand_count; i++)
        TRY(value_of(arena, op->operands[i]->type, at->operand_layouts, i, at->laid_out,
                     &out->values[i]));
    for (int i = 0; i < op->result_count; i++)
        TRY(value_of(arena, op->results[i].type, at->result_layouts, i, at->laid_out,
                     &out->values[op->operand_count + i]));
    for (int i = 0; i < out->value_count; i++)
        if (out->values[i].shape.dtype != DTYPE_TOKEN)
            out->values[i].slice = slice++;
    return NULL;
}

struct error *lower_call_spec(struct arena *arena, const struct op *op, struct call_spec *out)
{
    static const char name[] = "mhlo.backend_config";
    const struct attrs_custom_call *at = &op->attrs.custom_call;
    const struct dict *discardable = op->discardable;
    *out = (struct call_spec){.api_version = (int)at->api_version,
                              .config_size = at->backend_config.size};
    out->target = arena_string(arena, at->call_target_name.data, at->call_target_name.size);
    out->config = arena_string(arena, at->backend_config.data, at->backend_config.size);
    TRY(values_of(arena, op, out));
    for (int64_t i = 0; discardable && i < discardable->count; i++)
        if (discardable->names[i].size == sizeof name - 1 &&
            !memcmp(discardable->names[i].data, name, sizeof name - 1) &&
            discardable->values[i].kind == DICT_DICT)
            return attributes_of(arena, discardable->values[i].dict, &out->attribute_count,
                                 &out->attributes);
    return NULL;
}
