/* export_hlo.h: exports a compiled program as an HLO module, for clients that read the name,
 * parameters, outputs, layouts and calls of the optimized program. */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_HLO_H
#define GANTRY_COMPILER_EXPORT_EXPORT_HLO_H

#include "base/map.h"
#include "base/proto.h"
#include "compiler/program/program.h"

/* A serialized HloModuleProtoWithConfig of XLA's hlo.proto; its instructions are the program's
 * steps (export_steps.h). *bytes is owned by the caller (alloc_free). RESOURCE_EXHAUSTED when there
 * is no memory. Thread-safe. */
struct error *export_hlo(const struct program *program, char **bytes, size_t *size);

/* Adds the module alone (HloModuleProto), with that name and id. `names` as in export_steps.h. Call
 * inside arena_run(). */
void export_hlo_module(struct proto *to, int field, const struct program *program, const char *name,
                       int64_t id, struct map *names);

#endif
