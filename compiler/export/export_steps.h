/* export_steps.h: exports a program's steps as computations of an HLO module. HLO cannot represent
 * kernels and slices of memory, so a step becomes a custom call with the target "gantry.kernel",
 * "gantry.dot", "gantry.convolution", "gantry.copy", "gantry.send", "gantry.receive", or the
 * client's own target. Its operands are the steps that wrote the memory that it reads. The root,
 * "gantry.results", has the outputs.
 *
 * Collectives are HLO's own instructions, so that tools can count and add them up. Their operands
 * are custom calls "gantry.view": memory, regardless of its writer, as an array of the operand's
 * shape. Loops are `while` with their trip count if it is known, branches are `conditional`;
 * carried values are in the program's memory, so the carry is the empty tuple of a
 * "gantry.state". */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_STEPS_H
#define GANTRY_COMPILER_EXPORT_EXPORT_STEPS_H

#include "base/map.h"
#include "base/proto.h"
#include "compiler/program/program.h"

struct export_computation {
    int64_t id, root;
};

struct export_step { /* the instruction of a step or value */
    const char *name;
    int64_t id;
};

/* Adds the computations (HloModuleProto: 3) to `module`, called ones first and the entry, "main",
 * last. *entry describes the entry. `names` (map_get_pointer; may be NULL) receives each
 * step's instruction (struct export_step *), in the arena, each parameter's by its program_value,
 * and the root's by the program's `results`. Call inside arena_run(). */
void export_steps(struct proto *module, const struct program *program, struct map *names,
                  struct export_computation *entry);

/* Adds the program's ProgramShapeProto: parameters, result, parameter_names. */
void export_program_shape(struct proto *to, int field, const struct program *program);

#endif
