/* executable_shardings.h: the shardings of a program's parameters and results
 * (compiler/export/export_sharding.h). Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_SHARDINGS_H
#define GANTRY_RUNTIME_EXECUTABLE_SHARDINGS_H

#include "runtime/executable.h"

/* Created at the first call; *out is borrowed from the executable. Its shardings are NULL where the
 * program has none. */
struct error *executable_shardings(struct executable *executable, bool of_results,
                                   const struct sharding_list **out);

#endif
