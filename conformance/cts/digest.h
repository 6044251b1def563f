/* digest.h: XXH3-128 of files (as `xxh128sum` prints it), which tells one build of a plugin from
 * another. */
#ifndef GANTRY_CONFORMANCE_DIGEST_H
#define GANTRY_CONFORMANCE_DIGEST_H

#include "base/error.h"

enum { DIGEST_TEXT = 33 };

/* The digest as hexadecimal digits. NOT_FOUND if the file cannot be read. */
struct error *digest_file(const char *path, char out[DIGEST_TEXT]);

#endif
