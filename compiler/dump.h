/* dump.h: writes dumps for debugging: the module after each pass (GANTRY_DUMP, or the compile
 * option xla_dump_to), and the files of runtime/executable_dump.h.
 *
 * Names come from the client's program and are sanitized: a file is always created directly in the
 * folder, and symbolic links are not followed. A file that cannot be written is logged and is never
 * an error. Thread-safe. */
#ifndef GANTRY_COMPILER_DUMP_H
#define GANTRY_COMPILER_DUMP_H

#include <stddef.h>

#include "compiler/ir/ir.h"

/* Writes the module as FOLDER/NAME.NN.PASS.mlir if dumps of this pass were requested. `option` is
 * the folder of the compile option, or NULL; GANTRY_DUMP ("FOLDER" or "PASS,PASS:FOLDER") takes
 * precedence. */
void dump_module(const struct module *module, const char *option, int number, const char *pass);

/* Writes `size` bytes as FOLDER/NAME.ENDING. Creates the folder, but not its parents. */
void dump_file(const char *folder, const char *name, const char *ending, const void *bytes,
               size_t size);

#endif
