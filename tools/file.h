/* file.h: reads and writes whole files. Errors name the file and the reason. */
#ifndef GANTRY_TOOLS_FILE_H
#define GANTRY_TOOLS_FILE_H

#include <stddef.h>

#include "base/error.h"

/* Reads a file; "-" is the standard input. NOT_FOUND if it cannot be opened. A NUL follows the last
 * byte. */
struct error *file_read(const char *path, char **out /*owned: alloc_free*/, size_t *size);
/* Why a file or folder cannot be made (errno): NOT_FOUND, RESOURCE_EXHAUSTED or
 * PERMISSION_DENIED. */
struct error *file_error(const char *path, int why);
/* Creates the file or replaces its contents. */
struct error *file_write(const char *path, const void *bytes, size_t size);

#endif
