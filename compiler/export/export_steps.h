/* export_steps.h: exports a program's steps as computations of an HLO module. HLO cannot represent
 * kernels and slices of memory, so a step becomes a custom call with the target "gantry.kernel",
 * "gantry.dot", "gantry.convolution", "gantry.copy", "gantry.while", "gantry.case", "gantry.send",
 * "gantry.receive", or the client's own target. Its operands are the steps that wrote the memory
 * that it reads; the step lists of loops and branches are called computations. The root,
 * "gantry.results", has the outputs. */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_STEPS_H
#define GANTRY_COMPILER_EXPORT_EXPORT_STEPS_H

#include "base/proto.h"
#include "compiler/program/program.h"

struct export_computation {
    int64_t id, root;
};

/* Adds the computations (HloModuleProto: 3) to `module`, called ones first and the entry, "main",
 * last. *entry describes the entry. Call inside arena_run(). */
void export_steps(struct proto *module, const struct program *program,
                  struct export_computation *entry);

/* Adds the program's ProgramShapeProto: parameters, result, parameter_names. */
void export_program_shape(struct proto *to, int field, const struct program *program);

#endif
