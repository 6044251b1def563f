/* npy.c: the file format is a magic string, a version, the size of the header, the header (a Python
 * dict with three entries, as text) and the elements. */
#include "tools/npy.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/file.h"

/* size of magic and version; alignment of the elements in the file */
enum { PREFIX = 8, ALIGNMENT = 64 };

/* NumPy's letter for each type: kind and bytes. */
static const struct numpy_type {
    enum dtype dtype;
    char kind;
    char bytes;
} numpy_types[] = {
    {DTYPE_PRED, 'b', 1}, {DTYPE_S8, 'i', 1},    {DTYPE_S16, 'i', 2},  {DTYPE_S32, 'i', 4},
    {DTYPE_S64, 'i', 8},  {DTYPE_U8, 'u', 1},    {DTYPE_U16, 'u', 2},  {DTYPE_U32, 'u', 4},
    {DTYPE_U64, 'u', 8},  {DTYPE_F16, 'f', 2},   {DTYPE_F32, 'f', 4},  {DTYPE_F64, 'f', 8},
    {DTYPE_C64, 'c', 8},  {DTYPE_C128, 'c', 16}, {DTYPE_BF16, 'V', 2}, {DTYPE_S2, 'i', 1},
    {DTYPE_S4, 'i', 1},   {DTYPE_U2, 'u', 1},    {DTYPE_U4, 'u', 1},
};

/* ---- Reading the header ---------------------------------------------------------------------- */

/* The header and the read position. */
struct reader {
    const char *at, *end;
    const char *name; /* of the file */
};

struct header {
    char byte_order; /* '<', '>', '|' or '=' */
    char kind;
    int64_t bytes;
    bool fortran_order;
    size_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    bool has_type, has_order, has_shape;
};

static bool take(struct reader *reader, const char *text)
{
    while (reader->at < reader->end && isspace((unsigned char)*reader->at))
        reader->at++;
    size_t size = strlen(text);
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, text, size))
        return false;
    reader->at += size;
    return true;
}

static bool take_number(struct reader *reader, int64_t *out)
{
    take(reader, "");
    const char *start = reader->at;
    *out = 0;
    for (; reader->at < reader->end && isdigit((unsigned char)*reader->at); reader->at++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *reader->at - '0', out))
            return false;
    return reader->at > start;
}

static bool take_string(struct reader *reader, const char **out, size_t *size)
{
    const char *quote = take(reader, "'") ? "'" : take(reader, "\"") ? "\"" : NULL;
    const char *end = quote ? memchr(reader->at, *quote, (size_t)(reader->end - reader->at)) : NULL;
    if (!end)
        return false;
    *out = reader->at;
    *size = (size_t)(end - reader->at);
    reader->at = end + 1;
    return true;
}

static struct error *read_type(struct reader *reader, struct header *header)
{
    const char *text;
    size_t size;
    if (!take_string(reader, &text, &size))
        return ERROR(UNIMPLEMENTED, "%s: elements are records, not numbers", reader->name);
    bool ordered = size && strchr("<>|=", text[0]);
    struct reader digits = {text + ordered + 1, text + size, reader->name};
    if (size < (size_t)ordered + 2 || !take_number(&digits, &header->bytes) ||
        digits.at != digits.end)
        return ERROR(INVALID_ARGUMENT, "%s: not an element type: '%.*s'", reader->name, (int)size,
                     text);
    header->byte_order = ordered ? text[0] : '=';
    header->kind = text[ordered];
    header->has_type = true;
    return NULL;
}

static struct error *read_shape(struct reader *reader, struct header *header)
{
    if (!take(reader, "("))
        return ERROR(INVALID_ARGUMENT, "%s: the shape is not a tuple", reader->name);
    while (!take(reader, ")")) {
        if (header->rank == TENSOR_MAX_RANK)
            return ERROR(INVALID_ARGUMENT, "%s: rank exceeds %d", reader->name, TENSOR_MAX_RANK);
        if (!take_number(reader, &header->dims[header->rank]))
            return ERROR(INVALID_ARGUMENT, "%s: the shape is not a tuple of numbers", reader->name);
        take(reader, "L"); /* Python 2 writes this suffix */
        header->rank++;
        if (!take(reader, ",")) {
            if (take(reader, ")"))
                break;
            return ERROR(INVALID_ARGUMENT, "%s: the shape is not a tuple", reader->name);
        }
    }
    header->has_shape = true;
    return NULL;
}

