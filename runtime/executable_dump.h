/* executable_dump.h: what the options xla_dump_to, xla_dump_hlo_as_text and xla_dump_hlo_as_proto
 * ask for of a program that is ready to run, be it compiled or read back:
 * FOLDER/module_NNNN.NAME.after_optimizations.txt (the steps, program_print.h) and .hlo.pb
 * (executable_hlo.h). NNNN counts the process's dumps. Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTABLE_DUMP_H
#define GANTRY_RUNTIME_EXECUTABLE_DUMP_H

#include "runtime/executable.h"

/* A dump that cannot be written is a message in the log, never an error. */
void executable_dump(struct executable *executable);

#endif
