/* top_k_few.h: the first k elements of a row for a small k. They are always sorted, and an element
 * that precedes the last of them is inserted. In long rows most elements are skipped: the k-th of
 * the lowest keys of blocks bounds the keys of the first k elements. See top_k.h. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_TOP_K_TOP_K_FEW_H
#define GANTRY_DEVICES_HOST_TOP_K_TOP_K_FEW_H

#include "devices/host/top_k/top_k_keys.h"

enum { TOP_K_FEW = 128 }; /* the largest k */

/* Writes the positions of k elements. */
void top_k_few(const struct top_k_spec *t, const struct key_reader *reader, const void *row,
               int32_t *positions);

#endif
