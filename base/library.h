/* library.h: loads the shared objects that are installed next to libgantry.so. */
#ifndef GANTRY_BASE_LIBRARY_H
#define GANTRY_BASE_LIBRARY_H

#include "base/error.h"

/* Loads `file` ("libgantry_codegen.so") from the folder of the library that contains this function,
 * with RTLD_LOCAL, and looks up `count` symbols. The function named `build` in that library must
 * return the same build as this one. The library stays loaded for the life of the process. Errors:
 * NOT_FOUND with the path tried or the missing symbol; FAILED_PRECONDITION for a file of another
 * build; those of library_check. Thread-safe. */
struct error *library_open(const char *file, const char *build, int count, const char *const *names,
                           void **symbols);
typedef const char *library_build_function(void);

/* Checks a dependency of a library before that library is loaded: FAILED_PRECONDITION when the file
 * is in that folder but is not readable or is truncated, since loading it would terminate the
 * process. Thread-safe. */
struct error *library_check(const char *file);

#endif
