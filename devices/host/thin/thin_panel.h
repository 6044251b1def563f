/* thin_panel.h: the part of a task (thin_part.h) with more rows than registers have sums for. A
 * block of the matrix is decoded to a cache once, and tiles (tile_product.h) multiply it by as many
 * rows of the left side as have their sums in the second cache.
 *
 *   adjacent columns  the block is the right side of tiles: panels of adjacent columns
 *   adjacent terms    the block is their left side, whose rows are columns of the matrix; the left
 *                     side, transposed, is their right side. So are the sums: no number that is
 *                     decoded has to be moved
 *
 * A sum adds its terms in the order of k. Thread-safe, as parts belong to one thread each. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_PANEL_H
#define GANTRY_DEVICES_HOST_THIN_THIN_PANEL_H

#include "devices/host/thin/thin_part.h"

/* Whether a task's rows are as many as that takes, or more than registers are used for. */
bool thin_panel_is_faster(const struct thin_task *task);

/* Plans rows, terms and memory of a task; its columns are at most thin_panel_columns(). */
void thin_panel_plan(struct thin_task *task);
int64_t thin_panel_columns(const struct thin_task *task);

/* The memory of a part, aligned to 64 bytes. */
size_t thin_panel_bytes(const struct thin_task *task);
void thin_panel_place(struct thin_part *part, void *memory);

/* Adds the products of the part's rows and columns to its sums, which are 0. */
void thin_panel_multiply(struct thin_part *part);

#endif
