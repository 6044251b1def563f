/* vector_sort.h: sorts unsigned numbers of 32 bits where they are, with AVX-512. Takes O(n log n)
 * time, whatever the numbers are. Thread-safe. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_VECTOR_SORT_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_VECTOR_SORT_H

#include <stdbool.h>
#include <stdint.h>

enum { VECTOR_SORT_SMALL = 256 }; /* so many numbers are sorted without being divided */

/* Whether this processor has the instructions, and may use them (GANTRY_ISA). */
bool vector_sort_is_supported(void);
void vector_sort(uint32_t *numbers, int64_t count);
/* Divides more than VECTOR_SORT_SMALL numbers: moves them so that none of the first ones is greater
 * than any other, and returns how many these are, at least 1. They are all equal if *equal. */
int64_t vector_sort_divide(uint32_t *numbers, int64_t count, bool *equal);
/* Sorts; what is not sorted after as many levels of partitions is sorted by heapsort. */
void vector_sort_within(uint32_t *numbers, int64_t count, int levels);

#endif
