/* program_mutator.h: mutates the text of a program so that it mostly stays valid: other operations
 * of the same form, other element types and sizes throughout, other numbers in attributes,
 * additional operations. For fuzzing, because random bytes rarely pass a parser. Stateless. */
#ifndef GANTRY_CONFORMANCE_PROGRAM_MUTATOR_H
#define GANTRY_CONFORMANCE_PROGRAM_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Mutates the text of `size` bytes in place; it may grow to `max_size`. Returns the new size.
 * Deterministic for a given seed. */
size_t program_mutate(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);

#endif
