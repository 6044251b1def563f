#include "compiler/frontend/mlir/mlir_attr.h"

#include <string.h>

#define MAX_SPLAT_INTS 256 /* the maximum length of a splat that is used as a list of numbers */

struct mlir_attr *mlir_attr_make(struct arena *arena, enum mlir_attr_kind kind, const char *name)
{
    struct mlir_attr *attr = ARENA_NEW(arena, struct mlir_attr);
    attr->kind = kind;
    attr->name = name;
    attr->weight = 1;
    return attr;
}

struct mlir_attr *mlir_attr_of_int(struct arena *arena, int64_t value)
{
    struct mlir_attr *attr = mlir_attr_make(arena, MLIR_INTEGER, "an integer");
    attr->integer = value;
    attr->dtype = DTYPE_S64;
    return attr;
}

struct mlir_attr *mlir_attr_of_ints(struct arena *arena, int64_t count, const int64_t *values)
{
    struct mlir_attr *attr = mlir_attr_make(arena, MLIR_LITERAL, "a tensor");
    attr->literal = literal_dense(arena, type_tensor(arena, DTYPE_S64, 1, &count), values);
    return attr;
}

struct mlir_attr *mlir_attr_lookup(const struct mlir_attr *dict, const char *name)
{
    size_t size = strlen(name);
    if (!dict || dict->kind != MLIR_DICT)
        return NULL;
    for (size_t i = 0; i < dict->dict.count; i++)
        if (dict->dict.names[i].size == size && memcmp(dict->dict.names[i].data, name, size) == 0)
            return dict->dict.values[i];
    return NULL;
}

struct error *mlir_attr_ints(struct arena *arena, struct mlir_attr *attr, const struct dims **out)
{
    *out = attr->ints;
    if (attr->ints)
        return NULL;
    if (attr->kind != MLIR_LITERAL)
        return ERROR(INVALID_ARGUMENT, "is %s, expected a tensor of integers", attr->name);
    int64_t count = type_elements(attr->literal->type);
    if (attr->literal->splat && count > MAX_SPLAT_INTS)
        return ERROR(INVALID_ARGUMENT, "is a splat of %lld elements; the limit is %d",
                     (long long)count, MAX_SPLAT_INTS);
    const int64_t *values = literal_int64s(arena, attr->literal);
    if (!values)
        return ERROR(INVALID_ARGUMENT, "is a tensor of %s, expected integers",
                     dtype_name(attr->literal->type->shape.dtype));
    struct dims *dims = ARENA_NEW(arena, struct dims);
    *dims = (struct dims){.count = count, .at = values};
    *out = attr->ints = dims;
    return NULL;
}

/* A list is DICT_NONE if one of its elements is; a dictionary omits such elements. */
static void raw_list(struct arena *arena, const struct mlir_attr *attr, struct dict_value *out)
{
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, attr->array.count);
    for (size_t i = 0; i < attr->array.count; i++) {
        values[i] = *mlir_attr_raw(arena, attr->array.at[i]);
        if (values[i].kind == DICT_NONE)
            return;
    }
    out->kind = DICT_LIST;
    out->list.count = (int64_t)attr->array.count;
    out->list.at = values;
}

static void raw_dict(struct arena *arena, const struct mlir_attr *attr, struct dict_value *out)
{
    struct string *names = ARENA_ARRAY(arena, struct string, attr->dict.count);
    struct dict_value *values = ARENA_ARRAY(arena, struct dict_value, attr->dict.count);
    struct dict *dict = ARENA_NEW(arena, struct dict);
    int64_t count = 0;
    for (size_t i = 0; i < attr->dict.count; i++) {
        const struct dict_value *value = mlir_attr_raw(arena, attr->dict.values[i]);
        if (value->kind == DICT_NONE)
            continue;
        names[count] = attr->dict.names[i];
        values[count++] = *value;
    }
    *dict = (struct dict){.count = count, .names = names, .values = values};
    out->kind = DICT_DICT;
    out->dict = dict;
}

const struct dict_value *mlir_attr_raw(struct arena *arena, struct mlir_attr *attr)
{
    if (attr->raw)
        return attr->raw;
    struct dict_value *out = ARENA_NEW(arena, struct dict_value);
    switch (attr->kind) {
    case MLIR_UNIT:
        out->kind = DICT_BOOL;
        out->boolean = true;
        break;
    case MLIR_BOOL:
        out->kind = DICT_BOOL;
        out->boolean = attr->integer != 0;
        break;
    case MLIR_INTEGER:
    case MLIR_KEYWORD:
        out->kind = DICT_INT;
        out->dtype = attr->kind == MLIR_KEYWORD ? DTYPE_S64 : attr->dtype;
        out->integer = attr->integer;
        break;
    case MLIR_REAL:
        out->kind = DICT_REAL;
        out->dtype = attr->dtype;
        out->real = attr->real;
        break;
    case MLIR_STRING:
    case MLIR_SYMBOL:
        out->kind = DICT_STRING;
        out->string = attr->string;
        break;
    case MLIR_LITERAL:
        out->kind = DICT_LITERAL;
        out->literal = attr->literal;
        break;
    case MLIR_ARRAY: raw_list(arena, attr, out); break;
    case MLIR_DICT: raw_dict(arena, attr, out); break;
    default: break;
    }
    attr->raw = out;
    return out;
}
