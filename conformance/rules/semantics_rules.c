/* semantics_rules.c: area 18: programs with inputs and expected results, which are comments in the
 * head of conformance/programs/semantics/<rule>.mlir:
 *
 *   // input f32 2x3 0 0000803f...       type, dimensions, unused, bytes ("-": none)
 *   // expect f32 scalar 4 0000803f...   type, dimensions, bound in ULP or "flush", bytes */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/embedded.h"
#include "conformance/cts/rule_sequences.h"

enum { MOST_ARRAYS = 8, MOST_DIMS = 8, MOST_BYTES = 4096 };

/* ---- Types ----------------------------------------------------------------------------------- */

struct format {
    const char *name;
    PJRT_Buffer_Type type;
    unsigned size, parts;             /* bytes of an element; numbers of which it consists */
    int exponent_bits, mantissa_bits; /* of a number; 0: an integer */
};

static const struct format formats[] = {
    {"i1", PJRT_Buffer_Type_PRED, 1, 1, 0, 0},
    {"i8", PJRT_Buffer_Type_S8, 1, 1, 0, 0},
    {"i16", PJRT_Buffer_Type_S16, 2, 1, 0, 0},
    {"i32", PJRT_Buffer_Type_S32, 4, 1, 0, 0},
    {"i64", PJRT_Buffer_Type_S64, 8, 1, 0, 0},
    {"ui8", PJRT_Buffer_Type_U8, 1, 1, 0, 0},
    {"ui16", PJRT_Buffer_Type_U16, 2, 1, 0, 0},
    {"ui32", PJRT_Buffer_Type_U32, 4, 1, 0, 0},
    {"ui64", PJRT_Buffer_Type_U64, 8, 1, 0, 0},
    {"f16", PJRT_Buffer_Type_F16, 2, 1, 5, 10},
    {"bf16", PJRT_Buffer_Type_BF16, 2, 1, 8, 7},
    {"f32", PJRT_Buffer_Type_F32, 4, 1, 8, 23},
    {"f64", PJRT_Buffer_Type_F64, 8, 1, 11, 52},
    {"complex<f32>", PJRT_Buffer_Type_C64, 8, 2, 8, 23},
};

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint64_t mantissa_of(const struct format *format, uint64_t bits)
{
    return bits & ((1ull << format->mantissa_bits) - 1);
}

static uint64_t exponent_of(const struct format *format, uint64_t bits)
{
    return bits >> format->mantissa_bits & ((1ull << format->exponent_bits) - 1);
}

static bool is_nan(const struct format *format, uint64_t bits)
{
    return format->exponent_bits && mantissa_of(format, bits) &&
           exponent_of(format, bits) == (1ull << format->exponent_bits) - 1;
}

static bool is_denormal(const struct format *format, uint64_t bits)
{
    return format->exponent_bits && mantissa_of(format, bits) && !exponent_of(format, bits);
}

static bool is_zero(const struct format *format, uint64_t bits)
{
    return !mantissa_of(format, bits) && !exponent_of(format, bits);
}

