/* tensor.c: creates, prints and compares arrays. */
#include "tools/tensor.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct error *tensor_create(enum dtype dtype, size_t rank, const int64_t *dims, struct tensor *out)
{
    *out = (struct tensor){.dtype = dtype, .rank = rank, .count = 1};
    size_t element = (size_t)dtype_bytes(dtype);
    if (!element)
        return ERROR(INVALID_ARGUMENT, "arrays cannot have elements of type %s", dtype_name(dtype));
    if (rank > TENSOR_MAX_RANK)
        return ERROR(INVALID_ARGUMENT, "rank %zu exceeds %d", rank, TENSOR_MAX_RANK);
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return ERROR(INVALID_ARGUMENT, "dimension %zu is %" PRId64, i, dims[i]);
        out->dims[i] = dims[i];
        if (__builtin_mul_overflow(out->count, (size_t)dims[i], &out->count))
            return ERROR(INVALID_ARGUMENT, "the shape has more elements than memory can hold");
    }
    if (__builtin_mul_overflow(out->count, element, &out->size) || out->size > SIZE_MAX / 4)
        return ERROR(INVALID_ARGUMENT, "the shape has more elements than memory can hold");
    struct error *error = alloc_zeroed(out->size ? out->size : 1, &out->bytes);
    return error_prefix(error, "an array of %zu bytes", out->size);
}

void tensor_free(struct tensor *tensor)
{
    alloc_free(tensor->bytes);
    *tensor = (struct tensor){0};
}

/* ---- Printing -------------------------------------------------------------------------------- */

void tensor_print_type(const struct tensor *tensor, struct text *out)
{
    for (size_t i = 0; i < tensor->rank; i++)
        text_add(out, "%" PRId64 "x", tensor->dims[i]);
    text_add(out, "%s", dtype_name(tensor->dtype));
}

static int digits_of(enum dtype dtype)
{
    int bits = dtype_info(dtype)->significand_bits;
    return bits > 24 ? 17 : bits > 11 ? 9 : bits > 8 ? 5 : 4;
}

/* Prints the shortest text that parses to the same number of the type, up to the maximum digits of
 * the type. Numbers below 1e16 have no exponent, as in NumPy: 10, not 1e+01. */
static void print_float(enum dtype dtype, const unsigned char *element, struct text *out)
{
    double value = dtype_to_double(dtype, element);
    int digits = 1, max_digits = digits_of(dtype);
    char shown[64];
    for (; digits <= max_digits; digits++) {
        unsigned char again[16] = {0};
        snprintf(shown, sizeof shown, "%.*g", digits, value);
        dtype_from_double(dtype, strtod(shown, NULL), again);
        if (isnan(value) || dtype_to_double(dtype, again) == value)
            break;
    }
    if (strstr(shown, "e+") && fabs(value) < 1e16)
        snprintf(shown, sizeof shown, "%.0f", strtod(shown, NULL));
    bool whole = isfinite(value) && !strpbrk(shown, ".e");
    text_add(out, "%s%s", shown, whole ? "." : "");
}

static void print_element(enum dtype dtype, const unsigned char *element, struct text *out)
{
    const struct dtype_info *info = dtype_info(dtype);
    if (info->class == CLASS_PREDICATE) {
        text_add(out, "%s", *element ? "true" : "false");
    } else if (info->class == CLASS_FLOAT) {
        print_float(dtype, element, out);
    } else if (info->class == CLASS_COMPLEX) {
        enum dtype part = dtype_real_part(dtype);
        const unsigned char *imaginary = element + dtype_bytes(part);
        print_float(part, element, out);
        text_add(out, "%s", signbit(dtype_to_double(part, imaginary)) ? "" : "+");
        print_float(part, imaginary, out);
        text_add(out, "j");
    } else if (info->class == CLASS_UNSIGNED) {
        text_add(out, "%" PRIu64, (uint64_t)dtype_to_int64(dtype, element));
    } else {
        text_add(out, "%" PRId64, dtype_to_int64(dtype, element));
    }
}

enum { EDGE = 3, SHOWN_WHOLE = 256 };

/* Prints the part of the tensor under one index prefix: dimension `depth` on, from element
 * `first`. */
static void print_part(const struct tensor *tensor, size_t depth, size_t first, struct text *out)
{
    if (depth == tensor->rank) {
        size_t element = (size_t)dtype_bytes(tensor->dtype);
        print_element(tensor->dtype, tensor->bytes + first * element, out);
        return;
    }
    bool innermost = depth + 1 == tensor->rank;
    int64_t length = tensor->dims[depth];
    size_t stride = 1;
    for (size_t i = depth + 1; i < tensor->rank; i++)
        stride *= (size_t)tensor->dims[i];
    text_add(out, "[");
    for (int64_t i = 0; i < length; i++) {
        if (i && innermost)
            text_add(out, " ");
        else if (i)
            text_add(out, "\n%*s", (int)depth + 1, "");
        if (tensor->count > SHOWN_WHOLE && length > 2 * EDGE && i == EDGE) {
            text_add(out, innermost ? "... " : "...\n%*s", (int)depth + 1, "");
            i = length - EDGE;
        }
        print_part(tensor, depth + 1, first + (size_t)i * stride, out);
    }
    text_add(out, "]");
}

