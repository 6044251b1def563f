/* xspace_programs.h: the programs of a profile as HLO modules, in the plane "/host:metadata", where
 * xprof's tools look for the module of an operation by the number of its program. All calls must be
 * inside arena_run(). One thread at a time. */
#ifndef GANTRY_REPORT_XSPACE_PROGRAMS_H
#define GANTRY_REPORT_XSPACE_PROGRAMS_H

#include "base/map.h"
#include "base/proto.h"

struct executable; /* runtime/executable.h */
struct xspace_programs;

enum { XSPACE_PROGRAMS_BYTES = 64 << 20 /* of all modules; later ones are left out */ };

/* In the arena. */
struct xspace_programs *xspace_programs_create(struct arena *arena, int64_t plane);
/* Adds a program with its memory plan unless it is there already, and returns the instructions of
 * its steps (map_get_pointer: struct export_step * of compiler/export/export_steps.h), in the
 * arena. The program of a modeled accelerator is that of its plan (export_model.h), which has no
 * steps. `executable` outlives the call of xspace_programs_write(). */
const struct map *xspace_programs_add(struct xspace_programs *programs,
                                      const struct executable *executable);
void xspace_programs_write(struct xspace_programs *programs, struct proto *to, int field);

#endif
