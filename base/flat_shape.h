/* flat_shape.h: a shape as a list of numbers, for serialization. Pure functions, thread-safe. */
#ifndef GANTRY_BASE_FLAT_SHAPE_H
#define GANTRY_BASE_FLAT_SHAPE_H

#include "base/shape.h"

/* Numbers of the largest shape: five fields, dimensions, their order, and the tiles with their
 * ranks. */
enum { FLAT_SHAPE_MAX = 5 + 2 * SHAPE_MAX_RANK + SHAPE_MAX_TILES * (1 + SHAPE_MAX_RANK) };

/* Writes the numbers of a shape within the limits of shape.h; returns how many. */
int flat_shape_write(const struct shape *shape, int64_t numbers[FLAT_SHAPE_MAX]);

/* The shape of `count` numbers, whose arrays share one allocation, *owned (alloc_free; NULL when it
 * needs none). Checks only that the counts match; shape_check() does the rest. INVALID_ARGUMENT,
 * RESOURCE_EXHAUSTED. */
struct error *flat_shape_read(const int64_t *numbers, int count, struct shape *out, void **owned);

#endif
