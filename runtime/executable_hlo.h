/* executable_hlo.h: the program of an executable, exported as HLO (compiler/export/export_hlo.h).
 * Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_HLO_H
#define GANTRY_RUNTIME_EXECUTABLE_HLO_H

#include "runtime/executable.h"

/* Created at the first call; *bytes is borrowed from the executable. */
struct error *executable_hlo(struct executable *executable, const char **bytes, size_t *size);

#endif
