/* glibc_functions.h: own definitions of functions of glibc that the C++ runtime linked into this
 * library calls and that glibc before 2.36 does not have. The linker's --wrap makes those calls
 * ours, so the library runs on glibc 2.34. Thread-safe. */
#ifndef GANTRY_COMPILER_CODEGEN_LINK_GLIBC_FUNCTIONS_H
#define GANTRY_COMPILER_CODEGEN_LINK_GLIBC_FUNCTIONS_H

#include <dlfcn.h>
#include <stdint.h>

/* arc4random (glibc 2.36): 32 random bits from the kernel. */
uint32_t __wrap_arc4random(void);

#ifdef DLFO_STRUCT_HAS_EH_DBASE
/* _dl_find_object (glibc 2.35), by which the unwinder finds the tables of the code at `address`:
 * stores the mapping and the exception-handling header (static while the object is loaded) of the
 * loaded object that contains it, and returns 0; -1 if no object does, or it has no such header.
 * The link map is not given: NULL. Compiled where <dlfcn.h> declares the struct; an older glibc's
 * compiler does not call the function. */
int __wrap__dl_find_object(void *address, struct dl_find_object *out);
#endif

#endif
