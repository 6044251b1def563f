/* program_mutator.h: changes of a program's text that mostly leave it valid: other operations of
 * the same form, other element types and sizes throughout, other numbers in attributes, more
 * operations. For fuzzing: random bytes rarely pass a reader. Pure but for `bytes`. */
#ifndef GANTRY_CONFORMANCE_PROGRAM_MUTATOR_H
#define GANTRY_CONFORMANCE_PROGRAM_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Changes the text of `size` bytes in place, which may grow to `max_size`; gives the new size.
 * Equal seeds make equal changes. */
size_t program_mutate(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);

#endif
