#include "compiler/frontend/bytecode/mlir_entry.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_literal.h"

struct error *mlir_entry_charge(struct mlir_file *file, int64_t weight)
{
    file->referred += weight;
    if (file->referred <= file->referred_limit)
        return NULL;
    return ERROR(
        RESOURCE_EXHAUSTED,
        "MLIR bytecode: the operations refer to more than %lld attributes and types, the limit for "
        "a file of %zu bytes",
        (long long)file->referred_limit, file->bytes.end);
}

/* Opens an entry for decoding; *in reads its bytes. */
static struct error *open_entry(struct mlir_file *file, struct mlir_entry *entry, struct bytes *in)
{
    if (entry->state == MLIR_ENTRY_OPEN)
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: the attribute or type at byte %zu contains itself",
                     entry->offset);
    if (file->depth >= MLIR_ENTRY_MAX_DEPTH)
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: the attribute or type at byte %zu is nested deeper than %d",
                     entry->offset, MLIR_ENTRY_MAX_DEPTH);
    entry->state = MLIR_ENTRY_OPEN;
    file->depth++;
    *in = bytes_part(&file->bytes, entry->offset, entry->size);
    return NULL;
}

static void close_entry(struct mlir_file *file, struct mlir_entry *entry, void *value)
{
    entry->state = MLIR_ENTRY_DONE;
    entry->value = value;
    file->depth--;
}

/* The text of an entry that is not coded, up to a NUL. */
static struct string text_of(const struct bytes *in)
{
    const char *text = (const char *)in->data + in->at;
    return (struct string){.size = strnlen(text, bytes_left(in)), .data = text};
}

static struct error *decode_attr(struct mlir_file *file, const struct mlir_entry *entry,
                                 struct bytes *in, struct mlir_attr *out)
{
    out->weight = 1;
    if (!entry->coded || !entry->dialect || !entry->dialect->attr) {
        out->name = "an attribute of an unknown kind";
        if (!entry->coded)
            out->string = text_of(in);
        return NULL;
    }
    uint64_t code = bytes_varint(in);
    TRY(bytes_error(in, "MLIR bytecode attribute"));
    TRY(entry->dialect->attr(file, in, code, out));
    return bytes_finish(in, "MLIR bytecode attribute");
}

struct error *mlir_entry_attr(struct mlir_file *file, size_t index, struct mlir_attr **out)
{
    struct mlir_entry *entry = &file->attrs[index];
    *out = entry->value;
    if (entry->state == MLIR_ENTRY_DONE)
        return NULL;
    struct bytes in;
    TRY(open_entry(file, entry, &in));
    struct mlir_attr *attr = ARENA_NEW(file->arena, struct mlir_attr);
    TRY(decode_attr(file, entry, &in, attr));
    close_entry(file, entry, attr);
    *out = attr;
    return NULL;
}

/* Older writers store narrow float types as text. */
static void decode_text_type(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    struct string text = text_of(in);
    mlir_type_element(dtype_from_mlir(text.data, text.size),
                      arena_string(file->arena, text.data, text.size), out);
    in->at = in->end;
}

static struct error *decode_type(struct mlir_file *file, const struct mlir_entry *entry,
                                 struct bytes *in, struct mlir_type *out)
{
    out->weight = 1;
    out->name = "unknown";
    if (!entry->coded) {
        decode_text_type(file, in, out);
        return NULL;
    }
    uint64_t code = bytes_varint(in);
    if (!entry->dialect || !entry->dialect->type)
        return ERROR(UNIMPLEMENTED,
                     "MLIR bytecode: the type at byte %zu is of an unsupported dialect",
                     entry->offset);
    TRY(entry->dialect->type(file, in, code, out));
    return bytes_finish(in, "MLIR bytecode type");
}

struct error *mlir_entry_type(struct mlir_file *file, size_t index, const struct mlir_type **out)
{
    struct mlir_entry *entry = &file->types[index];
    *out = entry->value;
    if (entry->state == MLIR_ENTRY_DONE)
        return NULL;
    struct bytes in;
    TRY(open_entry(file, entry, &in));
    struct mlir_type *type = ARENA_NEW(file->arena, struct mlir_type);
    TRY(decode_type(file, entry, &in, type));
    close_entry(file, entry, type);
    *out = type;
    return NULL;
}

