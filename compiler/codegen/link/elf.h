/* elf.h: links a relocatable x86-64 ELF object into executable memory. All sections are in one
 * slab, so every distance fits 32 bits; the slab is written, relocated, then made executable and
 * read-only: never both writable and executable. The bytes may come from a cache or another
 * process, so every offset, index and size in them is checked. Thread-safe. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_ELF_H
#define GANTRY_COMPILER_CODEGEN_LINK_ELF_H

#include "base/error.h"
#include "compiler/program/program.h"

/* Finds `names` (functions the object defines). *code is owned: elf_unload. Errors:
 * INVALID_ARGUMENT for bytes that are no such object, NOT_FOUND for a name, RESOURCE_EXHAUSTED. */
struct error *elf_load(const void *object, size_t size, int count, char *const *names,
                       kernel_function **kernels, uint64_t *code_size, struct loaded_code **code);
void elf_unload(struct loaded_code *code); /* accepts NULL */

#endif
