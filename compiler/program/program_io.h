/* program_io.h: a program as bytes, for caches on disk and other processes. Equal programs give
 * equal bytes.
 *
 * The bytes hold machine code, so they are valid only for the same build, device and processor
 * features; all three are written down and compared, and a checksum detects damage.
 *
 * What reading guarantees, also for bytes that were made to harm and carry a valid checksum: the
 * read ends in an error, or in a program of which program_check() has proved every field (sizes
 * are computed again from the dimensions; counts, enumerations, indices, aliases, layouts, slices
 * and strides are in range). Memory is proportional to the number of bytes. Loading the code
 * (codegen_library.h) checks the object file's structure; it links only to itself and to memcpy,
 * memmove and memset.
 *
 * What it does not guarantee: the machine code itself is trusted. Whoever can write the bytes can
 * run code in the process, as with any shared library, so keep caches where only their owner can
 * write. Nor are running time and results checked. Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_IO_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_IO_H

#include "compiler/program/program.h"

/* `device` is the target's name. *out is owned (alloc_free). */
struct error *program_io_write(const struct program *program, const char *device, char **out,
                               size_t *size);
/* *out is owned (program_release); its code is not loaded. INVALID_ARGUMENT when the bytes are
 * damaged, or were made by another build, for another device or other processor features. */
struct error *program_io_read(const void *bytes, size_t size, const char *device,
                              struct program **out);

/* 128 bits over every field but labels, the fingerprint and what is loaded. Equal programs have
 * equal fingerprints, in every process. */
void program_io_fingerprint(const struct program *program, uint64_t out[2]);

#endif
