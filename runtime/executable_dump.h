/* executable_dump.h: implements the options xla_dump_to, xla_dump_hlo_as_text and
 * xla_dump_hlo_as_proto for programs that were compiled or deserialized. Writes
 * FOLDER/module_NNNN.NAME.after_optimizations.txt (the steps, program_print.h) and .hlo.pb
 * (executable_hlo.h). NNNN numbers the dumps of the process. Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_DUMP_H
#define GANTRY_RUNTIME_EXECUTABLE_DUMP_H

#include "runtime/executable.h"

/* A failure to write a dump is logged; it is never an error. */
void executable_dump(struct executable *executable);

#endif
