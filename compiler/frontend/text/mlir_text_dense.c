#include "compiler/frontend/text/mlir_text_dense.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_literal.h"
#include "compiler/frontend/text/mlir_text_type.h"

struct filler { /* the elements of a constant that is being read */
    const struct type *type;
    uint8_t *bytes;
    int64_t filled, count;
    size_t element;
};

/* Reads an integer or the bits of a float; stores the low `size` bytes. */
static struct error *read_bits(struct mlir_parser *p, size_t size, uint8_t *out)
{
    int64_t value;
    TRY(mlir_lex_integer(&p->lex, &value));
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)((uint64_t)value >> (8 * i));
    return NULL;
}

static bool is_hex_number(const struct mlir_lex *lex)
{
    return lex->token == MLIR_TOKEN_INTEGER && lex->word.size > 2 && memchr(lex->word.data, 'x', 3);
}

static struct error *read_float(struct mlir_parser *p, enum dtype dtype, uint8_t *out)
{
    double value;
    if (is_hex_number(&p->lex))
        return read_bits(p, (size_t)dtype_bytes(dtype), out);
    TRY(mlir_lex_real(&p->lex, &value));
    dtype_from_double(dtype, value, out);
    return NULL;
}

/* Rejects values out of range; the range of i8 is [-128, 255], as for signless integers of MLIR. */
static struct error *read_integer(struct mlir_parser *p, enum dtype dtype, uint8_t *out)
{
    int64_t value;
    size_t offset = p->lex.start;
    int bits = dtype_info(dtype)->bits;
    TRY(mlir_lex_integer(&p->lex, &value));
    bool with_sign = dtype_info(dtype)->class == CLASS_SIGNED;
    int64_t lowest = with_sign && bits < 64 ? -((int64_t)1 << (bits - 1)) : 0;
    if (bits < 64 && (value < lowest || value >> bits > 0))
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "%lld is out of range for %s", (long long)value, dtype_name(dtype));
    if (with_sign && bits < 8) {
        unsigned sign = 1u << (bits - 1);
        value = (int8_t)((((unsigned)value & ((1u << bits) - 1)) ^ sign) - sign);
    }
    for (int i = 0; i < dtype_bytes(dtype); i++)
        out[i] = (uint8_t)((uint64_t)value >> (8 * i));
    return NULL;
}

/* true, false, or the bit as a number. */
static struct error *read_predicate(struct mlir_parser *p, uint8_t *out)
{
    int64_t value = mlir_lex_is_word(&p->lex, "true");
    size_t offset = p->lex.start;
    bool number = p->lex.token == MLIR_TOKEN_INTEGER;
    if (number)
        TRY(mlir_lex_integer(&p->lex, &value));
    else if (!mlir_lex_accept_word(&p->lex, "true") && !mlir_lex_accept_word(&p->lex, "false"))
        return mlir_lex_expected(&p->lex, "true or false");
    if (value < -1 || value > 1)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "%lld is out of range for i1", (long long)value);
    *out = value != 0;
    return NULL;
}

static struct error *read_element(struct mlir_parser *p, enum dtype dtype, uint8_t *out)
{
    switch (dtype_info(dtype)->class) {
    case CLASS_PREDICATE: return read_predicate(p, out);
    case CLASS_COMPLEX: {
        enum dtype part = dtype_real_part(dtype);
        TRY(mlir_lex_expect(&p->lex, '('));
        TRY(read_float(p, part, out));
        TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_float(p, part, out + dtype_bytes(part)));
        return mlir_lex_expect(&p->lex, ')');
    }
    case CLASS_FLOAT: return read_float(p, dtype, out);
    default: return read_integer(p, dtype, out);
    }
}

