#include "compiler/frontend/bytecode/builtin_dialect.h"

#include <string.h>

#include "compiler/frontend/bytecode/builtin_codes.h"
#include "compiler/frontend/mlir/mlir_literal.h"

/* ---- attributes ------------------------------------------------------------------------------ */

static struct error *read_number(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    const struct mlir_type *type;
    TRY(mlir_entry_type_field(file, in, &type));
    out->dtype = type->dtype;
    if (out->kind == MLIR_REAL && dtype_is_float(type->dtype))
        return mlir_entry_float(in, type, &out->real);
    if (out->kind == MLIR_INTEGER && type->kind == MLIR_TYPE_ELEMENT && type->bits <= 64) {
        if (type->bits == 1)
            out->kind = MLIR_BOOL;
        return mlir_entry_integer(in, type, &out->integer);
    }
    out->kind = MLIR_OTHER; /* f80, i128 ... */
    in->at = in->end;
    return NULL;
}

static struct error *read_symbol(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    struct mlir_attr *name;
    TRY(mlir_entry_attr_field(file, in, &name));
    out->string = name->kind == MLIR_STRING ? name->string : (struct string){0, ""};
    return NULL;
}

/* "array<i64: 1, 2>" as a list; its booleans have a byte each. */
static struct error *read_array(struct mlir_file *file, struct bytes *in, struct mlir_attr *out)
{
    const struct mlir_type *element;
    TRY(mlir_entry_type_field(file, in, &element));
    int64_t count = (int64_t)bytes_varint(in);
    uint64_t size = bytes_varint(in);
    const uint8_t *data = bytes_take(in, size);
    TRY(bytes_error(in, "MLIR bytecode array"));
    enum dtype dtype = element->dtype == DTYPE_PRED ? DTYPE_S8 : element->dtype;
    if (element->kind != MLIR_TYPE_ELEMENT || !dtype_is_integer(dtype) || count < 0 ||
        (uint64_t)count > size || (uint64_t)count * (uint64_t)dtype_bytes(dtype) != size)
        return ERROR(INVALID_ARGUMENT,
                     "MLIR bytecode: an array of %lld elements of type %s has %llu bytes before "
                     "byte %zu; it must have integers, and as many bytes as they take",
                     (long long)count, element->name, (unsigned long long)size, in->at);
    out->kind = MLIR_LITERAL;
    return mlir_literal_make(file->arena, data, size, type_tensor(file->arena, dtype, 1, &count),
                             &out->literal);
}

struct error *builtin_dialect_attr(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_attr *out)
{
    out->kind = MLIR_OTHER;
    out->name = "a builtin attribute";
    switch (code) {
    case BUILTIN_ATTR_ARRAY: out->name = "array"; return mlir_entry_list(file, in, out);
    case BUILTIN_ATTR_DICTIONARY: out->name = "dictionary"; return mlir_entry_pairs(file, in, out);
    case BUILTIN_ATTR_STRING:
        out->kind = MLIR_STRING;
        out->name = "string";
        out->string = mlir_file_string(file, in);
        return NULL;
    case BUILTIN_ATTR_FLAT_SYMBOL_REF:
        out->kind = MLIR_SYMBOL;
        out->name = "symbol";
        return read_symbol(file, in, out);
    case BUILTIN_ATTR_TYPE:
        out->kind = MLIR_TYPE;
        out->name = "type";
        return mlir_entry_type_attr(file, in, out);
    case BUILTIN_ATTR_UNIT:
        out->kind = MLIR_UNIT;
        out->name = "unit";
        return NULL;
    case BUILTIN_ATTR_INTEGER:
    case BUILTIN_ATTR_FLOAT:
        out->kind = code == BUILTIN_ATTR_INTEGER ? MLIR_INTEGER : MLIR_REAL;
        out->name = code == BUILTIN_ATTR_INTEGER ? "integer" : "float";
        return read_number(file, in, out);
    case BUILTIN_ATTR_DENSE_ARRAY: out->name = "array"; return read_array(file, in, out);
    case BUILTIN_ATTR_DENSE_ELEMENTS:
        out->kind = MLIR_LITERAL;
        out->name = "dense elements";
        return mlir_entry_literal(file, in, &out->literal);
    default: /* locations, and kinds that no operation of the IR has: ignored */
        in->at = in->end;
        return NULL;
    }
}