static struct error *read_entry(struct reader *reader, struct header *header)
{
    const char *key;
    size_t size;
    if (!take_string(reader, &key, &size) || !take(reader, ":"))
        return ERROR(INVALID_ARGUMENT, "%s: the header is not a dict", reader->name);
    if (size == 5 && !memcmp(key, "descr", 5) && !header->has_type)
        return read_type(reader, header);
    if (size == 5 && !memcmp(key, "shape", 5) && !header->has_shape)
        return read_shape(reader, header);
    if (size == 13 && !memcmp(key, "fortran_order", 13) && !header->has_order) {
        header->fortran_order = take(reader, "True");
        header->has_order = header->fortran_order || take(reader, "False");
        if (header->has_order)
            return NULL;
    }
    return ERROR(INVALID_ARGUMENT, "%s: bad header entry '%.*s'", reader->name, (int)size, key);
}

static struct error *read_header(struct reader *reader, struct header *header)
{
    if (!take(reader, "{"))
        return ERROR(INVALID_ARGUMENT, "%s: the header is not a dict", reader->name);
    while (!take(reader, "}")) {
        TRY(read_entry(reader, header));
        if (!take(reader, ",")) {
            if (take(reader, "}"))
                break;
            return ERROR(INVALID_ARGUMENT, "%s: the header is not a dict", reader->name);
        }
    }
    if (!header->has_type || !header->has_order || !header->has_shape)
        return ERROR(INVALID_ARGUMENT, "%s: the header lacks descr, fortran_order or shape",
                     reader->name);
    return NULL;
}

/* Finds the header after the magic: sets the reader to its bytes, and the start of the elements to
 * its end. */
static struct error *open_header(const unsigned char *bytes, size_t size, struct reader *reader)
{
    if (size < PREFIX + 2 || memcmp(bytes, "\x93NUMPY", 6))
        return ERROR(INVALID_ARGUMENT, "%s: not an .npy file", reader->name);
    if (bytes[6] < 1 || bytes[6] > 3)
        return ERROR(UNIMPLEMENTED, "%s: .npy version %d; allowed: 1 to 3", reader->name, bytes[6]);
    size_t width = bytes[6] == 1 ? 2 : 4, length = 0;
    for (size_t i = 0; i < width && PREFIX + width <= size; i++)
        length |= (size_t)bytes[PREFIX + i] << (8 * i);
    if (size < PREFIX + width || length > size - PREFIX - width)
        return ERROR(INVALID_ARGUMENT, "%s: the file ends in its header", reader->name);
    reader->at = (const char *)bytes + PREFIX + width;
    reader->end = reader->at + length;
    return NULL;
}

/* ---- Reading the elements -------------------------------------------------------------------- */

static struct error *type_of(const struct header *header, const char *name, enum dtype raw,
                             enum dtype *out)
{
    *out = DTYPE_INVALID;
    size_t count = sizeof numpy_types / sizeof *numpy_types;
    for (size_t i = 0; i < count && *out == DTYPE_INVALID; i++)
        if (numpy_types[i].kind == header->kind && numpy_types[i].bytes == header->bytes)
            *out = numpy_types[i].dtype;
    bool one_byte = header->bytes == 1 && strchr("Viuf", header->kind);
    if (one_byte && raw != DTYPE_INVALID && dtype_bytes(raw) == 1)
        *out = raw;
    if (*out != DTYPE_INVALID)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "%s: element type '%c%c%" PRId64 "'%s", name, header->byte_order,
                 header->kind, header->bytes,
                 one_byte ? " can be several: name one, as 4xf8e5m2=@file.npy" : " is unsupported");
}

/* Copies elements in row-major order and native byte order. */
static void copy_elements(const struct header *header, const unsigned char *from,
                          struct tensor *out)
{
    size_t size = (size_t)dtype_bytes(out->dtype),
           part = (size_t)dtype_bytes(dtype_real_part(out->dtype));
    bool swap = header->byte_order == '>' && part > 1;
    if (!swap && (!header->fortran_order || out->rank < 2)) {
        memcpy(out->bytes, from, out->size);
        return;
    }
    int64_t index[TENSOR_MAX_RANK] = {0};
    for (size_t i = 0; i < out->count; i++) {
        size_t source = i;
        if (header->fortran_order) {
            source = 0;
            for (size_t d = out->rank; d-- > 0;)
                source = source * (size_t)out->dims[d] + (size_t)index[d];
        }
        for (size_t b = 0; b < size; b++) {
            size_t other = b / part * part + (part - 1 - b % part);
            out->bytes[i * size + b] = from[source * size + (swap ? other : b)];
        }
        for (size_t d = out->rank; d-- > 0 && ++index[d] == out->dims[d];)
            index[d] = 0;
    }
}