/* Reads nested lists; a list at depth d has dims[d] elements. */
static struct error *read_list(struct mlir_parser *p, struct filler *f, int depth)
{
    if (depth == f->type->shape.rank) {
        if (f->filled == f->count)
            return MLIR_LEX_ERROR(&p->lex, "the constant has more elements than its type");
        return read_element(p, f->type->shape.dtype, f->bytes + (size_t)f->filled++ * f->element);
    }
    size_t offset = p->lex.start;
    int64_t size = 0;
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        if (size++ > 0)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_list(p, f, depth + 1));
    }
    mlir_lex_next(&p->lex);
    if (size == f->type->shape.dims[depth])
        return NULL;
    return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                          "a list has %lld elements; dimension %d of the type has size %lld",
                          (long long)size, depth, (long long)f->type->shape.dims[depth]);
}

/* "0x01FF": the bytes as they are stored in memory. */
static struct error *read_hex(struct mlir_parser *p, const struct type *type,
                              const struct literal **out)
{
    struct string text;
    size_t offset = p->lex.start;
    TRY(mlir_lex_string(&p->lex, p->arena, &text));
    uint8_t *bytes = arena_alloc(p->arena, text.size / 2);
    bool wrong = text.size < 2 || text.size % 2 || memcmp(text.data, "0x", 2) != 0;
    for (size_t i = 2; i < text.size && !wrong; i++) {
        const char *digits = "0123456789abcdef", *digit = memchr(digits, text.data[i] | 32, 16);
        if (text.data[i] >= '0' && text.data[i] <= '9')
            digit = digits + (text.data[i] - '0');
        wrong = !digit;
        if (digit)
            bytes[i / 2 - 1] = (uint8_t)(bytes[i / 2 - 1] << 4 | (digit - digits));
    }
    if (wrong)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "a dense string must be 0x and pairs of hexadecimal digits");
    return mlir_literal_make(p->arena, bytes, text.size / 2 - 1, type, out);
}

/* Every element takes at least one character, so the text's size bounds the allocation. */
static struct error *read_elements(struct mlir_parser *p, const struct type *type, size_t end,
                                   const struct literal **out)
{
    int64_t count = type_elements(type);
    bool listed = mlir_lex_is(&p->lex, '['), empty = mlir_lex_is(&p->lex, '>');
    struct filler filler = {.type = type, .element = (size_t)dtype_bytes(type->shape.dtype)};
    filler.count = listed ? count : !empty;
    if (filler.count < 0 || (uint64_t)filler.count > end - p->lex.start || (empty && count != 0))
        return MLIR_LEX_ERROR(&p->lex, "the constant has fewer elements than its type");
    filler.bytes = arena_alloc(p->arena, (size_t)filler.count * filler.element);
    if (!empty)
        TRY(read_list(p, &filler, listed ? 0 : type->shape.rank));
    *out = mlir_literal_of(p->arena, type, filler.bytes, !listed && !empty && count != 1);
    if (filler.filled == filler.count)
        return NULL;
    return MLIR_LEX_ERROR(&p->lex, "the constant has %lld elements; its type has %lld",
                          (long long)filler.filled, (long long)count);
}

struct error *mlir_text_dense_read(struct mlir_parser *p, const struct literal **out)
{
    const struct type *type;
    size_t begin = p->lex.end, closing;
    if (!mlir_lex_is(&p->lex, '<'))
        return mlir_lex_expected(&p->lex, "'<'");
    TRY(mlir_lex_skip_group(&p->lex)); /* read the type, which follows the elements, first */
    closing = p->lex.start;
    TRY(mlir_lex_expect(&p->lex, ':'));
    size_t offset = p->lex.start;
    TRY(mlir_text_type_value(p, &type));
    size_t rest = p->lex.start;
    if (type->kind != TYPE_TENSOR || type_elements(type) < 0)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "the type of a constant must be a static tensor");
    mlir_lex_seek(&p->lex, begin);
    if (p->lex.token == MLIR_TOKEN_STRING)
        TRY(read_hex(p, type, out));
    else
        TRY(read_elements(p, type, closing, out));
    TRY(mlir_lex_expect(&p->lex, '>'));
    mlir_lex_seek(&p->lex, rest);
    return NULL;
}
