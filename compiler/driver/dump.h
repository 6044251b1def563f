/* dump.h: writes what the compiler makes of a program, for debugging: the module after each pass,
 * schedules, LLVM IR, assembly and steps (GANTRY_DUMP, or the compile option xla_dump_to), and the
 * files of runtime/executable_dump.h. Each compilation has a folder of its own, NNNN.NAME, so
 * nothing is overwritten; NNNN continues the numbers that the folder has.
 *
 * GANTRY_DUMP is [WORD,WORD:]FOLDER. A word is the name of a pass; DUMP_PASSES for all passes;
 * DUMP_STEPS, DUMP_SCHEDULES, DUMP_LLVM, DUMP_ASSEMBLY; or "all". Without words: passes and steps.
 * FOLDER is created with its parents. xla_dump_to is a folder for all passes; GANTRY_DUMP takes
 * precedence.
 *
 * Names come from the client's program and are sanitized: files are always created in the folder,
 * and symbolic links below it are not followed. A file that cannot be written is logged and is
 * never an error. Thread-safe; a struct dump belongs to its compilation. */
#ifndef GANTRY_COMPILER_DRIVER_DUMP_H
#define GANTRY_COMPILER_DRIVER_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/ir/ir.h"

#define DUMP_PASSES "passes"
#define DUMP_STEPS "steps"
#define DUMP_SCHEDULES "schedules"
#define DUMP_LLVM "llvm"
#define DUMP_ASSEMBLY "assembly"

struct dump;

/* INVALID_ARGUMENT when GANTRY_DUMP has a word that is neither one of the `count` passes nor one of
 * the above, or when its folder cannot be created or written to; the message has the words that are
 * allowed, or the system's reason. */
struct error *dump_check(const char *const *passes, size_t count);

/* Creates the folder of one compilation of the module, in the arena. `option`: the folder of
 * xla_dump_to, or NULL. NULL when nothing was requested or the folder cannot be created; the other
 * functions accept that. */
struct dump *dump_open(struct arena *arena, const char *module_name, const char *option);

/* Whether files of this kind were requested: a pass, or one of the words above. */
bool dump_wants(const struct dump *dump, const char *word);

/* Writes the module as NN.PASS.mlir, where NN counts the calls, if dumps of this pass were
 * requested and the module differs from what was written before. */
void dump_module(struct dump *dump, const struct module *module, const char *pass);

/* Writes a file into the folder of the compilation. */
void dump_bytes(struct dump *dump, const char *file_name, const void *bytes, size_t size);

/* Writes `size` bytes as FOLDER/NAME.ENDING. Creates the folder and its parents. */
void dump_file(const char *folder, const char *name, const char *ending, const void *bytes,
               size_t size);

#endif
