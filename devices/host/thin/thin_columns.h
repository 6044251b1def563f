/* thin_columns.h: the part of a task (thin_part.h) whose right side has adjacent terms: it
 * multiplies many terms of THIN_FEW_COLUMNS at a time. Thread-safe, as parts belong to one thread
 * each. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_COLUMNS_H
#define GANTRY_DEVICES_HOST_THIN_THIN_COLUMNS_H

#include "devices/host/thin/thin_part.h"

/* Adds the products of the part's rows and columns to its sums. */
void thin_columns_multiply(struct thin_part *part);

#endif
