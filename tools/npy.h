/* npy.h: NumPy's array files, versions 1 to 3. Types that NumPy has no name for are stored as raw
 * bytes, which NumPy reads back and can view: bf16 as '<V2', the 8-bit and 4-bit floats as '|V1'
 * (ml_dtypes says '<f1'); 2- and 4-bit integers as 8-bit ones.
 * The reader checks everything: a file is foreign. Errors name the file. */
#ifndef GANTRY_TOOLS_NPY_H
#define GANTRY_TOOLS_NPY_H

#include <stddef.h>

#include "tools/tensor.h"

/* Reads a file: any byte order, row-major or column-major. '<V2' is bf16. `raw` says what '|V1' is
 * and what 8-bit integers represent (DTYPE_INVALID: they are themselves, and '|V1' is
 * INVALID_ARGUMENT). NOT_FOUND: cannot be opened. */
struct error *npy_read(const char *path, enum dtype raw, struct tensor *out /*owned*/);
/* The same from bytes in memory; `name` is for messages. */
struct error *npy_parse(const void *bytes, size_t size, const char *name, enum dtype raw,
                        struct tensor *out /*owned*/);

/* Writes a file of version 1, little-endian and row-major, over any other that is there. */
struct error *npy_write(const char *path, const struct tensor *tensor);
/* The file's bytes. */
struct error *npy_format(const struct tensor *tensor, char **out /*owned: alloc_free*/,
                         size_t *size);

#endif
