/* program_io.h: serializes programs, for caches on disk and for other processes. Equal programs
 * have equal bytes.
 *
 * The bytes contain machine code, so they are valid only for the same build, device and processor
 * features. All three are stored and compared. A checksum detects damage.
 *
 * Guarantees of reading, even for malicious bytes with a valid checksum: it returns an error, or a
 * program whose every field passed program_check() (sizes are recomputed from the dimensions;
 * counts, enumerations, indices, aliases, layouts, slices and strides are in range). Memory use is
 * proportional to the number of bytes. Loading the code (codegen_library.h) checks the object
 * file's structure; it links only to itself and to memcpy, memmove and memset.
 *
 * Not guaranteed: the machine code itself is trusted. As with a shared library, anyone who can
 * write the bytes can run code in the process, so store caches where only their owner can write.
 * Running time and results are not checked. Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_IO_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_IO_H

#include "compiler/program/program.h"

/* `device` is the target's name. *out is owned (alloc_free). */
struct error *program_io_write(const struct program *program, const char *device, char **out,
                               size_t *size);
/* *out is owned (program_release); its code is not loaded. Errors: INVALID_ARGUMENT if the bytes
 * are damaged, or were written by another build, for another device or for other processor
 * features. */
struct error *program_io_read(const void *bytes, size_t size, const char *device,
                              struct program **out);

/* A 128-bit hash of every field except labels, the fingerprint and loaded state. Equal programs
 * have equal fingerprints in every process. */
void program_io_fingerprint(const struct program *program, uint64_t out[2]);
/* A 128-bit hash of the collectives in the order of the steps, and of their groups. Programs with
 * equal hashes can meet, even if they differ otherwise: clients may write the participant's number
 * into its program, as PyTorch/XLA does. RESOURCE_EXHAUSTED. */
struct error *program_io_collectives(const struct program *program, uint64_t out[2]);

#endif
