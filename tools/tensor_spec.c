/* tensor_spec.c: parses the type, then the values. */
#include "tools/tensor_spec.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/npy.h"

#define TENSOR_SPEC_VALUES "=0.5, =1,2,3, =iota, =random:SEED or =@FILE.npy"

/* Parses "4x8xf32" up to `end`. */
static struct error *read_type(const char *spec, const char *end, enum dtype *dtype, size_t *rank,
                               int64_t dims[TENSOR_MAX_RANK])
{
    const char *at = spec;
    *rank = 0;
    while (at < end && isdigit((unsigned char)*at)) {
        char *after;
        errno = 0;
        int64_t dim = strtoll(at, &after, 10);
        if (errno || *after != 'x')
            return ERROR(INVALID_ARGUMENT, "input '%s': a dimension must be followed by 'x'", spec);
        if (*rank == TENSOR_MAX_RANK)
            return ERROR(INVALID_ARGUMENT, "input '%s': rank exceeds %d", spec, TENSOR_MAX_RANK);
        dims[(*rank)++] = dim;
        at = after + 1;
    }
    *dtype = dtype_from_name(at, (size_t)(end - at));
    if (*dtype == DTYPE_INVALID)
        *dtype = dtype_from_mlir(at, (size_t)(end - at));
    if (*dtype == DTYPE_INVALID)
        return ERROR(
            INVALID_ARGUMENT,
            "input '%s': unknown element type '%.*s'; an input is @FILE.npy, or a type like "
            "4x8xf32, which may be followed by " TENSOR_SPEC_VALUES,
            spec, (int)(end - at), at);
    return NULL;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* The minimum and maximum of an integer type of up to 63 bits. */
static int64_t least_of(const struct dtype_info *info)
{
    return info->class == CLASS_SIGNED ? -(INT64_C(1) << (info->bits - 1)) : 0;
}
static uint64_t most_of(const struct dtype_info *info)
{
    int bits = info->bits - (info->class == CLASS_SIGNED);
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static bool read_integer(const struct dtype_info *info, const char **at, unsigned char *element)
{
    char *after;
    bool negative = **at == '-';
    errno = 0;
    uint64_t value = negative ? (uint64_t)strtoll(*at, &after, 0) : strtoull(*at, &after, 0);
    bool fits = negative ? info->bits == 64 ? info->class == CLASS_SIGNED || !value
                                            : (int64_t)value >= least_of(info)
                         : value <= most_of(info);
    if (after == *at || errno || !fits)
        return false;
    *at = after;
    memcpy(element, &value, (size_t)info->bytes); /* little-endian: the low bytes */
    return true;
}

static bool read_truth(const char **at, unsigned char *element)
{
    static const char *const words[] = {"0", "1", "false", "true"};
    for (size_t i = 0; i < 4; i++) {
        size_t size = strlen(words[i]);
        if (!strncmp(*at, words[i], size)) {
            *at += size;
            *element = (unsigned char)(i & 1);
            return true;
        }
    }
    return false;
}

static bool read_float(enum dtype dtype, const char **at, unsigned char *element)
{
    char *after;
    double value = strtod(*at, &after);
    if (after == *at)
        return false;
    *at = after;
    dtype_from_double(dtype, value, element);
    return true;
}

static bool read_complex(enum dtype dtype, const char **at, unsigned char *element)
{
    enum dtype part = dtype_real_part(dtype);
    unsigned char *imaginary = element + dtype_bytes(part);
    if (!read_float(part, at, element))
        return false;
    memset(imaginary, 0, (size_t)dtype_bytes(part));
    if (**at == 'j') {
        memcpy(imaginary, element, (size_t)dtype_bytes(part));
        memset(element, 0, (size_t)dtype_bytes(part));
    } else if (**at == '+' || **at == '-') {
        if (!read_float(part, at, imaginary) || **at != 'j')
            return false;
    } else {
        return true;
    }
    (*at)++;
    return true;
}

static bool read_value(enum dtype dtype, const char **at, unsigned char *element)
{
    const struct dtype_info *info = dtype_info(dtype);
    switch (info->class) {
    case CLASS_PREDICATE: return read_truth(at, element);
    case CLASS_FLOAT: return read_float(dtype, at, element);
    case CLASS_COMPLEX: return read_complex(dtype, at, element);
    default: return read_integer(info, at, element);
    }
}

static struct error *fill_listed(const char *spec, const char *at, struct tensor *out)
{
    size_t size = (size_t)dtype_bytes(out->dtype), given = 0;
    unsigned char value[16];
    bool more = true;
    for (; more; given++) {
        at += strspn(at, " "); /* "1, -1" */
        const char *start = at;
        if (!read_value(out->dtype, &at, value) || (*at && *at != ','))
            return ERROR(
                INVALID_ARGUMENT,
                "input '%s': value %zu is not a valid %s: '%.*s'; allowed: " TENSOR_SPEC_VALUES,
                spec, given, dtype_name(out->dtype), (int)strcspn(start, ","), start);
        if (given < out->count)
            memcpy(out->bytes + given * size, value, size);
        more = *at++ == ',';
    }
    if (given == 1)
        for (size_t i = 1; i < out->count; i++)
            memcpy(out->bytes + i * size, value, size);
    else if (given != out->count)
        return ERROR(INVALID_ARGUMENT, "input '%s': %zu values for %zu elements", spec, given,
                     out->count);
    return NULL;
}

/* ---- Generated values ------------------------------------------------------------------------ */

/* Sebastiano Vigna's SplitMix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double random_value(const struct dtype_info *info, uint64_t *state)
{
    uint64_t bits = next_random(state);
    if (info->class == CLASS_FLOAT)
        return (double)(bits >> 11) * 0x1p-52 - 1;
    if (info->class == CLASS_PREDICATE)
        return (double)(bits >> 63);
    int width = info->bits < 4 ? info->bits : 4; /* the range of a 4-bit or 2-bit integer */
    double value = (double)(bits >> (64 - width));
    return info->class == CLASS_SIGNED ? value - (double)(1 << (width - 1)) : value;
}

static void fill_random(uint64_t seed, struct tensor *out)
{
    enum dtype part = dtype_real_part(out->dtype);
    size_t size = (size_t)dtype_bytes(part);
    for (size_t i = 0; i < out->size / size; i++)
        dtype_from_double(part, random_value(dtype_info(part), &seed), out->bytes + i * size);
}

static void fill_iota(struct tensor *out)
{
    size_t size = (size_t)dtype_bytes(out->dtype);
    for (size_t i = 0; i < out->count; i++)
        dtype_from_double(out->dtype, (double)i, out->bytes + i * size);
}

/* Fills a tensor as specified after '='. */
static struct error *fill(const char *spec, const char *values, struct tensor *out)
{
    if (!strcmp(values, "iota")) {
        fill_iota(out);
        return NULL;
    }
    if (strncmp(values, "random:", 7))
        return fill_listed(spec, values, out);
    char *after;
    errno = 0;
    uint64_t seed = strtoull(values + 7, &after, 0);
    if (errno || after == values + 7 || *after)
        return ERROR(INVALID_ARGUMENT, "input '%s': the seed is not a number", spec);
    fill_random(seed, out);
    return NULL;
}

/* ---- Whole specs ----------------------------------------------------------------------------- */

static struct error *read_checked_file(const char *spec, const char *path, enum dtype dtype,
                                       size_t rank, const int64_t *dims, struct tensor *out)
{
    TRY(npy_read(path, dtype, out));
    bool same = out->dtype == dtype && out->rank == rank;
    for (size_t i = 0; same && i < rank; i++)
        same = out->dims[i] == dims[i];
    if (same)
        return NULL;
    tensor_free(out);
    return ERROR(INVALID_ARGUMENT, "input '%s': the file has a different type or shape", spec);
}

struct error *tensor_spec_read(const char *spec, struct tensor *out)
{
    enum dtype dtype;
    size_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    *out = (struct tensor){0};
    if (spec[0] == '@')
        return npy_read(spec + 1, DTYPE_INVALID, out);
    const char *end = spec + strcspn(spec, "=");
    TRY(read_type(spec, end, &dtype, &rank, dims));
    if (*end == '=' && end[1] == '@')
        return read_checked_file(spec, end + 2, dtype, rank, dims, out);
    struct error *error = tensor_create(dtype, rank, dims, out);
    if (error)
        return error_prefix(error, "input '%s'", spec);
    error = *end == '=' ? fill(spec, end + 1, out) : NULL;
    if (error)
        tensor_free(out);
    return error;
}
