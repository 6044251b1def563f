/* file.h: reads and writes whole files. Errors name the file and the reason. */
#ifndef GANTRY_TOOLS_FILE_H
#define GANTRY_TOOLS_FILE_H

#include <stddef.h>

#include "base/error.h"

/* NOT_FOUND when it cannot be opened; a NUL follows the last byte. */
struct error *file_read(const char *path, char **out /*owned: alloc_free*/, size_t *size);
/* Makes the file or replaces what is in it. */
struct error *file_write(const char *path, const void *bytes, size_t size);

#endif
