#include "compiler/frontend/bytecode/mlir_attr.h"

#include <string.h>

#include "compiler/frontend/bytecode/sdy.h"
#include "compiler/frontend/bytecode/vhlo_attrs.h"
#include "compiler/frontend/mlir_literal.h"

#define MAX_SPLAT_INTS 256 /* a splat used as a list of numbers is written out up to this length */
#define MAX_LOCATION_STEPS 64 /* through names, call sites and fused locations */

enum builtin_attr {
    BUILTIN_ARRAY = 0,
    BUILTIN_DICTIONARY = 1,
    BUILTIN_STRING = 2,
    BUILTIN_STRING_WITH_TYPE = 3,
    BUILTIN_FLAT_SYMBOL_REF = 4,
    BUILTIN_TYPE = 6,
    BUILTIN_UNIT = 7,
    BUILTIN_INTEGER = 8,
    BUILTIN_FLOAT = 9,
    BUILTIN_CALLSITE = 10,
    BUILTIN_FILE_LINE_COLUMN = 11,
    BUILTIN_FUSED = 12,
    BUILTIN_FUSED_WITH_METADATA = 13,
    BUILTIN_NAME = 14,
    BUILTIN_UNKNOWN = 15,
    BUILTIN_DENSE_ELEMENTS = 18,
    BUILTIN_FILE_RANGE = 22
};

struct error *mlir_attr_field(struct mlir_file *file, struct bytes *in, struct mlir_attr **out)
{
    size_t index = bytes_index(in, file->attr_count);
    *out = NULL;
    TRY(bytes_error(in, "MLIR bytecode attribute"));
    return mlir_attr_get(file, index, out);
}

struct error *mlir_attr_list(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner)
{
    size_t count = bytes_count(in);
    struct mlir_attr **attrs = ARENA_ARRAY(file->arena, struct mlir_attr *, count);
    for (size_t i = 0; i < count; i++) {
        TRY(mlir_attr_field(file, in, &attrs[i]));
        TRY(mlir_type_weigh(&owner->weight, attrs[i]->weight));
    }
    owner->kind = MLIR_ARRAY;
    owner->array.count = count;
    owner->array.at = attrs;
    return bytes_error(in, "MLIR bytecode array");
}

struct error *mlir_attr_pairs(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner)
{
    size_t count = bytes_count(in);
    struct string *names = ARENA_ARRAY(file->arena, struct string, count);
    struct mlir_attr **values = ARENA_ARRAY(file->arena, struct mlir_attr *, count);
    for (size_t i = 0; i < count; i++) {
        struct mlir_attr *name;
        TRY(mlir_attr_field(file, in, &name));
        if (name->kind != MLIR_STRING)
            return ERROR(INVALID_ARGUMENT,
                         "MLIR bytecode: a dictionary's key before byte %zu is no string", in->at);
        names[i] = name->string;
        TRY(mlir_attr_field(file, in, &values[i]));
        TRY(mlir_type_weigh(&owner->weight, values[i]->weight));
    }
    owner->kind = MLIR_DICT;
    owner->dict.count = count;
    owner->dict.names = names;
    owner->dict.values = values;
    return bytes_error(in, "MLIR bytecode dictionary");
}

/* Widths up to 8 are one raw byte, up to 64 a zigzag number whose upper bits mean nothing. */
static uint64_t pattern(struct bytes *in, int bits)
{
    uint64_t value = bits <= 8 ? bytes_u8(in) : (uint64_t)bytes_svarint(in);
    return bits < 64 ? value & (((uint64_t)1 << bits) - 1) : value;
}

struct error *mlir_attr_apint(struct bytes *in, const struct mlir_type *type, int64_t *out)
{
    if (type->kind != MLIR_TYPE_ELEMENT || type->bits < 1 || type->bits > 64)
        return ERROR(UNIMPLEMENTED, "MLIR: an integer of type %s", type->name);
    uint64_t value = pattern(in, type->bits);
    if (type->bits > 1 && type->bits < 64 && dtype_info(type->dtype)->class == CLASS_SIGNED) {
        uint64_t sign = (uint64_t)1 << (type->bits - 1);
        value = (value ^ sign) - sign;
    }
    *out = (int64_t)value;
    return NULL;
}

