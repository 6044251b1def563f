/* export_assignment.h: writes a memory plan as XLA's BufferAssignmentProto (hlo.proto), which
 * xprof's memory_viewer shows: allocations, the values in them, and a simulated heap of the
 * temporaries. Everything is in the arena; call inside arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_ASSIGNMENT_H
#define GANTRY_COMPILER_EXPORT_EXPORT_ASSIGNMENT_H

#include "base/proto.h"
#include "compiler/program/program.h"

struct export_buffer { /* a value in an allocation */
    int allocation;
    int64_t instruction; /* that computes it: its id in the module */
    const char *name;    /* of the instruction; borrowed until the assignment is written */
    int result;          /* of an instruction whose result is a tuple; -1: it is not */
    uint64_t offset, size;
    int64_t first, last; /* while it is in use, in an order of time; both inclusive */
};

struct export_assignment;
struct export_assignment *export_assignment_create(struct arena *arena);
/* Returns the allocation's number. `is_result`: also of a parameter whose memory a result reuses.
 */
int export_assignment_allocation(struct export_assignment *assignment,
                                 const struct allocation *allocation, bool is_result);
void export_assignment_buffer(struct export_assignment *assignment,
                              const struct export_buffer *buffer);
/* Adds the message to one that describes a program (HloProto: 3). */
void export_assignment_write(struct export_assignment *assignment, struct proto *to, int field);

#endif
