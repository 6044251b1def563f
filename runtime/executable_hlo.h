/* executable_hlo.h: a compiled program told in HLO (a serialized HloModuleProtoWithConfig), for
 * clients that ask for the optimized program to learn its name, parameters, outputs and their
 * layouts, and what is called where (hlo_steps.h). Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_HLO_H
#define GANTRY_RUNTIME_EXECUTABLE_HLO_H

#include "runtime/executable.h"

/* Made at the first call; *bytes is borrowed until the executable goes. */
struct error *executable_hlo(struct executable *executable, const char **bytes, size_t *size);

#endif