/* Elements must be valid for their type: 0 or 1 for booleans, and in range for 2-bit and 4-bit
 * integers. */
static struct error *check_elements(const struct tensor *tensor, const char *name)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    bool is_signed = info->class == CLASS_SIGNED;
    int bits = info->class == CLASS_PREDICATE ? 1 : info->bits;
    if (bits >= 8)
        return NULL;
    int min = is_signed ? -(1 << (bits - 1)) : 0, max = (1 << (bits - is_signed)) - 1;
    for (size_t i = 0; i < tensor->count; i++) {
        int value = is_signed ? (signed char)tensor->bytes[i] : tensor->bytes[i];
        if (value < min || value > max)
            return ERROR(OUT_OF_RANGE, "%s: element %zu is %d, not a value of %s", name, i, value,
                         info->name);
    }
    return NULL;
}

struct error *npy_parse(const void *bytes, size_t size, const char *name, enum dtype raw,
                        struct tensor *out)
{
    struct reader reader = {.name = name};
    struct header header = {0};
    enum dtype dtype;
    *out = (struct tensor){0};
    TRY(open_header(bytes, size, &reader));
    const unsigned char *elements = (const unsigned char *)reader.end;
    size_t left = size - (size_t)(elements - (const unsigned char *)bytes);
    TRY(read_header(&reader, &header));
    TRY(type_of(&header, name, raw, &dtype));
    int64_t needed = dtype_bytes(dtype);
    for (size_t i = 0; i < header.rank; i++) /* before allocating memory */
        if (__builtin_mul_overflow(needed, header.dims[i], &needed))
            return ERROR(INVALID_ARGUMENT, "%s: the shape has more elements than memory can hold",
                         name);
    if ((size_t)needed != left)
        return ERROR(INVALID_ARGUMENT, "%s: the shape needs %" PRId64 " bytes, the file has %zu",
                     name, needed, left);
    struct error *error = tensor_create(dtype, header.rank, header.dims, out);
    if (!error) {
        copy_elements(&header, elements, out);
        error = check_elements(out, name);
    }
    if (error)
        tensor_free(out);
    return error;
}

struct error *npy_read(const char *path, enum dtype raw, struct tensor *out)
{
    char *bytes;
    size_t size;
    *out = (struct tensor){0};
    TRY(file_read(path, &bytes, &size));
    struct error *error = npy_parse(bytes, size, path, raw, out);
    alloc_free(bytes);
    return error;
}

/* ---- Writing --------------------------------------------------------------------------------- */

struct error *npy_format(const struct tensor *tensor, char **out, size_t *size)
{
    char kind = 'V';
    for (size_t i = 0; i < sizeof numpy_types / sizeof *numpy_types; i++)
        if (numpy_types[i].dtype == tensor->dtype)
            kind = numpy_types[i].kind;
    int bytes = dtype_bytes(tensor->dtype);
    struct text text = {0};
    text_add_bytes(&text, "\x93NUMPY\x01\x00..", PREFIX + 2);
    text_add(&text, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
             bytes == 1 ? '|' : '<', kind, bytes);
    for (size_t i = 0; i < tensor->rank; i++)
        text_add(&text,
                 tensor->rank == 1 ? "%" PRId64 ","
                 : i               ? ", %" PRId64
                                   : "%" PRId64,
                 tensor->dims[i]);
    text_add(&text, "), }");
    while ((text.size + 1) % ALIGNMENT && !text.failed)
        text_add(&text, " ");
    text_add(&text, "\n");
    if (!text.failed) {
        size_t length = text.size - PREFIX - 2;
        text.data[PREFIX] = (char)(length & 0xff);
        text.data[PREFIX + 1] = (char)(length >> 8);
    }
    text_add_bytes(&text, tensor->bytes, tensor->size);
    return text_finish(&text, out, size);
}

struct error *npy_write(const char *path, const struct tensor *tensor)
{
    char *bytes;
    size_t size;
    TRY(npy_format(tensor, &bytes, &size));
    struct error *error = file_write(path, bytes, size);
    alloc_free(bytes);
    return error;
}
