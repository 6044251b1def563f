/* export_instruction.h: writes instructions of an HLO module (HloInstructionProto). All calls must
 * be inside arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_INSTRUCTION_H
#define GANTRY_COMPILER_EXPORT_EXPORT_INSTRUCTION_H

#include "base/proto.h"
#include "base/shape.h"
#include "base/vec.h"

typedef VEC(int64_t) export_ids;

struct export_instruction { /* all pointers are borrowed */
    const char *name;       /* NULL: made of the opcode or target */
    const char *opcode;     /* NULL: a custom call */
    const char *target;     /* of a custom call */
    const char *label;      /* step_label.h: the operation and source line; NULL: unknown */
    const struct shape *shapes;
    int shape_count;                           /* not 1: the result is a tuple */
    const export_ids *operands, *computations; /* NULL: none */
};

/* The name that it has: its own, or "while.12". In the arena. */
const char *export_instruction_name(struct arena *arena, const struct export_instruction *what,
                                    int64_t id);
/* Starts an instruction; the caller may add other fields, and then adds it to a computation
 * (COMPUTATION_INSTRUCTIONS of export_fields.h). */
struct proto export_instruction_open(struct arena *arena, const struct export_instruction *what,
                                     int64_t id);
/* A unique name: "fusion.3.17" for the label "fusion.3: jit(f)/tanh (model.py:12:3)" and 17. */
const char *export_instruction_unique(struct arena *arena, const char *label, int64_t number);

#endif
