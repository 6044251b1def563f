/* vector_sort_parallel.h: vector_sort() on all threads of the pool. Numbers are divided at a pivot,
 * then both ranges at the same time, and so on, until there are a few ranges for each thread.
 * Nested in other work of the pool, all runs on the caller's thread. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_VECTOR_SORT_PARALLEL_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_VECTOR_SORT_PARALLEL_H

#include <stdint.h>

/* Receives numbers from index `first` on when they are sorted, on the thread that sorted them.
 * Every number is received once. */
typedef void vector_sort_receiver(void *context, const uint32_t *numbers, int64_t first,
                                  int64_t count);

/* Needs vector_sort_is_supported(). */
void vector_sort_parallel(uint32_t *numbers, int64_t count, vector_sort_receiver *receive,
                          void *context);

#endif
