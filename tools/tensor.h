/* tensor.h: arrays in host memory: what the command's files and specs are read to, and results are
 * printed from. Dense, row-major, whole bytes for each element. One thread at a time. */
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
    unsigned char *bytes; /* owned; never NULL, also without elements */
    size_t count;         /* elements */
    size_t size;          /* bytes */
};

/* Makes a zeroed tensor. INVALID_ARGUMENT for a negative dimension, too high a rank, a size that no
 * memory can have. */
struct error *tensor_create(enum dtype dtype, size_t rank, const int64_t *dims, struct tensor *out);
void tensor_free(struct tensor *tensor); /* accepts a zeroed one, and leaves one */

/* "4x8xf32". */
void tensor_print_type(const struct tensor *tensor, struct text *out);
/* The values as NumPy shows them, rows on lines of their own, the middle of long dimensions left
 * out. */
void tensor_print(const struct tensor *tensor, struct text *out);

/* NULL when both have the same type and shape, and |got - want| <= tolerance × (1 + |want|) for all
 * elements (NaN equals NaN). Else FAILED_PRECONDITION, with the number of elements that differ, and
 * the worst of them. A negative tolerance takes the type's own: 0 for integers, 1e-5 for f32, and
 * so on. */
struct error *tensor_compare(const struct tensor *got, const struct tensor *want, double tolerance);

#endif
