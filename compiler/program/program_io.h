/* program_io.h: a program as bytes, for caches on disk and other processes. Equal programs give
 * equal bytes. The bytes hold machine code, so they are only for the same build on a processor with
 * the same features: both are written down and compared, and a checksum finds damage. Whoever can
 * write the cache can run code: as with any shared library, keep it to oneself. Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_IO_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_IO_H

#include "compiler/program/program.h"
#include "compiler/target.h"

/* *out is owned (alloc_free). */
struct error *program_io_write(const struct program *program, const struct target *target,
                               char **out, size_t *size);
/* *out is owned (program_release), its code loaded. INVALID_ARGUMENT when the bytes are damaged, or
 * were made by another build, for another device or other processor features. */
struct error *program_io_read(const void *bytes, size_t size, const struct target *target,
                              struct program **out);

#endif
