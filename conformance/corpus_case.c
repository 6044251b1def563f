/* corpus_case.c: see corpus_case.h. */
#include "conformance/corpus_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 4096, MAX_PATH = 1024 };

/* ---- reading --------------------------------------------------------------------------------- */

static struct error *read_file(const char *path, char **out, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ERROR(NOT_FOUND, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    *size = length < 0 ? 0 : (size_t)length;
    *out = malloc(*size + 1);
    bool whole = *out && fread(*out, 1, *size, file) == *size;
    fclose(file);
    if (!whole)
        return ERROR(INVALID_ARGUMENT, "cannot read %s", path);
    (*out)[*size] = '\0';
    return NULL;
}

/* Reads the next number of a line; false if there is none in [0, max]. */
static bool next_number(char **rest, int64_t max, int64_t *out)
{
    char *word = strtok_r(NULL, " \n", rest), *end;
    if (!word)
        return false;
    *out = strtoll(word, &end, 10);
    return !*end && *out >= 0 && *out <= max;
}

/* Reads "f32 2 20 20 0 1600", followed by two tolerances for results. */
static bool read_array(char **rest, bool is_output, struct corpus_array *array)
{
    char *name = strtok_r(NULL, " \n", rest);
    int64_t rank, number;
    if (!name || !next_number(rest, CORPUS_MAX_RANK, &rank))
        return false;
    array->dtype = dtype_from_name(name, strlen(name));
    array->rank = (size_t)rank;
    array->count = 1;
    for (int64_t i = 0; i < rank; i++) {
        if (!next_number(rest, 1 << 28, &array->dims[i]))
            return false;
        array->count *= (size_t)array->dims[i];
    }
    if (!next_number(rest, INT32_MAX, &number))
        return false;
    array->offset = (size_t)number;
    if (!next_number(rest, INT32_MAX, &number))
        return false;
    array->size = (size_t)number;
    for (int i = 0; is_output && i < 2; i++) {
        char *word = strtok_r(NULL, " \n", rest);
        if (!word)
            return false;
        *(i ? &array->relative : &array->absolute) = strtod(word, NULL);
    }
    return array->dtype && array->size == array->count * (size_t)dtype_bytes(array->dtype);
}

static struct error *read_lines(FILE *file, const char *path, struct corpus_case *item)
{
    char line[MAX_LINE], *rest;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        const char *key = strtok_r(line, " \n", &rest);
        bool input = key && !strcmp(key, "in"), output = key && !strcmp(key, "out");
        if (!input && !output)
            continue;
        size_t *count = input ? &item->input_count : &item->output_count;
        struct corpus_array *arrays = input ? item->inputs : item->outputs;
        if (*count == CORPUS_MAX_ARRAYS || !read_array(&rest, output, &arrays[*count]))
            return ERROR(INVALID_ARGUMENT, "%s:%d: no array of the corpus's format", path, number);
        if (arrays[*count].offset + arrays[*count].size > item->data_size)
            return ERROR(INVALID_ARGUMENT, "%s:%d: the array ends behind the data's %zu bytes",
                         path, number, item->data_size);
        ++*count;
    }
    return NULL;
}

static struct error *read_case(const char *path, const char *suffix, struct corpus_case *item)
{
    char beside[MAX_PATH];
    int stem = (int)(strlen(path) - strlen(".case"));
    if (stem <= 0 || strcmp(path + stem, ".case"))
        return ERROR(INVALID_ARGUMENT, "%s: the name of a case ends with .case", path);
    snprintf(beside, sizeof beside, "%.*s%s", stem, path, suffix);
    TRY(read_file(beside, &item->program, &item->program_size));
    snprintf(beside, sizeof beside, "%.*s.bin", stem, path);
    TRY(read_file(beside, &item->data, &item->data_size));
    FILE *file = fopen(path, "r");
    if (!file)
        return ERROR(NOT_FOUND, "cannot open %s", path);
    struct error *error = read_lines(file, path, item);
    fclose(file);
    return error;
}

struct error *corpus_case_read(const char *path, const char *suffix, struct corpus_case *out)
{
    *out = (struct corpus_case){0};
    struct error *error = read_case(path, suffix, out);
    if (error)
        corpus_case_free(out);
    return error;
}

void corpus_case_free(struct corpus_case *item)
{
    free(item->program);
    free(item->data);
    *item = (struct corpus_case){0};
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_near(double got, double want, double scale, const struct corpus_array *array)
{
    if ((isnan(got) && isnan(want)) || got == want)
        return true;
    double size = isfinite(scale) ? scale : isfinite(want) ? fabs(want) : 0;
    return isfinite(got) && isfinite(want) &&
           fabs(got - want) <= array->absolute + array->relative * size;
}

static struct error *differs(const struct corpus_array *array, size_t i, double got, double want)
{
    return ERROR(DATA_LOSS, "element %zu of %zu (%s) is %.17g, expected %.17g (atol %g, rtol %g)",
                 i, array->count, dtype_name(array->dtype), got, want, array->absolute,
                 array->relative);
}

/* Compares real numbers, or parts of complex numbers. */
static struct error *compare_numbers(const struct corpus_array *array, const char *want,
                                     const char *got)
{
    enum dtype part = dtype_real_part(array->dtype);
    int parts = dtype_is_complex(array->dtype) ? 2 : 1;
    size_t step = (size_t)dtype_bytes(part);
    for (size_t i = 0; i < array->count; i++) {
        double a[2] = {0}, e[2] = {0};
        for (int p = 0; p < parts; p++) {
            a[p] = dtype_to_double(part, got + (i * (size_t)parts + (size_t)p) * step);
            e[p] = dtype_to_double(part, want + (i * (size_t)parts + (size_t)p) * step);
        }
        double scale = parts == 2 ? hypot(e[0], e[1]) : fabs(e[0]);
        for (int p = 0; p < parts; p++)
            if (!is_near(a[p], e[p], scale, array))
                return differs(array, i, a[p], e[p]);
    }
    return NULL;
}

/* A predicate is a byte of 0 or 1; in the byte of a number with fewer bits others may be set. */
static bool is_equal(enum dtype dtype, const char *got, const char *want)
{
    return dtype == DTYPE_PRED ? *got == *want
                               : dtype_to_int64(dtype, got) == dtype_to_int64(dtype, want);
}

struct error *corpus_case_compare(const struct corpus_array *expected, const void *expected_bytes,
                                  const void *bytes)
{
    const char *want = expected_bytes, *got = bytes;
    if (dtype_is_float(expected->dtype) || dtype_is_complex(expected->dtype))
        return compare_numbers(expected, want, got);
    size_t step = (size_t)dtype_bytes(expected->dtype);
    for (size_t i = 0; i < expected->count; i++)
        if (!is_equal(expected->dtype, got + i * step, want + i * step))
            return differs(expected, i, dtype_to_double(expected->dtype, got + i * step),
                           dtype_to_double(expected->dtype, want + i * step));
    return NULL;
}
