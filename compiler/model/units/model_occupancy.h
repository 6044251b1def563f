/* model_occupancy.h: how many bytes of a memory are in use at each position of a program. Both
 * functions take O(log n). */
#ifndef GANTRY_COMPILER_MODEL_UNITS_MODEL_OCCUPANCY_H
#define GANTRY_COMPILER_MODEL_UNITS_MODEL_OCCUPANCY_H

#include <stdint.h>

#include "base/arena.h"

struct model_occupancy;

/* Of positions 0 .. count - 1; all of it is free. */
struct model_occupancy *model_occupancy_create(struct arena *arena, int64_t count);
/* The most bytes that are in use at a position from `first` to `last`, inclusive. */
uint64_t model_occupancy_peak(const struct model_occupancy *occupancy, int64_t first, int64_t last);
void model_occupancy_add(struct model_occupancy *occupancy, int64_t first, int64_t last,
                         uint64_t bytes);

#endif