struct error *mlir_attr_apfloat(struct bytes *in, const struct mlir_type *type, double *out)
{
    if (!dtype_is_float(type->dtype))
        return ERROR(UNIMPLEMENTED, "MLIR: a number of type %s", type->name);
    uint64_t value = pattern(in, type->bits);
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    *out = dtype_to_double(type->dtype, bytes);
    return NULL;
}

static struct error *read_number(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    const struct mlir_type *type;
    TRY(mlir_type_field(file, in, &type));
    out->dtype = type->dtype;
    if (out->kind == MLIR_REAL && dtype_is_float(type->dtype))
        return mlir_attr_apfloat(in, type, &out->real);
    if (out->kind == MLIR_INTEGER && type->kind == MLIR_TYPE_ELEMENT && type->bits <= 64) {
        if (type->bits == 1)
            out->kind = MLIR_BOOL;
        return mlir_attr_apint(in, type, &out->integer);
    }
    out->kind = MLIR_OTHER; /* f80, i128 ... */
    in->at = in->end;
    return NULL;
}

static struct error *read_dense(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    const struct mlir_type *type;
    const struct type *value;
    TRY(mlir_type_field(file, in, &type));
    TRY(mlir_type_value(type, &value));
    return mlir_literal_read(file->arena, in, value, &out->literal);
}

static struct error *read_symbol(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct mlir_attr *name;
    TRY(mlir_attr_field(file, in, &name));
    out->string = name->kind == MLIR_STRING ? name->string : (struct string){0, ""};
    return NULL;
}

static struct error *read_builtin(struct mlir_file *file, struct bytes *in, uint64_t code,
                                  struct mlir_attr *out)
{
    out->kind = MLIR_OTHER;
    out->name = "a builtin attribute";
    switch (code) {
    case BUILTIN_ARRAY: out->name = "array"; return mlir_attr_list(file, in, out);
    case BUILTIN_DICTIONARY: out->name = "dictionary"; return mlir_attr_pairs(file, in, out);
    case BUILTIN_STRING:
        out->kind = MLIR_STRING;
        out->name = "string";
        out->string = mlir_file_string(file, in);
        return NULL;
    case BUILTIN_FLAT_SYMBOL_REF:
        out->kind = MLIR_SYMBOL;
        out->name = "symbol";
        return read_symbol(file, in, out);
    case BUILTIN_TYPE:
        out->kind = MLIR_TYPE;
        out->name = "type";
        return mlir_type_field(file, in, &out->type);
    case BUILTIN_UNIT:
        out->kind = MLIR_UNIT;
        out->name = "unit";
        return NULL;
    case BUILTIN_INTEGER:
    case BUILTIN_FLOAT:
        out->kind = code == BUILTIN_INTEGER ? MLIR_INTEGER : MLIR_REAL;
        out->name = code == BUILTIN_INTEGER ? "integer" : "float";
        return read_number(file, in, out);
    case BUILTIN_DENSE_ELEMENTS:
        out->kind = MLIR_LITERAL;
        out->name = "dense elements";
        return read_dense(file, in, out);
    default: /* locations, and what no operation of ours has: the fields are not looked at */
        in->at = in->end;
        return NULL;
    }
}

static struct error *read_attr(struct mlir_file *file, const struct mlir_entry *entry,
                               struct bytes *in, struct mlir_attr *out)
{
    out->weight = 1;
    if (!entry->coded || entry->dialect == MLIR_UNKNOWN) {
        out->name = "an attribute of an unknown kind";
        return NULL;
    }
    uint64_t code = bytes_varint(in);
    TRY(bytes_error(in, "MLIR bytecode attribute"));
    if (entry->dialect == MLIR_VHLO)
        TRY(vhlo_attrs_read(file, in, code, out));
    else if (entry->dialect == MLIR_SDY)
        TRY(sdy_attr_read(file, in, code, out));
    else
        TRY(read_builtin(file, in, code, out));
    return bytes_finish(in, "MLIR bytecode attribute");
}

struct error *mlir_attr_get(struct mlir_file *file, size_t index, struct mlir_attr **out)
{
    struct mlir_entry *entry = &file->attrs[index];
    *out = entry->value;
    if (entry->state == MLIR_ENTRY_DONE)
        return NULL;
    struct bytes in;
    TRY(mlir_type_open(file, entry, &in));
    struct mlir_attr *attr = ARENA_NEW(file->arena, struct mlir_attr);
    TRY(read_attr(file, entry, &in, attr));
    mlir_type_close(file, entry, attr);
    *out = attr;
    return NULL;
}

