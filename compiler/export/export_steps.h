/* export_steps.h: exports a program's steps as computations of an HLO module. HLO has no form for
 * kernels and slices of memory, so a step is a custom call: named "gantry.kernel", "gantry.dot",
 * "gantry.convolution", "gantry.copy", "gantry.while", "gantry.case", "gantry.send",
 * "gantry.receive", or as the client's own custom call is. It takes what earlier steps wrote where
 * it reads, and loops and branches have their step lists as called computations. The root,
 * "gantry.results", gathers the outputs. */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_STEPS_H
#define GANTRY_COMPILER_EXPORT_EXPORT_STEPS_H

#include "base/proto.h"
#include "compiler/program/program.h"

struct export_computation {
    int64_t id, root;
};

/* Adds the computations (HloModuleProto: 3) to `module`, called ones first and the entry, "main",
 * last; *entry says which that is. Runs under arena_run(). */
void export_steps(struct proto *module, const struct program *program,
                  struct export_computation *entry);

/* ProgramShapeProto: 1 parameters, 2 result, 3 parameter_names. */
void export_program_shape(struct proto *to, int field, const struct program *program);

#endif
