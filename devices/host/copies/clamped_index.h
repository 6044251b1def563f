/* clamped_index.h: where a slice begins at run time: an index as StableHLO's dynamic_slice has it,
 * clamped so that the slice is inside its array. Pure functions, thread-safe. */
#ifndef GANTRY_DEVICES_HOST_COPIES_CLAMPED_INDEX_H
#define GANTRY_DEVICES_HOST_COPIES_CLAMPED_INDEX_H

#include <stdint.h>

#include "compiler/program/program.h"

/* An index in [0, last]. */
static inline int64_t clamped_index_of(int64_t index, int64_t last)
{
    return index < 0 ? 0 : index > last ? last : index;
}

/* The same of an index in memory, of any type of integers, each in bytes of its own. */
int64_t clamped_index(const void *at, enum dtype dtype, int64_t last);

/* Moves the address of an offset's slice, which is NULL where there is no memory, by the index at
 * `at`. */
void clamped_index_move(const struct slice_offset *offset, const void *at, void **buffers);

#endif
