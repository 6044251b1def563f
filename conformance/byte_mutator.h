/* byte_mutator.h: mutates the binary forms of programs, options and executables so that they mostly
 * stay well-formed: numbers become near or extreme ones of the same width, fields are removed and
 * repeated, parts are exchanged. Stateless; deterministic for a given seed. */
#ifndef GANTRY_CONFORMANCE_BYTE_MUTATOR_H
#define GANTRY_CONFORMANCE_BYTE_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* A generator of random numbers: the next one below `count` (0: 0). */
size_t byte_mutator_choose(uint64_t *state, size_t count);

/* Each mutates `size` bytes in place, which may grow to `max_size`, and returns the new size. */
/* MLIR bytecode: its numbers and indices are variable-length integers, most of one byte. */
size_t byte_mutate_bytecode(uint8_t *bytes, size_t size, size_t max_size, uint64_t *state);
/* A protocol buffer: a field at any depth is changed, removed or repeated, and the lengths of the
 * messages around it are adjusted. */
size_t byte_mutate_message(uint8_t *bytes, size_t size, size_t max_size, uint64_t *state);
/* Words of 1, 4 or 8 bytes of a format with fixed widths; never the first `keep` bytes. */
size_t byte_mutate_words(uint8_t *bytes, size_t size, size_t keep, uint64_t *state);

#endif
