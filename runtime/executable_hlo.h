/* executable_hlo.h: the program of an executable, exported as HLO (compiler/export/export_hlo.h).
 * Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_HLO_H
#define GANTRY_RUNTIME_EXECUTABLE_HLO_H

#include "runtime/executable.h"

/* Made at the first call; *bytes is borrowed until the executable goes. */
struct error *executable_hlo(struct executable *executable, const char **bytes, size_t *size);

#endif
