/* export_hlo.h: exports a compiled program as an HLO module, for clients that ask for the optimized
 * program to learn its name, parameters, outputs and their layouts, and what is called where. */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_HLO_H
#define GANTRY_COMPILER_EXPORT_EXPORT_HLO_H

#include "compiler/program/program.h"

/* A serialized HloModuleProtoWithConfig of XLA's hlo.proto; its instructions are the program's
 * steps (export_steps.h). *bytes is owned by the caller (alloc_free). RESOURCE_EXHAUSTED when
 * memory is gone. Thread-safe. */
struct error *export_hlo(const struct program *program, char **bytes, size_t *size);

#endif
