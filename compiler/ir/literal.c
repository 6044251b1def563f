#include "compiler/ir/literal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEX_ABOVE = 100 /* elements; larger literals are printed as one hexadecimal string */ };

const void *literal_at(const struct literal *literal, int64_t i)
{
    size_t size = (size_t)dtype_bytes(literal->type->shape.dtype);
    return (const char *)literal->bytes + (literal->splat ? 0 : (size_t)i * size);
}

static const struct literal *make(struct arena *arena, const struct type *type, const void *bytes,
                                  bool splat)
{
    struct literal *literal = ARENA_NEW(arena, struct literal);
    literal->type = type;
    literal->bytes = bytes;
    literal->splat = splat;
    return literal;
}

const struct literal *literal_splat(struct arena *arena, const struct type *type,
                                    const void *element)
{
    size_t size = (size_t)dtype_bytes(type->shape.dtype);
    return make(arena, type, arena_copy(arena, element, size), true);
}

const struct literal *literal_dense(struct arena *arena, const struct type *type, const void *bytes)
{
    return make(arena, type, bytes, false);
}

const struct literal *literal_from_double(struct arena *arena, const struct type *type,
                                          double value)
{
    void *element = arena_alloc(arena, (size_t)dtype_bytes(type->shape.dtype));
    dtype_from_double(type->shape.dtype, value, element);
    return make(arena, type, element, true);
}

const int64_t *literal_int64s(struct arena *arena, const struct literal *literal)
{
    enum dtype dtype = literal->type->shape.dtype;
    int64_t count = type_elements(literal->type);
    if ((!dtype_is_integer(dtype) && dtype != DTYPE_PRED) || count < 0)
        return NULL;
    int64_t *values = ARENA_ARRAY(arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        values[i] = dtype_to_int64(dtype, literal_at(literal, i));
    return values;
}

bool literal_is_uniform(const struct literal *literal)
{
    int64_t count = type_elements(literal->type);
    size_t size = (size_t)dtype_bytes(literal->type->shape.dtype);
    if (count <= 0)
        return false;
    const char *bytes = literal->bytes;
    return literal->splat || !memcmp(bytes, bytes + size, (size_t)(count - 1) * size);
}

bool literal_is_splat_of(const struct literal *literal, double value)
{
    enum dtype dtype = literal->type->shape.dtype;
    if (literal->type->kind != TYPE_TENSOR || !literal_is_uniform(literal))
        return false;
    if (dtype_is_integer(dtype) || dtype == DTYPE_PRED) {
        int64_t element = dtype_to_int64(dtype, literal->bytes);
        return value >= -0x1p62 && value <= 0x1p62 && (double)element == value &&
               (int64_t)value == element;
    }
    if (dtype_is_complex(dtype)) {
        const char *imaginary = (const char *)literal->bytes + dtype_bytes(dtype) / 2;
        double part = dtype_to_double(dtype_real_part(dtype), imaginary);
        if (part != 0 || signbit(part))
            return false;
    }
    double element = dtype_to_double(dtype, literal->bytes);
    return element == value && !signbit(element) == !signbit(value);
}

bool literal_equal(const struct literal *a, const struct literal *b)
{
    if (a == b)
        return true;
    if (!type_same(a->type, b->type))
        return false;
    size_t size = (size_t)dtype_bytes(a->type->shape.dtype);
    if (a->splat == b->splat)
        return !memcmp(a->bytes, b->bytes, a->splat ? size : (size_t)type_bytes(a->type));
    return literal_is_uniform(a) && literal_is_uniform(b) && !memcmp(a->bytes, b->bytes, size);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_hex(const void *bytes, size_t size, bool big_endian, struct text *out)
{
    const unsigned char *at = bytes;
    char digits[512];
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = at[big_endian ? size - 1 - i : i];
        digits[count++] = "0123456789ABCDEF"[byte >> 4];
        digits[count++] = "0123456789ABCDEF"[byte & 15];
        if (count == sizeof digits || i + 1 == size) {
            text_add_bytes(out, digits, count);
            count = 0;
        }
    }
}

/* Prints the fewest digits that parse to the same bits; infinities and NaNs as bits, as in MLIR. */
static void print_float(enum dtype dtype, const void *element, struct text *out)
{
    static const int digits[] = {6, 8, 16};
    double value = dtype_to_double(dtype, element);
    size_t size = (size_t)dtype_bytes(dtype);
    for (size_t i = 0; isfinite(value) && i < sizeof digits / sizeof *digits; i++) {
        char text[64];
        unsigned char back[16] = {0};
        snprintf(text, sizeof text, "%.*e", digits[i], value);
        dtype_from_double(dtype, strtod(text, NULL), back);
        if (!memcmp(back, element, size)) {
            text_add(out, "%s", text);
            return;
        }
    }
    text_add(out, "0x");
    print_hex(element, size, true, out);
}

static void print_element(enum dtype dtype, const void *element, struct text *out)
{
    if (dtype == DTYPE_PRED)
        text_add(out, "%s", *(const unsigned char *)element ? "true" : "false");
    else if (dtype == DTYPE_U64)
        text_add(out, "%" PRIu64, (uint64_t)dtype_to_int64(dtype, element));
    else if (dtype_is_integer(dtype))
        text_add(out, "%" PRId64, dtype_to_int64(dtype, element));
    else if (dtype_is_complex(dtype)) {
        enum dtype part = dtype_real_part(dtype);
        text_add(out, "(");
        print_float(part, element, out);
        text_add(out, ",");
        print_float(part, (const char *)element + dtype_bytes(part), out);
        text_add(out, ")");
    } else
        print_float(dtype, element, out);
}

static int64_t print_nested(const struct literal *literal, int dim, int64_t i, struct text *out)
{
    if (dim == literal->type->shape.rank) {
        print_element(literal->type->shape.dtype, literal_at(literal, i), out);
        return i + 1;
    }
    text_add(out, "[");
    for (int64_t k = 0; k < literal->type->shape.dims[dim]; k++) {
        text_add(out, "%s", k ? ", " : "");
        i = print_nested(literal, dim + 1, i, out);
    }
    text_add(out, "]");
    return i;
}

void literal_print(const struct literal *literal, struct text *out)
{
    const struct type *type = literal->type;
    int64_t count = type_elements(type);
    text_add(out, "dense<");
    if (literal_is_uniform(literal)) /* printed once, as MLIR does */
        print_element(type->shape.dtype, literal->bytes, out);
    else if (count > HEX_ABOVE && dtype_info(type->shape.dtype)->bits >= 8 &&
             type->shape.dtype != DTYPE_PRED) {
        text_add(out, "\"0x");
        print_hex(literal->bytes, (size_t)type_bytes(type), false, out);
        text_add(out, "\"");
    } else if (count > 0)
        print_nested(literal, 0, 0, out);
    text_add(out, ">");
}