/* ---- locations ------------------------------------------------------------------------------- */

/* The string of a builtin string attribute, without decoding it; NULL when it is none. */
static const char *string_of(struct mlir_file *file, struct bytes *in)
{
    size_t index = bytes_index(in, file->attr_count);
    if (in->failure || file->attrs[index].dialect != MLIR_BUILTIN || !file->attrs[index].coded)
        return NULL;
    struct bytes entry =
        bytes_part(&file->bytes, file->attrs[index].offset, file->attrs[index].size);
    if (bytes_varint(&entry) != BUILTIN_STRING)
        return NULL;
    struct string text = mlir_file_string(file, &entry);
    return entry.failure || text.size == 0 ? NULL : text.data;
}

static void read_position(struct mlir_file *file, struct bytes *in, bool range,
                          struct location *out)
{
    const char *name = string_of(file, in);
    uint64_t count = range ? bytes_varint(in) : 2;
    uint64_t line = count > 0 ? bytes_varint(in) : 0, column = count > 1 ? bytes_varint(in) : 0;
    if (in->failure || !name)
        return;
    out->file = name;
    out->line = line < INT32_MAX ? (int)line : 0;
    out->column = column < INT32_MAX ? (int)column : 0;
}

/* One step: takes what this location says and gives the index of the one inside; false at the
 * end. */
static bool location_step(struct mlir_file *file, size_t *index, struct location *out)
{
    const struct mlir_entry *entry = &file->attrs[*index];
    if (entry->dialect != MLIR_BUILTIN || !entry->coded)
        return false;
    struct bytes in = bytes_part(&file->bytes, entry->offset, entry->size);
    uint64_t code = bytes_varint(&in);
    const char *name;
    switch (code) {
    case BUILTIN_FILE_LINE_COLUMN:
    case BUILTIN_FILE_RANGE:
        read_position(file, &in, code == BUILTIN_FILE_RANGE, out);
        return false;
    case BUILTIN_NAME:
        name = string_of(file, &in);
        if (!out->name)
            out->name = name;
        break;
    case BUILTIN_CALLSITE: break; /* the callee comes first: the innermost frame */
    case BUILTIN_FUSED:
    case BUILTIN_FUSED_WITH_METADATA:
        if (bytes_count(&in) == 0)
            return false;
        break;
    default: return false;
    }
    *index = bytes_index(&in, file->attr_count);
    return !in.failure;
}

const struct location *mlir_attr_location(struct mlir_file *file, size_t index)
{
    static const struct location unknown;
    struct mlir_entry *entry = &file->attrs[index];
    if (!entry->location) {
        struct location *location = ARENA_NEW(file->arena, struct location);
        for (int step = 0; step < MAX_LOCATION_STEPS && location_step(file, &index, location);
             step++)
            ;
        entry->location = location->name || location->file ? location : &unknown;
    }
    return entry->location == &unknown ? NULL : entry->location;
}

/* ---- uses ------------------------------------------------------------------------------------ */

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
        return ERROR(INVALID_ARGUMENT, "is %s, not a tensor of integers", attr->name);
    int64_t count = type_elements(attr->literal->type);
    if (attr->literal->splat && count > MAX_SPLAT_INTS)
        return ERROR(INVALID_ARGUMENT, "has %lld equal elements, at most %d are read",
                     (long long)count, MAX_SPLAT_INTS);
    const int64_t *values = literal_int64s(arena, attr->literal);
    if (!values)
        return ERROR(INVALID_ARGUMENT, "is a tensor of %s, not of integers",
                     dtype_name(attr->literal->type->shape.dtype));
    struct dims *dims = ARENA_NEW(arena, struct dims);
    *dims = (struct dims){.count = count, .at = values};
    *out = attr->ints = dims;
    return NULL;
}

/* A list with something in it that cannot be said is none itself; a dictionary leaves it out. */
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
    case MLIR_ENUM:
        out->kind = DICT_INT;
        out->dtype = attr->kind == MLIR_ENUM ? DTYPE_S64 : attr->dtype;
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
