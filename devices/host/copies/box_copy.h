/* box_copy.h: runs copies between memory kinds (struct copy_spec): of a whole value, or of a box of
 * elements out of an array or into one. No side effects except for the destination. */
#ifndef GANTRY_DEVICES_HOST_COPIES_BOX_COPY_H
#define GANTRY_DEVICES_HOST_COPIES_BOX_COPY_H

#include <stdatomic.h>

#include "compiler/program/program.h"

/* Computes the start of the box, starts[i] in dimension i, clamped so that the box is inside the
 * array. `indices`: the addresses of the indices of the spec; ignored if it has none. */
void box_copy_starts(const struct copy_spec *spec, void *const *indices,
                     int64_t starts[COPY_MAX_RANK]);
/* Returns early, with the box partly copied, if *stop becomes nonzero. */
void box_copy_run(const struct copy_spec *spec, const int64_t starts[COPY_MAX_RANK],
                  const void *from, void *to, const atomic_uint *stop);
/* Number of bytes that a copy moves. */
int64_t box_copy_bytes(const struct copy_spec *spec);

#endif
