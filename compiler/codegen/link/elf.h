/* elf.h: links a relocatable x86-64 ELF object into executable memory. All sections are placed in
 * one mapping, so every relative distance fits in 32 bits. The mapping is written and relocated,
 * then made executable and read-only; it is never writable and executable at once. The bytes may
 * come from a cache or another process, so every offset, index and size in them is validated.
 * Thread-safe. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_ELF_H
#define GANTRY_COMPILER_CODEGEN_LINK_ELF_H

#include "base/error.h"
#include "compiler/program/program.h"

struct linked_object; /* in memory */

/* Looks up `names`, functions that the object defines. The caller owns *code (elf_unload). Errors:
 * INVALID_ARGUMENT if the bytes are not a valid object, NOT_FOUND for a missing name,
 * RESOURCE_EXHAUSTED. */
struct error *elf_load(const void *object, size_t size, int count, char *const *names,
                       kernel_function **kernels, uint64_t *code_size, struct linked_object **code);
void elf_unload(struct linked_object *code); /* accepts NULL */

#endif
