/* program_io_step.h: the steps of serialized programs (program_io.h), field by field
 * (program_wire.h). */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_IO_STEP_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_IO_STEP_H

#include "compiler/program/program.h"
#include "compiler/program/program_wire.h"

enum { WIRE_STEP = 9 * WIRE_NUMBER }; /* least serialized bytes */

/* Steps nest at most PROGRAM_MAX_NESTING deep. */
void program_io_steps(struct wire *io, struct step_list *list);
void program_io_collective(struct wire *io, struct collective_spec *spec);
void program_io_call(struct wire *io, struct call_spec *spec);
/* When reading, the arrays are in one block, owned by the owner of *memory. */
void program_io_shape(struct wire *io, struct shape *shape, void **memory);

#endif
