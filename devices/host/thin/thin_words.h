/* thin_words.h: the part of a task (thin_part.h) of one row whose numbers have 4 bits, as fields of
 * words (struct thin_words, thin_set.h): words of memory, or four adjacent bytes. Columns and terms
 * are counted in numbers; a task has no fields (thin_part.h) then. Zero points are subtracted from
 * sums, which is as exact as from numbers as long as they are about as large. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_THIN_THIN_WORDS_H
#define GANTRY_DEVICES_HOST_THIN_THIN_WORDS_H

#include "devices/host/thin/thin_part.h"

/* Whether products of such numbers, with such parameters, are computed. */
bool thin_words_is_supported(const struct thin_dot_spec *spec, const struct thin_set *set);

/* Adds the products of a part's columns to its sums, which are 0. */
void thin_words_multiply(struct thin_part *part);

#endif