void tensor_print(const struct tensor *tensor, struct text *out)
{
    if (tensor->count || !tensor->rank)
        print_part(tensor, 0, 0, out);
    else
        text_add(out, "[]");
}

static void print_json_float(enum dtype dtype, const unsigned char *element, struct text *out)
{
    double value = dtype_to_double(dtype, element);
    if (isnan(value) || isinf(value)) {
        text_add(out, "\"%s\"", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    print_float(dtype, element, out);
    if (out->size && out->data && out->data[out->size - 1] == '.')
        text_add(out, "0");
}

static void print_json_element(enum dtype dtype, const unsigned char *element, struct text *out)
{
    const struct dtype_info *info = dtype_info(dtype);
    if (info->class == CLASS_COMPLEX) {
        enum dtype part = dtype_real_part(dtype);
        text_add(out, "[");
        print_json_float(part, element, out);
        text_add(out, ",");
        print_json_float(part, element + dtype_bytes(part), out);
        text_add(out, "]");
    } else if (info->class == CLASS_FLOAT) {
        print_json_float(dtype, element, out);
    } else {
        print_element(dtype, element, out);
    }
}

void tensor_print_json(const struct tensor *tensor, struct text *out)
{
    size_t size = (size_t)dtype_bytes(tensor->dtype);
    text_add(out, "{\"dtype\":\"%s\",\"dims\":[", dtype_name(tensor->dtype));
    for (size_t i = 0; i < tensor->rank; i++)
        text_add(out, "%s%" PRId64, i ? "," : "", tensor->dims[i]);
    text_add(out, "],\"values\":[");
    for (size_t i = 0; i < tensor->count; i++) {
        text_add(out, "%s", i ? "," : "");
        print_json_element(tensor->dtype, tensor->bytes + i * size, out);
    }
    text_add(out, "]}");
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static double tolerance_of(enum dtype dtype)
{
    const struct dtype_info *info = dtype_info(dtype);
    if (info->class != CLASS_FLOAT && info->class != CLASS_COMPLEX)
        return 0;
    return info->significand_bits >= 53   ? 1e-12
           : info->significand_bits >= 24 ? 1e-5
           : info->significand_bits >= 11 ? 2e-3
           : info->significand_bits >= 8  ? 1.6e-2
                                          : 0.25;
}

static double difference(double got, double want)
{
    if ((isnan(got) && isnan(want)) || got == want)
        return 0;
    double apart = fabs(got - want) / (1 + fabs(want));
    return isnan(apart) ? INFINITY : apart;
}

static struct error *compare_types(const struct tensor *got, const struct tensor *want)
{
    bool same = got->dtype == want->dtype && got->rank == want->rank;
    for (size_t i = 0; same && i < got->rank; i++)
        same = got->dims[i] == want->dims[i];
    if (same)
        return NULL;
    struct text types = {0};
    tensor_print_type(got, &types);
    text_add(&types, ", expected ");
    tensor_print_type(want, &types);
    char *shown = NULL;
    TRY(text_finish(&types, &shown, NULL));
    struct error *error = ERROR(FAILED_PRECONDITION, "got %s", shown);
    alloc_free(shown);
    return error;
}

struct error *tensor_compare(const struct tensor *got, const struct tensor *want, double tolerance)
{
    TRY(compare_types(got, want));
    enum dtype part = dtype_real_part(got->dtype);
    size_t size = (size_t)dtype_bytes(part), parts = got->size / size, wrong = 0, where = 0;
    bool exact = dtype_info(part)->class != CLASS_FLOAT;
    double worst = 0, allowed = tolerance < 0 ? tolerance_of(got->dtype) : tolerance;
    for (size_t i = 0; i < parts; i++) {
        const unsigned char *a = got->bytes + i * size, *b = want->bytes + i * size;
        double apart = difference(dtype_to_double(part, a), dtype_to_double(part, b));
        if (exact && allowed == 0 && dtype_to_int64(part, a) != dtype_to_int64(part, b))
            apart = INFINITY; /* different 64-bit integers that convert to the same double */
        wrong += apart > allowed;
        if (apart > worst) {
            worst = apart;
            where = i;
        }
    }
    if (!wrong)
        return NULL;
    return ERROR(
        FAILED_PRECONDITION,
        "%zu of %zu elements differ by more than %g; worst at %zu: got %.9g, expected %.9g", wrong,
        parts, allowed, where, dtype_to_double(part, got->bytes + where * size),
        dtype_to_double(part, want->bytes + where * size));
}
