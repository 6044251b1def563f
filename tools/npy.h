/* npy.h: reads and writes NumPy array files, versions 1 to 3. Types without a NumPy name are stored
 * as raw bytes, which NumPy can read and view: bf16 as '<V2', 8-bit and 4-bit floats as '|V1'
 * (ml_dtypes uses '<f1'). 2-bit and 4-bit integers are stored as 8-bit integers. Files are
 * untrusted, so the reader validates everything. Errors name the file. */
#ifndef GANTRY_TOOLS_NPY_H
#define GANTRY_TOOLS_NPY_H

#include <stddef.h>

#include "tools/tensor.h"

/* Reads a file of any byte order, row-major or column-major. '<V2' is read as bf16. `raw` is the
 * element type of '|V1' and of 8-bit integers (DTYPE_INVALID: integers are not converted, and '|V1'
 * is INVALID_ARGUMENT). NOT_FOUND if the file cannot be opened. */
struct error *npy_read(const char *path, enum dtype raw, struct tensor *out /*owned*/);
/* The same for bytes in memory; `name` is used in messages. */
struct error *npy_parse(const void *bytes, size_t size, const char *name, enum dtype raw,
                        struct tensor *out /*owned*/);

/* Writes a version 1 file, little-endian and row-major. Replaces an existing file. */
struct error *npy_write(const char *path, const struct tensor *tensor);
/* Returns the bytes of such a file. */
struct error *npy_format(const struct tensor *tensor, char **out /*owned: alloc_free*/,
                         size_t *size);

#endif
