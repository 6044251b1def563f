/* thin_rows.h: the part of a task (thin_part.h) whose right side has adjacent columns.
 *
 * A core reads memory fastest in a few places at once, each from one line to the next: a core with
 * 17 GB/s in 4 places had 10 in one, and 7 to 12 where it read several adjacent rows piece by
 * piece, which are too many places for what fetches lines ahead. So rows whose numbers are decoded
 * in registers are multiplied in blocks of THIN_STREAMS rows that are far apart, each the first one
 * that is left of a part of the rows. For several rows of the left side, whose sums are read and
 * written with each block, blocks are adjacent rows. Numbers that are decoded to the panel first
 * are taken row by row. Thread-safe, as parts belong to one thread each. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_ROWS_H
#define GANTRY_DEVICES_HOST_THIN_THIN_ROWS_H

#include "devices/host/thin/thin_part.h"

enum { THIN_STREAMS = 4 };

/* Adds the products of the part's rows and columns to its sums. The order in which a sum adds its
 * terms depends on sizes alone, and not on how columns are divided. */
void thin_rows_multiply(struct thin_part *part);

#endif
