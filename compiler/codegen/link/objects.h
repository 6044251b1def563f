/* objects.h: the object code of a program: one relocatable object, or several, each of which
 * defines the next kernels. Several are one block of bytes: a header with the number of objects,
 * for each the number of its kernels and its size, then the objects. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_OBJECTS_H
#define GANTRY_COMPILER_CODEGEN_LINK_OBJECTS_H

#include "base/error.h"
#include "compiler/program/program.h"

struct object {
    void *bytes;
    size_t size;
    int kernel_count;
};

/* The block, which the caller owns (alloc_free). A single object is the block itself, and its bytes
 * are set to NULL. */
struct error *objects_join(int count, struct object *objects, void **bytes, size_t *size);

/* Links all of them (elf.h), and looks up `names`, the kernels in their order. The bytes need not
 * be trusted. The caller owns *code (objects_unload). Errors: those of elf_load(). */
struct error *objects_load(const void *bytes, size_t size, int count, char *const *names,
                           kernel_function **kernels, uint64_t *code_size,
                           struct loaded_code **code);
void objects_unload(struct loaded_code *code); /* accepts NULL */

#endif
