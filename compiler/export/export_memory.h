/* export_memory.h: exports the memory plan of a program (program_buffer of program.h) as a
 * BufferAssignmentProto. Call inside arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_MEMORY_H
#define GANTRY_COMPILER_EXPORT_EXPORT_MEMORY_H

#include "base/map.h"
#include "base/proto.h"
#include "compiler/program/program.h"

/* `names`: the instructions of the program's module, from export_steps.h. */
void export_memory(struct proto *to, int field, const struct program *program,
                   const struct map *names);

#endif