/* Floats as integers in the order of their values; both zeros are 0. */
static int64_t ordered(const struct format *format, uint64_t bits)
{
    uint64_t sign = 1ull << (format->exponent_bits + format->mantissa_bits);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static uint64_t distance(const struct format *format, uint64_t a, uint64_t b)
{
    int64_t first = ordered(format, a), second = ordered(format, b);
    return first > second ? (uint64_t)first - (uint64_t)second : (uint64_t)second - (uint64_t)first;
}

static double value_of(const struct format *format, uint64_t bits)
{
    int exponent = (int)exponent_of(format, bits), top = (1 << format->exponent_bits) - 1;
    double fraction = (double)mantissa_of(format, bits);
    bool negative = bits >> (format->exponent_bits + format->mantissa_bits) & 1;
    double size = exponent == top
                      ? (fraction > 0 ? (double)NAN : (double)INFINITY)
                      : ldexp(fraction + ldexp(exponent > 0, format->mantissa_bits),
                              (exponent ? exponent : 1) - top / 2 - format->mantissa_bits);
    return negative ? -size : size;
}

/* ---- Files ----------------------------------------------------------------------------------- */

struct array {
    const struct format *format;
    struct rule_array shape;
    int64_t dims[MOST_DIMS];
    char bound[8];
    size_t size;
    unsigned char bytes[MOST_BYTES];
};

struct example {
    size_t inputs, results;
    struct array input[MOST_ARRAYS], result[MOST_ARRAYS];
};

/* Reads "2x3" or "scalar". */
static void read_dims(const char *text, struct array *out)
{
    char *next = NULL;
    out->shape.rank = 0;
    for (const char *at = text; *at >= '0' && *at <= '9' && out->shape.rank < MOST_DIMS; at = next)
        out->dims[out->shape.rank++] = strtoll(at, &next, 10), next += *next == 'x';
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static size_t read_bytes(const char *text, unsigned char out[MOST_BYTES])
{
    size_t size = 0;
    for (; size < MOST_BYTES && digit(text[0]) >= 0 && digit(text[1]) >= 0; text += 2)
        out[size++] = (unsigned char)(digit(text[0]) << 4 | digit(text[1]));
    return size;
}

/* Reads what follows "// input ". */
static bool read_array(const char *line, struct array *out)
{
    char name[16], dims[32];
    int used = 0;
    if (sscanf(line, "%15s %31s %7s %n", name, dims, out->bound, &used) != 3)
        return false;
    out->format = find_format(name);
    read_dims(dims, out);
    out->size = read_bytes(line + used, out->bytes);
    if (out->format)
        out->shape = (struct rule_array){out->format->type, out->shape.rank, out->dims, out->bytes};
    return out->format && out->size < MOST_BYTES;
}

/* Reads the comments at the head of a file. */
static bool read_example(const char *text, struct example *out)
{
    static const char input[] = "// input ", expect[] = "// expect ";
    bool ok = true;
    for (const char *line = text; ok && !strncmp(line, "//", 2); line = strchr(line, '\n') + 1)
        if (!strncmp(line, input, sizeof input - 1))
            ok = out->inputs < MOST_ARRAYS &&
                 read_array(line + sizeof input - 1, &out->input[out->inputs++]);
        else if (!strncmp(line, expect, sizeof expect - 1))
            ok = out->results < MOST_ARRAYS &&
                 read_array(line + sizeof expect - 1, &out->result[out->results++]);
    return ok && out->results;
}

/* ---- Results --------------------------------------------------------------------------------- */

static bool is_within(const struct array *array, uint64_t found, uint64_t expected)
{
    const struct format *format = array->format;
    uint64_t bound = strtoull(array->bound, NULL, 10);
    if (found == expected || (is_nan(format, found) && is_nan(format, expected)))
        return true;
    if (is_nan(format, found) || is_nan(format, expected))
        return false;
    if (!strcmp(array->bound, "flush"))
        return is_denormal(format, expected) && is_zero(format, found);
    return bound && distance(format, found, expected) <= bound;
}

static void report(struct rule_context *t, const struct array *array, size_t result, size_t i,
                   const uint64_t both[2])
{
    if (array->format->exponent_bits)
        rule_fail(t,
                  "result %zu, number %zu is %.17g (%#" PRIx64 ") instead of %.17g (%#" PRIx64 ")",
                  result, i, value_of(array->format, both[0]), both[0],
                  value_of(array->format, both[1]), both[1]);
    else
        rule_fail(t, "result %zu, number %zu is %#" PRIx64 " instead of %#" PRIx64, result, i,
                  both[0], both[1]);
}

/* Compares the elements, and reports the first one that differs. */
static void compare(struct rule_context *t, const struct array *array, size_t result,
                    const unsigned char *found)
{
    size_t size = array->format->size / array->format->parts;
    for (size_t at = 0; at < array->size; at += size) {
        uint64_t both[2] = {0, 0};
        memcpy(&both[0], found + at, size);
        memcpy(&both[1], array->bytes + at, size);
        if (!is_within(array, both[0], both[1])) {
            report(t, array, result, at / size, both);
            return;
        }
    }
}

static void check_shape(struct rule_context *t, const struct array *array, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_ElementType, type, .buffer = buffer);
    ARGS(t, Buffer_Dimensions, dims, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_ElementType, &type));
    NEED_OK(t, CALL(t, Buffer_Dimensions, &dims));
    CHECK(t, type.type == array->format->type, "a result of type %d instead of %d", (int)type.type,
          (int)array->format->type);
    NEED(t, dims.num_dims == array->shape.rank, "a result of rank %zu instead of %zu",
         dims.num_dims, array->shape.rank);
    for (size_t i = 0; i < dims.num_dims; i++)
        CHECK(t, dims.dims[i] == array->dims[i], "dimension %zu is %lld instead of %lld", i,
              (long long)dims.dims[i], (long long)array->dims[i]);
}

static void check_result(struct rule_context *t, const struct array *array, size_t i,
                         PJRT_Buffer *buffer)
{
    static unsigned char found[MOST_BYTES];
    NEED(t, buffer, "result %zu has no buffer", i);
    check_shape(t, array, buffer);
    if (atomic_load(&t->outcome->failures))
        return;
    memset(found, 0xa5, sizeof found);
    NEED_OK(t, rule_download(t, buffer, found, array->size));
    compare(t, array, i, found);
}

static void run_example(struct rule_context *t, const char *name)
{
    static struct example example;
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *inputs[MOST_ARRAYS], *results[MOST_ARRAYS];
    char file[96];
    NEED_CLIENT(t);
    snprintf(file, sizeof file, "%s.mlir", name);
    const struct embedded_file *text = embedded_find(file);
    example = (struct example){0};
    NEED(t, text && read_example(text->bytes, &example), "the suite's file %s is not readable",
         file);
    snprintf(file, sizeof file, "%s.mlirbc", name);
    NEED_OK(t, rule_compile_file(t, file, &executable));
    for (size_t i = 0; i < example.inputs; i++)
        NEED_OK(t, rule_upload(t, &example.input[i].shape, &inputs[i]));
    NEED_OK(t, rule_execute(t, executable, inputs, example.inputs, results, example.results));
    for (size_t i = 0; i < example.results; i++)
        check_result(t, &example.result[i], i, results[i]);
}

#define SECTION(...)
#define RULE(id, area, level, since, name, sentence, source)                                       \
    void rule_semantics_##name(struct rule_context *t)                                             \
    {                                                                                              \
        run_example(t, #name);                                                                     \
    }
#include "conformance/rules/semantics_rules.def"
