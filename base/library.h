/* library.h: opens the shared objects that lie beside libgantry.so. */
#ifndef GANTRY_BASE_LIBRARY_H
#define GANTRY_BASE_LIBRARY_H

#include "base/error.h"

/* Opens `file` ("libgantry_codegen.so") in the folder of the file that holds this function, local
 * to Gantry, and finds `count` symbols. The library stays open for the life of the process.
 * Errors: NOT_FOUND naming the path tried, or the symbol. Thread-safe. */
struct error *library_open(const char *file, int count, const char *const *names, void **symbols);

#endif
