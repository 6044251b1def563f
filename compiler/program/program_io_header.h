/* program_io_header.h: what precedes a serialized program: which build, device and processor
 * features its machine code is for, and a checksum. Pure functions, thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_IO_HEADER_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_IO_HEADER_H

#include <stddef.h>

#include "base/error.h"

enum { PROGRAM_IO_HEADER = 80 }; /* bytes */

/* Writes the header of `bytes`, which are `size` in total, over its first PROGRAM_IO_HEADER bytes.
 * Call after the rest is written. */
void program_io_header_write(const char *device, char *bytes, size_t size);

/* INVALID_ARGUMENT for bytes that are no program, are damaged, or were written by another build,
 * for another device or for other processor features. */
struct error *program_io_header_check(const char *bytes, size_t size, const char *device);

#endif
