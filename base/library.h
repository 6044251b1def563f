/* library.h: opens the shared objects beside libgantry.so. */
#ifndef GANTRY_BASE_LIBRARY_H
#define GANTRY_BASE_LIBRARY_H

#include "base/error.h"

/* Opens `file` ("libgantry_codegen.so") in the folder of the file that holds this function, local
 * to Gantry, and finds `count` symbols; its function `build` must name the build of this one. The
 * library stays open for the life of the process. Errors: NOT_FOUND naming the path tried, or the
 * symbol; FAILED_PRECONDITION for a file of another build, and as library_check. Thread-safe. */
struct error *library_open(const char *file, const char *build, int count, const char *const *names,
                           void **symbols);
typedef const char *library_build_function(void);

/* For a file that one to be opened needs: FAILED_PRECONDITION when it is in that folder and may
 * not be read, or was truncated; opening it would end the process. Thread-safe. */
struct error *library_check(const char *file);

#endif
