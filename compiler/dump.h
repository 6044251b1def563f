/* dump.h: files with what the compiler made of a program, for people: the module after each pass
 * (GANTRY_DUMP, or the compile option xla_dump_to), and what runtime/executable_dump.h writes.
 *
 * Names come from the client's program, so they are sanitized: a file is always made directly in
 * the folder, and a symbolic link of that name is not followed. A file that cannot be written is a
 * message in the log, never an error. Thread-safe. */
#ifndef GANTRY_COMPILER_DUMP_H
#define GANTRY_COMPILER_DUMP_H

#include <stddef.h>

#include "compiler/ir/ir.h"

/* Writes the module as FOLDER/NAME.NN.PASS.mlir if dumps of this pass were requested. `option` is
 * the folder of the compile option, or NULL; GANTRY_DUMP ("FOLDER" or "PASS,PASS:FOLDER") wins over
 * it. */
void dump_module(const struct module *module, const char *option, int number, const char *pass);

/* Writes `size` bytes as FOLDER/NAME.ENDING. The folder is created, its parents are not. */
void dump_file(const char *folder, const char *name, const char *ending, const void *bytes,
               size_t size);

#endif