/* ---- fields ---------------------------------------------------------------------------------- */

struct error *mlir_entry_attr_field(struct mlir_file *file, struct bytes *in,
                                    struct mlir_attr **out)
{
    size_t index = bytes_index(in, file->attr_count);
    *out = NULL;
    TRY(bytes_error(in, "MLIR bytecode attribute"));
    return mlir_entry_attr(file, index, out);
}

struct error *mlir_entry_optional_field(struct mlir_file *file, struct bytes *in,
                                        struct mlir_attr **out)
{
    uint64_t flagged = bytes_varint(in); /* the lowest bit: it is given */
    *out = NULL;
    if (!in->failure && flagged & 1 && flagged >> 1 >= file->attr_count)
        bytes_fail(in, "an index into the attribute table is out of range");
    TRY(bytes_error(in, "MLIR bytecode attribute"));
    return flagged & 1 ? mlir_entry_attr(file, (size_t)(flagged >> 1), out) : NULL;
}

struct error *mlir_entry_list(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner)
{
    size_t count = bytes_count(in);
    struct mlir_attr **attrs = ARENA_ARRAY(file->arena, struct mlir_attr *, count);
    for (size_t i = 0; i < count; i++) {
        TRY(mlir_entry_attr_field(file, in, &attrs[i]));
        TRY(mlir_type_weigh(&owner->weight, attrs[i]->weight));
    }
    owner->kind = MLIR_ARRAY;
    owner->array.count = count;
    owner->array.at = attrs;
    return bytes_error(in, "MLIR bytecode array");
}

struct error *mlir_entry_pairs(struct mlir_file *file, struct bytes *in, struct mlir_attr *owner)
{
    size_t count = bytes_count(in);
    struct string *names = ARENA_ARRAY(file->arena, struct string, count);
    struct mlir_attr **values = ARENA_ARRAY(file->arena, struct mlir_attr *, count);
    for (size_t i = 0; i < count; i++) {
        struct mlir_attr *name;
        TRY(mlir_entry_attr_field(file, in, &name));
        if (name->kind != MLIR_STRING)
            return ERROR(INVALID_ARGUMENT,
                         "MLIR bytecode: the key of a dictionary before byte %zu is not a string",
                         in->at);
        names[i] = name->string;
        TRY(mlir_entry_attr_field(file, in, &values[i]));
        TRY(mlir_type_weigh(&owner->weight, values[i]->weight));
    }
    owner->kind = MLIR_DICT;
    owner->dict.count = count;
    owner->dict.names = names;
    owner->dict.values = values;
    return bytes_error(in, "MLIR bytecode dictionary");
}

/* Reads the bits of a number: one raw byte for widths up to 8, a zigzag varint for widths up to 64,
 * whose upper bits are undefined. */
static uint64_t read_bits(struct bytes *in, int bits)
{
    uint64_t value = bits <= 8 ? bytes_u8(in) : (uint64_t)bytes_svarint(in);
    return bits < 64 ? value & (((uint64_t)1 << bits) - 1) : value;
}

struct error *mlir_entry_integer(struct bytes *in, const struct mlir_type *type, int64_t *out)
{
    if (type->kind != MLIR_TYPE_ELEMENT || type->bits < 1 || type->bits > 64)
        return ERROR(UNIMPLEMENTED, "MLIR: integers of type %s are unsupported", type->name);
    uint64_t value = read_bits(in, type->bits);
    if (type->bits > 1 && type->bits < 64 && dtype_info(type->dtype)->class == CLASS_SIGNED) {
        uint64_t sign = (uint64_t)1 << (type->bits - 1);
        value = (value ^ sign) - sign;
    }
    *out = (int64_t)value;
    return NULL;
}

