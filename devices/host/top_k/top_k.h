/* top_k.h: the first k elements of a row in sorted order, and where they were, without sorting the
 * row. Equal elements keep their order.
 *
 * Every element becomes a pair: a 32-bit key whose unsigned order is the order of elements
 * (top_k_keys.h), and below it the position, so that pairs differ. The first k so far are kept,
 * sorted where k is small (top_k_few.h). Otherwise candidates are collected, and whenever there are
 * many, the best k of them are kept; from then on only elements that precede the last of these are
 * candidates. Blocks of the row without a candidate, which are most of them in random rows, are
 * only compared, with vectors (GANTRY_ISA selects their instruction set). The time of a row is
 * proportional to its length, for any values. Functions are thread-safe. */
#ifndef GANTRY_DEVICES_HOST_TOP_K_TOP_K_H
#define GANTRY_DEVICES_HOST_TOP_K_TOP_K_H

#include <stddef.h>
#include <stdint.h>

#include "compiler/program/top_k_spec.h"

/* The bytes of scratch that a row needs, aligned to 64; may be 0. */
size_t top_k_scratch(const struct top_k_spec *t);

/* Writes k values and their positions for each of `count` rows that follow one another. */
void top_k_rows(const struct top_k_spec *t, int64_t count, const void *rows, void *scratch,
                void *values, int32_t *positions);

#endif