/* ---- types ----------------------------------------------------------------------------------- */

static const char *const builtin_names[] = {"integer",
                                            "index",
                                            "function",
                                            "bf16",
                                            "f16",
                                            "f32",
                                            "f64",
                                            "f80",
                                            "f128",
                                            "complex",
                                            "memref",
                                            "memref with memory space",
                                            "none",
                                            "tensor",
                                            "tensor with encoding",
                                            "tuple",
                                            "unranked memref",
                                            "unranked memref with memory space",
                                            "unranked tensor",
                                            "vector",
                                            "scalable vector",
                                            "tf32",
                                            "f8E5M2",
                                            "f8E4M3",
                                            "f8E4M3FN",
                                            "f8E5M2FNUZ",
                                            "f8E4M3FNUZ",
                                            "f8E4M3B11FNUZ",
                                            "f8E3M4",
                                            "f4E2M1FN",
                                            "f6E2M3FN",
                                            "f6E3M2FN",
                                            "f8E8M0FNU"};

/* width << 2 | sign, where sign is 0 signless, 1 signed, 2 unsigned. Signless is read as signed. */
static void integer_type(struct mlir_file *file, struct bytes *in, struct mlir_type *out)
{
    static const struct {
        int bits;
        enum dtype with_sign, without_sign;
    } widths[] = {{1, DTYPE_PRED, DTYPE_PRED}, {2, DTYPE_S2, DTYPE_U2},
                  {4, DTYPE_S4, DTYPE_U4},     {8, DTYPE_S8, DTYPE_U8},
                  {16, DTYPE_S16, DTYPE_U16},  {32, DTYPE_S32, DTYPE_U32},
                  {64, DTYPE_S64, DTYPE_U64}};
    uint64_t field = bytes_varint(in);
    uint64_t bits = field >> 2;
    if (bits == 0 || bits > 1 << 24)
        bytes_fail(in, "an integer type's width is out of range");
    out->kind = MLIR_TYPE_ELEMENT;
    out->bits = (int)bits;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if ((uint64_t)widths[i].bits == bits)
            out->dtype = (field & 3) == 2 ? widths[i].without_sign : widths[i].with_sign;
    out->name = arena_format(file->arena, "%si%d", (field & 3) == 2 ? "u" : "", (int)bits);
}

struct error *builtin_dialect_type(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_type *out)
{
    if (code < sizeof builtin_names / sizeof *builtin_names)
        out->name = builtin_names[code];
    switch (code) {
    case BUILTIN_TYPE_INTEGER: integer_type(file, in, out); return NULL;
    case BUILTIN_TYPE_INDEX: mlir_type_element(DTYPE_S64, "index", out); return NULL;
    case BUILTIN_TYPE_COMPLEX: return mlir_entry_complex(file, in, out);
    case BUILTIN_TYPE_NONE: out->kind = MLIR_TYPE_NONE; return NULL;
    case BUILTIN_TYPE_TENSOR_WITH_ENCODING:
        bytes_index(in, file->attr_count);
        /* fall through */
    case BUILTIN_TYPE_TENSOR: return mlir_entry_tensor(file, in, out);
    case BUILTIN_TYPE_FUNCTION: return mlir_entry_function(file, in, out);
    case BUILTIN_TYPE_TUPLE: return mlir_entry_tuple(file, in, out);
    default:
        mlir_type_element(dtype_from_mlir(out->name, strlen(out->name)), out->name, out);
        in->at = in->end; /* kinds that no value has: the fields are ignored */
        return NULL;
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

/* unrealized_conversion_cast between a VHLO type and its builtin type: the result is the
 * operand. */
struct error *builtin_dialect_op(struct mlir_convert *c, struct mlir_op *op, struct block *block)
{
    (void)block;
    if (strcmp(op->name->name.data, "unrealized_conversion_cast") != 0)
        return ERROR(UNIMPLEMENTED, "%s: this operation is unsupported",
                     mlir_op_where(c->file, op));
    if (op->operand_count != 1 || op->result_count != 1)
        return ERROR(INVALID_ARGUMENT,
                     "%s: has %zu operands and %zu results; it must have one of each",
                     mlir_op_where(c->file, op), op->operand_count, op->result_count);
    return mlir_convert_operand(c, op, 0, &op->results[0].value);
}