struct error *mlir_entry_float(struct bytes *in, const struct mlir_type *type, double *out)
{
    if (!dtype_is_float(type->dtype))
        return ERROR(UNIMPLEMENTED, "MLIR: floating-point numbers of type %s are unsupported",
                     type->name);
    uint64_t value = read_bits(in, type->bits);
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    *out = dtype_to_double(type->dtype, bytes);
    return NULL;
}

struct error *mlir_entry_type_field(struct mlir_file *file, struct bytes *in,
                                    const struct mlir_type **out)
{
    size_t index = bytes_index(in, file->type_count);
    *out = NULL;
    TRY(bytes_error(in, "MLIR bytecode type"));
    return mlir_entry_type(file, index, out);
}

struct error *mlir_entry_types(struct mlir_file *file, struct bytes *in, struct mlir_type *owner,
                               struct mlir_types *out)
{
    size_t count = bytes_count(in);
    const struct mlir_type **types = ARENA_ARRAY(file->arena, const struct mlir_type *, count);
    for (size_t i = 0; i < count; i++) {
        TRY(mlir_entry_type_field(file, in, &types[i]));
        TRY(mlir_type_weigh(&owner->weight, types[i]->weight));
    }
    out->count = count;
    out->at = types;
    return bytes_error(in, "MLIR bytecode types");
}

struct dims mlir_entry_dims(struct mlir_file *file, struct bytes *in)
{
    size_t count = bytes_count(in);
    int64_t *dims = ARENA_ARRAY(file->arena, int64_t, count);
    for (size_t i = 0; i < count; i++)
        dims[i] = bytes_svarint(in);
    return (struct dims){.count = (int64_t)count, .at = dims};
}

struct error *mlir_entry_type_attr(struct mlir_file *file, struct bytes *in,
                                   struct mlir_attr *owner)
{
    TRY(mlir_entry_type_field(file, in, &owner->type));
    return mlir_type_weigh(&owner->weight, owner->type->weight);
}

void mlir_entry_keyword(struct bytes *in, enum mlir_enum enumeration, struct mlir_attr *out)
{
    const struct mlir_enum_info *info = mlir_enums_info(enumeration);
    uint64_t value = bytes_varint(in), lowest = (uint64_t)info->lowest;
    if (!in->failure && (value < lowest || value - lowest >= (uint64_t)info->count))
        bytes_fail(in, "the value of an enumeration is out of range");
    out->kind = MLIR_KEYWORD;
    out->enumeration = enumeration;
    out->integer = (int64_t)value;
}

void mlir_entry_alias(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    out->kind = MLIR_ALIAS;
    out->alias.output_tuple_indices = mlir_entry_dims(file, in);
    out->alias.operand_index = bytes_svarint(in);
    out->alias.operand_tuple_indices = mlir_entry_dims(file, in);
}

struct error *mlir_entry_literal(struct mlir_file *file, struct bytes *in,
                                 const struct literal **out)
{
    const struct mlir_type *type;
    const struct type *value;
    TRY(mlir_entry_type_field(file, in, &type));
    TRY(mlir_type_value(type, &value));
    uint64_t size = bytes_varint(in);
    const uint8_t *data = bytes_take(in, size);
    TRY(bytes_error(in, "MLIR bytecode constant"));
    struct error *error = mlir_literal_make(file->arena, data, size, value, out);
    return error ? error_prefix(error, "before byte %zu", in->at) : NULL;
}

struct error *mlir_entry_tensor(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    const struct mlir_type *element;
    struct dims shape = mlir_entry_dims(file, in);
    TRY(mlir_entry_type_field(file, in, &element));
    return mlir_type_tensor(file->arena, shape, element, out);
}

struct error *mlir_entry_complex(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    const struct mlir_type *part;
    TRY(mlir_entry_type_field(file, in, &part));
    return mlir_type_complex(file->arena, part, out);
}

struct error *mlir_entry_tuple(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    TRY(mlir_entry_types(file, in, out, &out->inputs));
    return mlir_type_tuple(file->arena, out->inputs, out);
}

struct error *mlir_entry_function(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    out->kind = MLIR_TYPE_FUNCTION;
    TRY(mlir_entry_types(file, in, out, &out->inputs));
    return mlir_entry_types(file, in, out, &out->outputs);
}
