/* tensor.h: arrays in host memory, read from files and specs and printed as results. Dense,
 * row-major, whole bytes per element. Not thread-safe. */
#ifndef GANTRY_TOOLS_TENSOR_H
#define GANTRY_TOOLS_TENSOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/dtype.h"
#include "base/error.h"
#include "base/text.h"

enum { TENSOR_MAX_RANK = 32 };

struct tensor {
    enum dtype dtype;
    size_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    unsigned char *bytes; /* owned; never NULL, even without elements */
    size_t count;         /* elements */
    size_t size;          /* bytes */
};

/* Creates a zeroed tensor. INVALID_ARGUMENT for a negative dimension, a rank above TENSOR_MAX_RANK,
 * or a size that overflows. */
struct error *tensor_create(enum dtype dtype, size_t rank, const int64_t *dims, struct tensor *out);
void tensor_free(struct tensor *tensor); /* accepts a zeroed tensor; zeroes it */

/* "4x8xf32". */
void tensor_print_type(const struct tensor *tensor, struct text *out);
/* Prints the values like NumPy: one row per line, with the middle of long dimensions omitted. */
void tensor_print(const struct tensor *tensor, struct text *out);

/* Prints a JSON object: "dtype", "dims", "values" (all of them, row-major, in one list). Infinities
 * and NaN are "inf", "-inf" and "nan"; a complex value is a list of two numbers. */
void tensor_print_json(const struct tensor *tensor, struct text *out);

/* Returns NULL if both have the same type and shape, and |got - want| <= tolerance × (1 + |want|)
 * for all elements (NaN equals NaN). Otherwise FAILED_PRECONDITION, with the number of differing
 * elements and the largest difference. A negative tolerance selects the default of the type: 0 for
 * integers, 1e-5 for f32, and so on. */
struct error *tensor_compare(const struct tensor *got, const struct tensor *want, double tolerance);

#endif
